"""The edges of a graph: how they are written, and what a graph must be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field

from agents.agent import BaseAgent
from agents.errors import GraphValidationError, WorkflowConfigurationError
from agents.event import RouteValue
from agents.llm.settings import LlmAgentSettings
from agents.tool import BaseTool
from agents.workflow.nodes.base_node import START

DEFAULT_ROUTE = "__DEFAULT__"
"""The route of an edge that is followed if no other edge with a route is."""

_ROUTE_KINDS = (bool, int, str)


class Edge(BaseModel):
    """An edge.

    Attributes:
        from_node: The node that it leaves.
        to_node: The node that is run next.
        route: The routes at which it is followed; None for always.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    from_node: Any
    to_node: Any
    route: RouteValue | list[RouteValue] | None = None

    @property
    def routes(self) -> tuple[RouteValue, ...]:
        """Its routes; none if it is always followed."""
        route = self.route
        return () if route is None else tuple(route) if isinstance(route, list) else (route,)


class Graph(BaseModel):
    """Edges, in the order in which they were written."""

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    edges: list[Edge] = Field(default_factory=list[Edge])

    @property
    def nodes(self) -> list[Any]:
        """The nodes of the edges."""
        return list({id(each): each for edge in self.edges for each in (edge.from_node, edge.to_node)}.values())

    @property
    def terminals(self) -> list[str]:
        """Names of the nodes that no edge leaves."""
        leaving = {edge.from_node.name for edge in self.edges}
        return [node.name for node in self.nodes if node is not START and node.name not in leaving]


def is_node_like(item: Any) -> bool:
    """Whether something can be a node."""
    return isinstance(item, BaseAgent | BaseTool) or callable(item) or item == "START"


def read_edges(items: Iterable[Any], build: Callable[[Any], BaseAgent]) -> Graph:
    """The graph of edges as they are written: as chains or as `Edge` objects.

    A chain is a tuple of nodes. A tuple in it stands for several nodes, a dictionary for nodes by route.

    Args:
        items: The chains.
        build: Makes a node of what stands for one. It is called once for each.

    Raises:
        WorkflowConfigurationError: They cannot be read.
        GraphValidationError: They are no graph that can be run.
    """
    built: dict[int, tuple[Any, BaseAgent]] = {}

    def node(item: Any) -> BaseAgent:
        if item is START or (isinstance(item, str) and item == "START"):
            return START
        if not is_node_like(item):
            raise WorkflowConfigurationError(
                f"{item!r} ({type(item).__name__}) cannot be a node. A node is a node, an agent, a tool or a function."
            )
        if id(item) not in built:
            built[id(item)] = item, build(item)  # the item is kept, so that no other one gets its id
        return built[id(item)][1]

    edges = [
        Edge(from_node=node(source), to_node=node(target), route=route)
        for item in items
        for source, target, route in _edges_of(item)
    ]
    graph = Graph(edges=edges)
    check_graph(graph)
    return graph


