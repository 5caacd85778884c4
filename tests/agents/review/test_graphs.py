"""What the review finds in graphs."""

from __future__ import annotations

from typing import Any

from agents import Event, RequestInput, Workflow
from agents.review import review
from agents.workflow import DEFAULT_ROUTE, JoinNode, node


def left(node_input: Any) -> Any:
    return node_input


def right(node_input: Any) -> Any:
    return node_input


def choose(node_input: str) -> Event:
    return Event(output=node_input, route="left" if node_input else "right")


def computed(node_input: str) -> Event:
    return Event(route=node_input)


def by_context(ctx: Any) -> None:
    ctx.route = "left"


def ask(node_input: Any) -> RequestInput:
    return RequestInput(message="Which?")


def helped(node_input: Any) -> Event:
    return computed(node_input)


def found(*edges: Any) -> list[tuple[str, str]]:
    return [(finding.rule.id, finding.agent) for finding in review(Workflow(name="graph", edges=list(edges)))]


def test_a_graph_in_order_has_no_finding():
    assert found(("START", choose, {"left": left, "right": right})) == []
    assert found(("START", computed, {"left": left, DEFAULT_ROUTE: right})) == []
    assert found(("START", (left, right), JoinNode(name="join"))) == []
    assert found(("START", helped, {"left": left, "right": right})) == []


def test_a_join_of_alternatives_never_runs():
    join = JoinNode(name="join")
    assert found(("START", choose, {"left": left, "right": right}), ((left, right), join)) == [("join-never-runs", "join")]


def test_a_join_of_alternatives_in_a_loop_may_run():
    join, again = JoinNode(name="join"), node(choose)
    assert found(("START", again, {"left": left, "right": right}), (left, again), ((left, right), join)) == []


def test_a_route_that_nobody_gives():
    assert found(("START", choose, {"left": left, "rihgt": right})) == [
        ("route-never-given", "choose"),
        ("route-never-taken", "choose"),
    ]
    assert found(("START", by_context, {"left": left, "right": right})) == [("route-never-given", "by_context")]
    assert found(("START", ask, {"yes": left})) == [("route-never-given", "ask")]


def test_a_route_that_no_edge_takes():
    assert found(("START", choose, {"left": left})) == [("route-never-taken", "choose")]
    assert found(("START", choose, {"left": left, DEFAULT_ROUTE: right})) == []


def test_a_loop_that_nothing_ends():
    again = node(choose)
    assert found(("START", again, {"left": left, "right": right}), ((left, right), again)) == [("endless-graph", "choose")]
    assert found(("START", node(computed), {"left": left}), (left, right)) == []
