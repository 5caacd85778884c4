"""Draws an agent tree as nested boxes: order, alternatives, transfers, and agents as tools.

HTML that the style sheet lays out: rows of agents wrap, so the names keep their size however many there are. An agent's
`hue-N` is its colour in the session view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from agents.pipelines import Pipeline
from ui.gallery.graph_columns import edges_from, graph_columns
from ui.kit.elements import Html, element
from ui.state.options import families, faults

HUES = 10
_WORKFLOWS = frozenset({"SequentialAgent", "LoopAgent", "ParallelAgent", "RoutedAgent", "Workflow"})
LONGEST_NAME = 28
MOST_TOOLS = 4


def diagram(tree: Mapping[str, Any], models: Mapping[str, Mapping[str, str]] | None = None, *, large: bool = False) -> Html:
    """An agent tree as HTML.

    Args:
        tree: As `agents.pipeline.describe_tree` gives it.
        models: For agents whose model routes to others: agent name → key → model name.
        large: Whether to draw for a whole page, with full names and tools; else for a card, with only the pattern.
    """
    drawn = _Drawing(tree, models or {}, large=large).draw(tree)
    return element("div.diagram.large" if large else "div.diagram", drawn, role="img", aria_label=in_words(tree))


def in_words(tree: Mapping[str, Any]) -> str:
    """The tree in one sentence, for screen readers."""
    below = [in_words(child) for child in tree["children"]]
    return f"{tree['name']} ({_what(tree)})" + (f" with {', '.join(below)}" if below else "")


class _Drawing:
    def __init__(self, tree: Mapping[str, Any], models: Mapping[str, Mapping[str, str]], *, large: bool) -> None:
        self._models = models
        self._large = large
        self._hues = _hues(tree)

    def draw(self, tree: Mapping[str, Any]) -> Html:
        match tree["kind"]:
            case "SequentialAgent" if tree["children"]:
                drawn = self._row(tree["children"])
                return self._frame("sequence", self._titled(tree, "in order"), drawn) if self._large else drawn
            case "LoopAgent" if tree["children"]:
                most = tree.get("max_iterations")
                how = f"again, at most {most}×" if most else "again and again"
                return self._frame("loop", self._titled(tree, how), self._row(tree["children"]))
            case "ParallelAgent" if tree["children"]:
                drawn = _stack(element("div", self.draw(child)) for child in tree["children"])
                return self._frame("parallel", self._titled(tree, "at the same time"), drawn)
            case "Workflow" if tree["children"]:
                return self._frame("sequence", self._titled(tree, "a graph"), self._graph(tree))
            case "RoutedAgent" if tree["children"]:
                return self._routed(tree)
            case _:
                return self._agent(tree)

    def _row(self, children: Iterable[Mapping[str, Any]]) -> Html:
        """Agents in order; the style sheet draws an arrow before each but the first."""
        return element("div.row", *(element("div", self.draw(child)) for child in children))

    def _graph(self, tree: Mapping[str, Any]) -> Html:
        """The nodes of a graph by their distance from its start; edges that lead elsewhere than on are written out."""
        children = {child["name"]: child for child in tree["children"]}
        columns = graph_columns(tree)
        place = {name: at for at, column in enumerate(columns) for name in column}
        edges = [edge for source in place for edge in edges_from(tree, source)]
        is_on = {edge: place[edge.target] == place[edge.source] + 1 for edge in edges}
        for edge in edges:  # which of several leads to which of several, arrows between columns cannot tell
            is_on[edge] &= len(columns[place[edge.source]]) == 1 or len(columns[place[edge.target]]) == 1

        def node(name: str) -> Html:
            coming = [edge for edge in edges if edge.target == name and is_on[edge]]
            label = " or ".join(edge.by for edge in coming) if all(edge.by for edge in coming) else ""
            others = [edge for edge in edges if edge.source == name and not is_on[edge]]
            notes = (element("span.label", _cut(f"{edge.by} → {edge.target}".strip())) for edge in others)
            return element("div", element("span.label", _cut(label)) if label else "", self.draw(children[name]), *notes)

        return element("div.row", *(element("div", _stack(map(node, column))) for column in columns))

    def _frame(self, kind: str, title: str, drawn: Html) -> Html:
        return element(f"div.frame.{kind}", element("span.how", title), drawn)

    def _routed(self, tree: Mapping[str, Any]) -> Html:
        keys = {name: key for key, name in (tree.get("routes") or {}).items()}
        branches = [self._branch_of(child, keys.get(child["name"], "")) for child in tree["children"]]
        return _choice(self._box(tree, "router", "chooses one" if self._large else ""), branches)

    def _branch_of(self, child: Mapping[str, Any], key: str) -> Html:
        return _branch("" if key == child["name"] else key, self.draw(child))

    def _agent(self, tree: Mapping[str, Any]) -> Html:
        called: Mapping[str, Any] = tree.get("agent_tools") or {}
        kind = "agent" if tree["kind"] == "LlmAgent" else "code"
        box = self._box(tree, f"{kind}.hue-{self._hues.get(tree['name'], 0)}", *self._tools(tree, called))
        branches = [
            _branch("hands over, and back" if tree["name"] in child.get("transfers", ()) else "hands over", self.draw(child))
            for child in tree["children"]
        ]
        for tool, inner in called.items():
            branches.append(_branch("calls" if tool == inner["name"] else f"calls {tool}", self.draw(inner)))
        for key, model in self._models.get(tree["name"], {}).items():
            branches.append(_branch("" if key == model else key, element("span.box.model", _cut(model))))
        return _choice(box, branches) if branches else box

    def _box(self, tree: Mapping[str, Any], kind: str, *more: str) -> Html:
        lines = (element("small", line) for line in more if line)
        shown = self._named(tree)
        return element(f"span.box.{kind}", shown, *lines, title=tree["name"] if shown.endswith("…") else None)

    def _titled(self, tree: Mapping[str, Any], how: str) -> str:
        return f"{_cut(tree['name'])}: {how}" if self._large else how

    def _named(self, tree: Mapping[str, Any]) -> str:
        """An agent's name; on a card without the suffix "Agent"."""
        name = " ".join(tree["name"].split())
        return _cut(name if self._large else name.removesuffix("Agent").rstrip("_") or name)

    def _tools(self, tree: Mapping[str, Any], called: Mapping[str, Any]) -> list[str]:
        """The agent's tools, one a line; none on a card."""
        own = [tool for tool in tree["tools"] if tool not in called] if self._large else []
        more = [f"+{len(own) - MOST_TOOLS} tools"] if len(own) > MOST_TOOLS else []
        return [*(f"⚒ {_cut(tool)}" for tool in own[:MOST_TOOLS]), *more]


