"""The nodes of a graph in columns, as its picture has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple


class GraphEdge(NamedTuple):
    """An edge of a graph: from which node to which, and by which route, in words; "" for always."""

    source: str
    target: str
    by: str


def edges_from(tree: Mapping[str, Any], name: str) -> list[GraphEdge]:
    """The edges that leave a node of a graph; "" is its start."""
    edges: list[Any] = (tree.get("edges") or {}).get(name, [])
    return [
        GraphEdge(name, target, " or ".join("any other" if one == "__DEFAULT__" else str(one) for one in routes))
        for target, routes in edges
    ]


def graph_columns(tree: Mapping[str, Any]) -> list[list[str]]:
    """The names of a graph's nodes by their distance from its start, loops left out; those that no way leads to are last."""
    names = [child["name"] for child in tree["children"]]
    far: dict[str, int] = {}
    path: list[tuple[str, Iterator[GraphEdge]]] = [("", iter(edges_from(tree, "")))]
    order: list[str] = []
    on: dict[str, list[str]] = {}
    while path:  # depth first; an edge to a node on the path closes a loop
        name, left = path[-1]
        if (edge := next(left, None)) is None:
            order.append(path.pop()[0])
        elif edge.target not in (one for one, _ in path):
            on.setdefault(name, []).append(edge.target)
            if edge.target not in order:
                path.append((edge.target, iter(edges_from(tree, edge.target))))
    for name in reversed(order):  # each before those after it
        for target in on.get(name, ()):
            far[target] = max(far.get(target, 0), far.get(name, -1) + 1)
    last = max(far.values(), default=-1) + 1
    columns: list[list[str]] = [[] for _ in range(last + 1)]
    for name in names:
        columns[far.get(name, last)].append(name)
    return [column for column in columns if column]
