"""Graphs: joins that wait for ever, routes that nobody gives or takes, loops without an end."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

from agents.agent import BaseAgent
from agents.llm.llm_agent import LlmAgent
from agents.review.finding import Place, Rule
from agents.review.team_view import TeamView
from agents.teams.graphs.nodes import ChoiceNode, QuestionNode
from agents.workflow import DEFAULT_ROUTE, FunctionNode, JoinNode, Workflow
from agents.workflow.graph import reached
from agents.workflow.nodes.tool_node import ToolNode

_UNKNOWN = object()
"""Stands for a route that code computes."""


def _waits_for_ever(team: TeamView) -> Iterator[Place]:
    for graph in _graphs(team):
        sources = _sources(graph)
        circles = _circles(graph)
        for join in graph.plan.joins:
            chosen: dict[str, list[tuple[str, frozenset[Any]]]] = {}
            for before in graph.plan.before[join]:
                ways = sources.get(before, [])
                if len(ways) == 1 and ways[0][1] and not any(ways[0][0] in circle for circle in circles):
                    chosen.setdefault(ways[0][0], []).append((before, frozenset(ways[0][1])))
            for chooser, ways in chosen.items():
                apart = [(a, b) for i, (a, of_a) in enumerate(ways) for b, of_b in ways[i + 1 :] if not of_a & of_b]
                if apart:
                    first, second = apart[0]
                    yield Place(
                        join,
                        "edges",
                        f"This join waits for {first} and {second}, and {chooser} chooses one of them: it never runs. Lead "
                        "both to an ordinary node instead, which is run after either.",
                    )


def _nobody_gives(team: TeamView) -> Iterator[Place]:
    for graph in _graphs(team):
        for node in graph.sub_agents:
            given = _routes_of(node)
            if given is None:
                continue
            for target, routes in graph.plan.after.get(node.name, ()):
                if missing := [route for route in routes if route != DEFAULT_ROUTE and route not in given]:
                    yield Place(
                        node.name,
                        "edges",
                        f"The edge to {target} is for the route {missing[0]!r}, and {node.name} never gives it. "
                        + (f"It gives {_listed(given)}." if given else _no_route(node)),
                    )


def _nobody_takes(team: TeamView) -> Iterator[Place]:
    for graph in _graphs(team):
        for node in graph.sub_agents:
            edges = graph.plan.after.get(node.name, [])
            taken = {route for _, routes in edges for route in routes}
            if not taken or DEFAULT_ROUTE in taken or any(not routes for _, routes in edges):
                continue
            for route in sorted(_routes_of(node) or (), key=repr):
                if route not in taken:
                    yield Place(
                        node.name,
                        "edges",
                        f"{node.name} gives the route {route!r}, and no edge takes it: the graph ends there. Its edges are "
                        f"for {_listed(taken)}. Add one, or an edge for DEFAULT_ROUTE.",
                    )


def _no_route(node: BaseAgent) -> str:
    if isinstance(node, LlmAgent):
        return "An agent's answer is no route: put a ChoiceNode after it, or let a tool set `tool_context.actions.route`."
    return "It gives no route: only events have one."


def _unreached(team: TeamView) -> Iterator[Place]:
    for graph in _graphs(team):
        for node in graph.sub_agents:
            if node.name not in graph.plan.before:
                yield Place(
                    node.name,
                    "edges",
                    f"No way leads from START to {node.name}, so it is never run. Add an edge to it, or remove it.",
                )


def _endless(team: TeamView) -> Iterator[Place]:
    for graph in _graphs(team):
        for circle in _circles(graph):
            nodes = {node.name: node for node in graph.sub_agents if node.name in circle}
            if all(_stays(graph, node, circle) for node in nodes.values()):
                first = next(iter(nodes))
                yield Place(
                    first,
                    "edges",
                    f"Nothing ends the loop of {', '.join(nodes)}: every route that they give leads back into it. Let one "
                    "of them give a route that leads out of it.",
                )


def _stays(graph: Workflow, node: BaseAgent, circle: set[str]) -> bool:
    """Whether all that a node gives leads back into a circle."""
    given = _routes_of(node)
    edges = graph.plan.after.get(node.name, [])
    if given is None:
        return all(not routes for _, routes in edges)
    return all(any(target in circle for target in graph.plan.targets(node.name, route)) for route in given or {None})


def _graphs(team: TeamView) -> list[Workflow]:
    return [agent for agent in team.agents if isinstance(agent, Workflow)]


def _sources(graph: Workflow) -> dict[str, list[tuple[str, tuple[Any, ...]]]]:
    """The edges to each node, as the node before and the routes."""
    found: dict[str, list[tuple[str, tuple[Any, ...]]]] = {}
    for source, edges in graph.plan.after.items():
        for target, routes in edges:
            found.setdefault(target, []).append((source, routes))
    return found


def _circles(graph: Workflow) -> list[set[str]]:
    """The nodes of each loop; those of loops that share a node together."""
    after = {source: {target for target, _ in edges} for source, edges in graph.plan.after.items()}
    below = {name: reached(name, after) for name in after}
    circles: list[set[str]] = []
    for name in after:
        circle = {other for other in below[name] if name in below.get(other, ())}
        if name in below[name] and circle not in circles:
            circles.append(circle)
    return circles


def _routes_of(node: BaseAgent) -> set[Any] | None:
    """The routes that a node gives, as its code has them in place; None if that cannot be told."""
    if isinstance(node, JoinNode | ToolNode):
        return set()
    if isinstance(node, ChoiceNode | QuestionNode):
        return set(node.options) or None
    if type(node) is LlmAgent and not node.tools and not any(_callbacks(node)):
        return set()
    if not isinstance(node, FunctionNode):
        return None
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(node.func)))
    except (OSError, TypeError, SyntaxError):
        return None
    parts = list(ast.walk(tree))
    given = {value for part in parts for value in _given(part)}
    return None if _UNKNOWN in given or (not given and any(map(_may_give, parts))) else given


def _callbacks(agent: BaseAgent) -> Iterator[Any]:
    return (getattr(agent, name) for name in type(agent).model_fields if name.endswith("_callback"))


def _given(part: ast.AST) -> list[Any]:
    """The routes that a piece of code gives."""
    match part:
        case ast.keyword(arg="route", value=value):
            return _values(value)
        case ast.Assign(targets=[ast.Attribute(attr="route")], value=value):
            return _values(value)
        case ast.keyword(arg="actions" | None):  # a route may be in there
            return [_UNKNOWN]
        case _:
            return []


def _may_give(part: ast.AST) -> bool:
    """Whether a piece of code calls something that may make an event."""
    if not isinstance(part, ast.Call):
        return False
    called = part.func
    return not (isinstance(called, ast.Name | ast.Attribute) and ast.unparse(called).endswith(("Event", "RequestInput")))


def _values(value: ast.expr) -> list[Any]:
    match value:
        case ast.Constant(value=None):
            return []
        case ast.Constant(value=found):
            return [found]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_values(body), *_values(orelse)]
        case ast.List(elts=items):
            return [each for item in items for each in _values(item)]
        case _:
            return [_UNKNOWN]


def _listed(routes: set[Any]) -> str:
    return ", ".join(sorted(map(repr, routes)))


RULES = (
    Rule(
        "join-never-runs",
        "error",
        "A join waits for every node before it. Of nodes that a route chooses between, only one is run.",
        _waits_for_ever,
    ),
    Rule(
        "node-unreached",
        "warning",
        "A node is run when an edge leads to it. One without is left over, or an edge is missing.",
        _unreached,
    ),
    Rule(
        "route-never-given",
        "error",
        "An edge with a route is followed only if the node before it gives that route. One that is never given is often a "
        "misspelled one.",
        _nobody_gives,
    ),
    Rule(
        "route-never-taken",
        "warning",
        "A route that no edge takes ends the graph at that node, and nothing says so.",
        _nobody_takes,
    ),
    Rule(
        "endless-graph",
        "error",
        "A loop in a graph runs until a route leads out of it. One that nothing ends runs until the run's limit stops it.",
        _endless,
    ),
)