def _edges_of(item: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Source, target and route of the edges that an item stands for."""
    if isinstance(item, Edge):
        yield item.from_node, item.to_node, item.route
        return
    if not isinstance(item, tuple):
        raise WorkflowConfigurationError(f"{item!r} is no edge: write a tuple of nodes, or an Edge.")
    chain = cast("tuple[Any, ...]", item)
    for before, after in pairwise(chain):
        if isinstance(before, dict) and isinstance(after, dict):
            raise WorkflowConfigurationError(
                "Consecutive routing maps are not allowed in a chain: write the second one as a chain of its own."
            )
        for source in _flat(before):
            for route, target in _routes(after):
                yield source, target, route


def _flat(element: Any) -> Sequence[Any]:
    """The nodes of one element of a chain."""
    if isinstance(element, dict):
        return [node for _, node in _routes(element)]
    return cast("tuple[Any, ...]", element) if isinstance(element, tuple) else (element,)


def _routes(element: Any) -> list[tuple[Any, Any]]:
    """Route and node of each edge to an element of a chain."""
    if not isinstance(element, dict):
        return [(None, node) for node in _flat(element)]
    routes = cast("dict[Any, Any]", element)
    if not routes:
        raise WorkflowConfigurationError("A routing map must not be empty: name at least one route and its node.")
    if odd := [key for key in routes if not isinstance(key, _ROUTE_KINDS)]:
        raise WorkflowConfigurationError(f"Invalid routing map key: {odd[0]!r}. A route is a text, a number or a boolean.")
    return [(route, node) for route, target in routes.items() for node in _flat(target)]


def check_graph(graph: Graph) -> None:
    """Checks that a graph can be run.

    Raises:
        GraphValidationError: It cannot, and why.
    """
    names: list[str] = [node.name for node in graph.nodes]
    if twice := sorted(name for name, count in Counter(names).items() if count > 1):
        raise GraphValidationError(
            f"Duplicate node names found: {twice}. Two nodes have one name: use one object, or rename."
        )
    if START.name not in names:
        raise GraphValidationError("START node not found: begin a chain with 'START'.")
    for edge in graph.edges:
        if edge.from_node is START and edge.routes:
            raise GraphValidationError(f"Edges from START must not have routes, and that to {edge.to_node.name!r} has one.")
        if edge.to_node is START:
            raise GraphValidationError("START node must not have incoming edges.")
        if isinstance(edge.route, list) and DEFAULT_ROUTE in edge.route:
            raise GraphValidationError(f"DEFAULT_ROUTE cannot be combined with other routes, {_named(edge)}.")
        given, taken = getattr(edge.from_node, "output_schema", None), getattr(edge.to_node, "input_schema", None)
        if given and taken and given != taken:
            raise GraphValidationError(f"Schema mismatch {_named(edge)}: output {given}, input {taken}.")
        target = edge.to_node
        if isinstance(target, LlmAgentSettings) and target.mode == "chat" and edge.from_node is not START:
            raise GraphValidationError(
                f"Agent {target.name!r} with mode='chat' answers the user and takes no input of node "
                f"{edge.from_node.name!r}: put it behind START, or set mode='single_turn'."
            )
    if unreachable := sorted(set(names) - {START.name} - reached(START.name, _after(graph.edges))):
        raise GraphValidationError(f"The following nodes are unreachable from START: {unreachable}.")
    _check_doubles(graph)
    _check_circles(graph)


def reached(name: str, after: Mapping[str, Iterable[str]]) -> set[str]:
    """The nodes that edges lead to from a node; the node itself only if it is in a loop.

    Args:
        name: The node.
        after: The nodes after each node.
    """
    found: set[str] = set()
    left = list(after.get(name, ()))
    while left:
        if (each := left.pop()) not in found:
            found.add(each)
            left.extend(after.get(each, ()))
    return found


def _after(edges: Iterable[Edge]) -> dict[str, list[str]]:
    """The nodes after each node."""
    after: dict[str, list[str]] = {}
    for edge in edges:
        after.setdefault(edge.from_node.name, []).append(edge.to_node.name)
    return after


def _check_doubles(graph: Graph) -> None:
    seen: dict[tuple[str, str], set[Any]] = {}
    for edge in graph.edges:
        routes: set[Any] = set(edge.routes) or {None}
        before = seen.setdefault((edge.from_node.name, edge.to_node.name), set())
        if before & routes or (before and None in before | routes):
            raise GraphValidationError(f"Duplicate edge found, {_named(edge)}.")
        before |= routes


def _check_circles(graph: Graph) -> None:
    """Checks that no circle of edges is followed always."""
    after = _after(edge for edge in graph.edges if not edge.routes)
    done: set[str] = set()
    for start, firsts in after.items():
        path, stack = [start], [iter(firsts)]
        while stack:
            name = next(stack[-1], None)
            if name is None:
                done.add(path.pop())
                stack.pop()
            elif name in path:
                circle = " -> ".join([*path[path.index(name) :], name])
                raise GraphValidationError(
                    f"Unconditional cycle detected: {circle}. Give one of its edges a route, so that it can end."
                )
            elif name not in done:
                path.append(name)
                stack.append(iter(after.get(name, ())))


def _named(edge: Edge) -> str:
    return f"from={edge.from_node.name}, to={edge.to_node.name}"
