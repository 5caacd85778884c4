"""The edges of a graph as ADK's form has them: chains, fan-outs and routing maps in lists, read as single edges.

An end of an edge is "START", the path of a file, the name of a node, a function of the team, or a node in place. Pure
functions over data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple, cast

from agents.llm.llm_agent import LlmAgent
from agents.teams.yaml_text import Path as Place

START = "START"
GRAPHS = ("Workflow", "agents.Workflow", "agents.workflow.Workflow")
"""The names of the class in files; google-adk has the first."""
_ENDINGS = (".yaml", ".yml")
_IN_PLACE = ("agent_class", "config_path", "func_code")


class EdgeError(ValueError):
    """Edges cannot be read; the message says why.

    Attributes:
        place: Where, below `edges`.
    """

    def __init__(self, place: Place, why: str) -> None:
        super().__init__(why)
        self.place = place


class WrittenEdge(NamedTuple):
    """One edge.

    Attributes:
        source: The node that it leaves, as it is written.
        target: The node that it leads to.
        route: The route, or several; None for always.
        places: Where both ends are written, below `edges`.
    """

    source: Any
    target: Any
    route: Any
    places: tuple[Place, Place] = ((), ())


def read_edges(value: Any) -> list[WrittenEdge]:
    """The single edges that a value of `edges` stands for, in their order.

    Raises:
        EdgeError: It is none.
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise EdgeError((), "edges are a list, e.g. `- {from_node: START, to_node: writer.yaml}`.")
    return [edge for at, item in enumerate(cast("list[Any]", value)) for edge in _edges_of(item, (at,))]


def file_of(end: Any) -> str | None:
    """The path that an end of an edge names; None for another node."""
    if isinstance(end, dict):
        end = cast("dict[str, Any]", end).get("config_path")
        return end if isinstance(end, str) else None
    return end if isinstance(end, str) and end.endswith(_ENDINGS) else None


def functions_in(edges: list[WrittenEdge]) -> Iterator[tuple[str, Place]]:
    """The functions of the team that edges name, each with where."""
    for edge in edges:
        for end, place in zip(edge[:2], edge.places, strict=True):
            if isinstance(end, str) and "." in end and file_of(end) is None:
                yield end, place


def as_data(edges: list[WrittenEdge]) -> list[dict[str, Any]]:
    """Edges as a file has them, one an entry."""
    return [
        {"from_node": edge.source, "to_node": edge.target} | ({} if edge.route is None else {"route": edge.route})
        for edge in edges
    ]


def _edges_of(item: Any, place: Place) -> Iterator[WrittenEdge]:
    if isinstance(item, dict):
        edge = cast("dict[str, Any]", item)
        if not {"from_node", "to_node"} <= edge.keys() <= {"from_node", "to_node", "route"}:
            raise EdgeError(place, "an edge has from_node and to_node, and may have a route.")
        _check_route(edge.get("route"), place)
        places = (*place, "from_node"), (*place, "to_node")
        for where in places:
            _check_end(edge[str(where[-1])], where)
        yield WrittenEdge(edge["from_node"], edge["to_node"], edge.get("route"), places)
        return
    if not isinstance(item, list):
        raise EdgeError(place, "an edge is a mapping with from_node and to_node, or a chain of nodes as a list.")
    steps = [list(_nodes_of(step, (*place, at))) for at, step in enumerate(cast("list[Any]", item))]
    for before, after in pairwise(steps):
        for source, _, source_place in before:
            for target, route, target_place in after:
                yield WrittenEdge(source, target, route, (source_place, target_place))


def _nodes_of(step: Any, place: Place) -> Iterator[tuple[Any, Any, Place]]:
    """The nodes of one element of a chain, each with the route to it and where it is written."""
    if isinstance(step, list):
        for at, node in enumerate(cast("list[Any]", step)):
            _check_end(node, (*place, at))
            yield node, None, (*place, at)
    elif isinstance(step, dict) and not _is_node(cast("dict[str, Any]", step)):
        for route, targets in cast("dict[str, Any]", step).items():
            for at, node in enumerate(cast("list[Any]", targets) if isinstance(targets, list) else [targets]):
                where = (*place, route, at) if isinstance(targets, list) else (*place, route)
                _check_end(node, where)
                yield node, route, where
    else:
        _check_end(step, place)
        yield step, None, place


def _is_node(mapping: Mapping[str, Any]) -> bool:
    """Whether a mapping is a node, as google-adk decides it, and not nodes by route."""
    if any(key in mapping for key in _IN_PLACE) or (len(mapping) == 1 and isinstance(mapping.get("code"), str)):
        return True
    return "name" in mapping and mapping.keys() <= LlmAgent.model_fields.keys()


def _check_end(end: Any, place: Place) -> None:
    is_named = isinstance(end, str) and end.strip()
    if not is_named and not (isinstance(end, dict) and _is_node(cast("dict[str, Any]", end))):
        raise EdgeError(place, "a node is a file, e.g. writer.yaml, the name of a node, or START.")


def _check_route(route: Any, place: Place) -> None:
    routes = cast("list[Any]", route) if isinstance(route, list) else [route]
    if not routes or not all(one is None or isinstance(one, str | int | bool) for one in routes):
        raise EdgeError((*place, "route"), "a route is a word, a number or a truth value, or a list of them.")
