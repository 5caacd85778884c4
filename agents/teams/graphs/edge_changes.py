"""The edges of a graph as its nodes are added, renamed and removed. Pure functions over the data of the graph's file."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from agents.errors import TeamError
from agents.teams.graphs.written_edges import GRAPHS, START, EdgeError, WrittenEdge, as_data, file_of, read_edges

Data = dict[str, Any]


def is_graph(data: Mapping[str, Any]) -> bool:
    """Whether a file is that of a graph."""
    return data.get("agent_class") in GRAPHS


def edges_in(data: Mapping[str, Any]) -> list[WrittenEdge]:
    """The edges of a graph.

    Raises:
        TeamError: They cannot be read.
    """
    try:
        return read_edges(data.get("edges"))
    except EdgeError as error:
        raise TeamError(f"The edges of {data.get('name')} cannot be read: {error} Mend them in the file.") from None


def with_nodes(data: Data) -> Data:
    """A graph's data with the files that only its edges name among its `sub_agents`; unchanged if they cannot be read."""
    entries: Any = data.get("sub_agents") or []
    if not is_graph(data) or not isinstance(entries, list):
        return data
    try:
        ends = [end for edge in read_edges(data.get("edges")) for end in edge[:2]]
    except EdgeError:
        return data
    there = {path for entry in cast("list[Any]", entries) if (path := file_of(entry)) is not None}
    more = dict.fromkeys(path for end in ends if (path := file_of(end)) is not None and path not in there)
    return {**data, "sub_agents": [*entries, *({"config_path": path} for path in more)]} if more else data


def linked(data: Data, at: int, options: Iterable[str]) -> Data:
    """A graph's data with an edge to a new node, from the one before it: at its end, or between it and the next one.

    Args:
        data: The data; the new node has its place already.
        at: The place of the node among the `sub_agents`.
        options: The routes that the node before it gives, if it says so.
    """
    entries: list[Any] = data["sub_agents"]
    node = file_of(entries[at])
    before = START if at == 0 else file_of(entries[at - 1])
    if node is None or before is None:
        return data
    edges = edges_in(data)
    leaving = [edge for edge in edges if file_of(edge.source) == before or edge.source == before]
    taken = {edge.route for edge in leaving if isinstance(edge.route, str)}
    route = next((option for option in options if option not in taken), None)
    if not leaving or route is not None:
        edges.append(WrittenEdge(before, node, route))
    elif len(leaving) == 1 and leaving[0].route is None:
        edges[edges.index(leaving[0]) : edges.index(leaving[0]) + 1] = [
            WrittenEdge(leaving[0].source, node, None),
            WrittenEdge(node, leaving[0].target, None),
        ]
    return _with_edges(data, edges)


def without(data: Data, path: str, name: str) -> Data:
    """A graph's data without the edges of a node; where it only led on, the nodes before it lead on themselves."""
    edges = edges_in(data)

    def is_it(end: Any) -> bool:
        return file_of(end) == path or end == name

    coming = [edge for edge in edges if is_it(edge.target) and not is_it(edge.source)]
    leaving = [edge for edge in edges if is_it(edge.source) and not is_it(edge.target)]
    left = [edge for edge in edges if not is_it(edge.source) and not is_it(edge.target)]
    if all(edge.route is None for edge in leaving):
        known = {(str(edge.source), str(edge.target)) for edge in left}
        for first in coming:
            left += [
                WrittenEdge(first.source, second.target, first.route)
                for second in leaving
                if (str(first.source), str(second.target)) not in known and str(first.source) != str(second.target)
            ]
    return _with_edges(data, left)


def with_ends(data: Data, change: Callable[[Any], Any]) -> Data:
    """A graph's data with other ends of its edges; unchanged if none is another one."""
    if not is_graph(data):
        return data
    try:
        edges = read_edges(data.get("edges"))
    except EdgeError:
        return data
    changed = [edge._replace(source=change(edge.source), target=change(edge.target)) for edge in edges]
    return data if changed == edges else _with_edges(data, changed)


def reference_of(by: str, file: str) -> str:
    """How the file of a graph names that of a node."""
    return posixpath.relpath(file, posixpath.dirname(by) or ".")


def _with_edges(data: Data, edges: list[WrittenEdge]) -> Data:
    rest = {key: value for key, value in data.items() if key not in ("edges", "sub_agents")}
    nodes = {"sub_agents": data["sub_agents"]} if data.get("sub_agents") else {}
    return rest | ({"edges": as_data(edges)} if edges else {}) | nodes
