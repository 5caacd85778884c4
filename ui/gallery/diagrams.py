"""Draws an agent tree as Graphviz text: order, alternatives, transfers, and agents as tools.

Names reach the text escaped, never as ids. The style sheet sets the look: parts carry classes, and an agent's `hue-N` is
its colour in the session view.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

HUES = 10
_WORKFLOWS = frozenset({"SequentialAgent", "LoopAgent", "ParallelAgent", "RoutedAgent"})
LONGEST_NAME = 28
MOST_TOOLS = 4

_GRAPH = 'rankdir=LR; compound=true; bgcolor="transparent"; pad=0.05; fontname="Helvetica";'
_LARGE = 'ranksep=0.42; nodesep=0.2; node [height=0.42, margin="0.24,0.09"];'
_SMALL = 'ranksep=0.24; nodesep=0.12; node [height=0.34, margin="0.15,0.06"];'
_NODE = 'node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=14];'
_EDGE = 'edge [arrowsize=0.7, fontname="Helvetica", fontsize=11];'


class _Piece(NamedTuple):
    """A drawn part: the nodes at which arrows enter and leave it, and the frame around it, if it has one."""

    first: str
    last: str
    frame: str | None = None


def diagram(tree: Mapping[str, Any], models: Mapping[str, Mapping[str, str]] | None = None, *, large: bool = False) -> str:
    """Graphviz text of an agent tree.

    Args:
        tree: As `agents.pipeline.describe_tree` gives it.
        models: For agents whose model routes to others: agent name → key → model name.
        large: Whether to draw for a whole page, with full names and tools; else for a card, with only the pattern.
    """
    drawing = _Drawing(tree, models or {}, large=large)
    drawing.draw(tree)
    return "\n".join(["digraph {", _GRAPH, _NODE, _EDGE, _LARGE if large else _SMALL, *drawing.lines, "}"])


def in_words(tree: Mapping[str, Any]) -> str:
    """The tree in one sentence, for screen readers."""
    below = [in_words(child) for child in tree["children"]]
    return f"{tree['name']} ({_what(tree)})" + (f" with {', '.join(below)}" if below else "")


class _Drawing:
    def __init__(self, tree: Mapping[str, Any], models: Mapping[str, Mapping[str, str]], *, large: bool) -> None:
        self.lines: list[str] = []
        self._models = models
        self._large = large
        self._hues = _hues(tree)
        self._ids = 0

    def draw(self, tree: Mapping[str, Any]) -> _Piece:
        match tree["kind"]:
            case "SequentialAgent" if tree["children"]:
                return self._framed(tree, "in order", "sequence")
            case "LoopAgent" if tree["children"]:
                most = tree.get("max_iterations")
                return self._framed(tree, f"again, at most {most}×" if most else "again and again", "loop")
            case "ParallelAgent" if tree["children"]:
                return self._parallel(tree)
            case "RoutedAgent" if tree["children"]:
                return self._routed(tree)
            case _:
                return self._agent(tree)

    def _framed(self, tree: Mapping[str, Any], how: str, kind: str) -> _Piece:
        """Draws children that run in sequence, within a frame."""
        plain = not self._large and kind == "sequence"  # the arrows show the order
        frame = None if plain else self._open(self._titled(tree, how), kind)
        pieces = [self.draw(child) for child in tree["children"]]
        for before, after in pairwise(pieces):
            self._edge(before, after, "then")
        if kind == "loop":
            self._edge(pieces[-1], pieces[0], "again", style="dashed", constraint="false")
        if frame:
            self.lines.append("}")
        return _Piece(pieces[0].first, pieces[-1].last, frame)

    def _parallel(self, tree: Mapping[str, Any]) -> _Piece:
        frame = self._open(self._titled(tree, "at the same time"), "parallel")
        pieces = [self.draw(child) for child in reversed(tree["children"])]  # Graphviz fills a frame from the bottom
        self.lines.append("}")
        middle = pieces[len(pieces) // 2]
        return _Piece(middle.first, middle.last, frame)

    def _routed(self, tree: Mapping[str, Any]) -> _Piece:
        frame = self._open("", "choice", style="invis")
        router = self._node(self._named(tree) + ("\\nchooses one" if self._large else ""), "router")
        keys = {name: key for key, name in (tree.get("routes") or {}).items()}
        pieces: list[_Piece] = []
        for child in reversed(tree["children"]):
            key = keys.get(child["name"], "")
            pieces.append(self.draw(child))
            self._edge(_Piece(router, router), pieces[-1], "route", label="" if key == child["name"] else key)
        self.lines.append("}")
        return _Piece(router, pieces[len(pieces) // 2].last, frame)

    def _agent(self, tree: Mapping[str, Any]) -> _Piece:
        called: Mapping[str, Any] = tree.get("agent_tools") or {}
        kind = "agent" if tree["kind"] == "LlmAgent" else "code"
        node = self._node(self._label(tree, called), f"{kind} hue-{self._hues.get(tree['name'], 0)}")
        piece = _Piece(node, node)
        for child in tree["children"]:
            back = tree["name"] in child.get("transfers", ())
            self._edge(piece, self.draw(child), "transfer", label="hands over", style="dashed", dir="both" if back else "")
        for tool, inner in called.items():
            name = "calls" if tool == inner["name"] else _cut(f"calls {tool}")
            self._edge(piece, self.draw(inner), "call", label=name, arrowhead="odot")
        for key, model in self._models.get(tree["name"], {}).items():
            chosen = self._node(_escaped(_cut(model)), "model")
            self._edge(piece, _Piece(chosen, chosen), "route", label="" if key == model else key)
        return piece

    def _titled(self, tree: Mapping[str, Any], how: str) -> str:
        return f"{_cut(tree['name'])}: {how}" if self._large else how

    def _named(self, tree: Mapping[str, Any]) -> str:
        """An agent's name; on a card without the suffix "Agent"."""
        name = " ".join(tree["name"].split())
        return _escaped(_cut(name if self._large else name.removesuffix("Agent").rstrip("_") or name))

    def _label(self, tree: Mapping[str, Any], called: Mapping[str, Any]) -> str:
        name = self._named(tree)
        own = [tool for tool in tree["tools"] if tool not in called]
        if not self._large or not own:
            return name
        more = f" +{len(own) - MOST_TOOLS}" if len(own) > MOST_TOOLS else ""
        return f"{name}\\n" + "\\n".join(_escaped(f"⚒ {_cut(tool)}") for tool in own[:MOST_TOOLS]) + more

    def _open(self, label: str, kind: str, *, style: str = "rounded") -> str:
        self._ids += 1
        frame = f"cluster_{self._ids}"
        self.lines.append(
            f'subgraph {frame} {{ class="frame {kind}"; style="{style}"; label="{_escaped(label)}"; margin=12; fontsize=12;'
        )
        return frame

    def _node(self, label: str, kind: str) -> str:
        """Adds a node; `label` is escaped already, because it may have several lines."""
        self._ids += 1
        self.lines.append(f'n{self._ids} [label="{label}", class="{kind}"];')
        return f"n{self._ids}"

    def _edge(self, start: _Piece, end: _Piece, kind: str, *, label: str = "", **attributes: str) -> None:
        given = {"class": kind, "label": f" {_escaped(_cut(label))} " if label else "", **attributes}
        given |= {"ltail": start.frame or "", "lhead": end.frame or ""}
        if kind == "again":  # from the last child to the first, inside their frame
            given |= {"ltail": "", "lhead": ""}
        shown = ", ".join(f'{name}="{value}"' for name, value in given.items() if value)
        self.lines.append(f"{start.last} -> {end.first} [{shown}];")


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
        "LlmAgent": "asks a model",
    }.get(tree["kind"], "code")


def _cut(name: str) -> str:
    line = "".join(letter for letter in " ".join(name.split()) if letter.isprintable())
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1] + "…"


def _escaped(text: str) -> str:
    """Escapes a text for a quoted label: quotes, escape sequences and entities."""
    return text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"').replace("<", "&lt;").replace(">", "&gt;")
