"""The tree of a team and the form of the selected agent, as a Streamlit component."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import yaml
from streamlit.components import v2

from agents import TeamError
from agents.review import Finding
from agents.teams import TOOLS, AgentNode, edges_of
from ui.browser.component_script import component_script
from ui.build import actions
from ui.build.kinds import as_data, control_of, kind_of
from ui.build.open_team import OpenTeam
from ui.text.visible_text import visible_directions

_FOLDER = Path(__file__).parent
_TWICE = "Another agent has this name, too. Rename one of them in the tab Files."
_LARGEST = 2**53
_TABLES = (".csv", ".json")

_mount = v2.component(
    "team_editor",
    js=component_script(_FOLDER / "js" / "component.js", "team_editor"),
    css=(_FOLDER / "css" / "editor.css").read_text(encoding="utf-8"),
)


def draw(team: OpenTeam, findings: Sequence[Finding], *, models: list[str], locked: bool) -> None:
    """Draws the editor.

    Args:
        team: The team.
        findings: What the review found in it.
        models: The models that are offered for an agent.
        locked: Whether it can only be read.
    """
    files = team.draft.files
    _mount(
        key=actions.EDITOR,
        data={
            "agents": tuple(_agents(team.root)),
            "kinds": as_data(models, [f".tools.{name}" for name, _ in _functions(files.get("tools.py", ""))]),
            "tools": tuple(_tools(files)),
            "keys": tuple((key, writers) for key, writers in _writers(team.root).items()),
            "coded": any(name.endswith(".py") for name in files),
            "findings": tuple(
                {"agent": one.agent, "field": one.field, "level": one.rule.level, "text": one.text} for one in findings
            ),
            "agent": team.agent,
            "field": team.where,
            "visit": team.visit,
            "done": actions.done(),
            "refused": tuple({"number": number, "text": text} for number, text in team.refused.items()),
            "locked": locked,
        },
        height="content",
        on_acts_change=partial(actions.take_acts, team.name),
    )


def _agents(root: AgentNode) -> Iterator[dict[str, Any]]:
    """All agents, each before those below it; one whose name stands before has its file in its name."""
    left: list[tuple[AgentNode, str | None, bool]] = [(root, None, False)]
    names: set[str] = set()
    while left:
        node, parent, called = left.pop()
        kind = kind_of(node.agent_class or "LlmAgent") if node.file else None
        problem, edges = _edges(node)
        is_twice = node.name in names
        name = f"{node.name} ({node.file})" if is_twice else node.name
        names.add(name)
        yield {
            "name": name,
            "parent": parent,
            "kind": kind.agent_class.__name__ if kind else "",
            "file": node.file,
            "fields": {
                str(name): _as_yaml(value) if control_of(node.agent_class, name) == "yaml" else _plain(value)
                for name, value in {**node.fields, **edges}.items()
            },
            "tools": [_plain(tool) for tool in node.tools],
            "called": called,
            "problem": visible_directions(node.problem or problem) or (_TWICE if is_twice else ""),
        }
        below = [*((child, False) for child in node.children), *((agent, True) for agent in node.agent_tools)]
        left += ((child, name, is_tool) for child, is_tool in reversed(below))


def _edges(node: AgentNode) -> tuple[str, dict[str, Any]]:
    """The edges of a graph by the names of its nodes, a route an edge; and why they cannot be read, or ""."""
    if control_of(node.agent_class, "edges") is None:
        return "", {}
    try:
        edges = edges_of(node)
    except TeamError as error:
        return str(error), {"edges": []}
    return "", {
        "edges": [
            {"from": source, "to": target, "route": one}
            for source, target, route in edges
            for one in (route if isinstance(route, list) else [route])
        ]
    }


def _as_yaml(value: Any) -> str:
    return value if isinstance(value, str) else yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100)


def _plain(value: Any) -> Any:
    """A value as JSON has it: YAML has dates, and numbers that JavaScript cannot read, too."""
    match value:
        case dict():
            return {str(name): _plain(one) for name, one in value.items()}
        case list():
            return [_plain(one) for one in value]
        case None | bool() | str():
            return value
        case int() | float() if abs(value) < _LARGEST:
            return value
        case _:
            return str(value)


def _writers(root: AgentNode) -> dict[str, list[str]]:
    """State keys by the `output_key`s of agents, each with the agents that write it."""
    found: dict[str, list[str]] = {}
    for node in root.walk():
        if isinstance(key := node.fields.get("output_key"), str):
            found.setdefault(key, []).append(node.name)
    return found


def _tools(files: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The tools that can be chosen: of the team's code and tables, then the runtime's."""
    for name, about in _functions(files.get("tools.py", "")):
        yield _tool(name, about, name=f".tools.{name}")
    for file in files:
        if file.endswith(_TABLES):
            yield _tool(f"look up in {file}", f"Looks up rows of {file}.", name="agents.TableTool", args={"file": file})
    for name, tool in TOOLS.items():
        yield _tool(name, getattr(tool, "description", "") or tool.__doc__ or "", name=name)


def _tool(label: str, about: str, **use: Any) -> dict[str, Any]:
    return {"label": label, "about": next(iter(about.strip().splitlines()), ""), "use": use}


@lru_cache(maxsize=32)
def _functions(code: str) -> tuple[tuple[str, str], ...]:
    """The functions that a module offers, each with its docstring; none while it cannot be parsed."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(
        (node.name, ast.get_docstring(node) or "")
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_")
    )
