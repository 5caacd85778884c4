"""Branches: which agents run beside each other. A branch is a path, with a dot between its parts."""

from __future__ import annotations

TOOL_MARK = ":"
"""Marks the branch of an agent called as a tool, where only the user's answers as a model are waited for."""

GRAPH_MARK = f"{TOOL_MARK}@"
"""Marks that of a graph called as a tool: it can wait for the user, and goes on where it was cut."""


def is_in_tool(branch: str | None) -> bool:
    """Whether a branch is one of an agent called as a tool, or below one."""
    return branch is not None and TOOL_MARK in branch


def around(branch: str) -> str | None:
    """The branch around one; None for the session's own."""
    return branch.rpartition(".")[0] or None