def _choice(box: Html, branches: Iterable[Html]) -> Html:
    return element("div.choice", box, _stack(branches))


def _stack(branches: Iterable[Html]) -> Html:
    return element("div.stack", *branches)


def _branch(label: str, drawn: Html) -> Html:
    return element("div", element("span.label", _cut(label)) if label else "", drawn)


def _hues(tree: Mapping[str, Any]) -> dict[str, int]:
    """Agent name → number of its colour, counted over the tree's agents as in the session view."""
    names: dict[str, None] = {}

    def walk(node: Mapping[str, Any]) -> None:
        if node["kind"] not in _WORKFLOWS:
            names.setdefault(node["name"])
        for below in (*node["children"], *(node.get("agent_tools") or {}).values()):
            walk(below)

    walk(tree)
    return {name: number % HUES for number, name in enumerate(names)}


def _what(tree: Mapping[str, Any]) -> str:
    return {
        "SequentialAgent": "one after the other",
        "LoopAgent": "again and again",
        "ParallelAgent": "at the same time",
        "RoutedAgent": "one of them",
        "Workflow": "a graph",
        "LlmAgent": "asks a model",
    }.get(tree["kind"], "code")


def _cut(name: str) -> str:
    line = "".join(letter for letter in " ".join(name.split()) if letter.isprintable())
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1] + "…"


def draw(pipeline: Pipeline, *, large: bool = False) -> None:
    """Draws the diagram; `large` with full names and each agent's tools."""
    models = faults.choices_of_models(pipeline.root_agent)
    st.html(diagram(families.tree_of(pipeline), models, large=large))
