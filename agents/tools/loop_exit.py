"""The tool with which a model ends the loop that it works in."""

from __future__ import annotations

from agents.runtime.context import ToolContext


def exit_loop(tool_context: ToolContext) -> None:
    """Ends the loop. Call this only when the work is done and needs no further pass."""
    tool_context.actions.escalate = True
    tool_context.actions.skip_summarization = True
