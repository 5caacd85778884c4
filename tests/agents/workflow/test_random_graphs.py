"""Random graphs: they end, no node runs without its trigger, and a join runs once a round."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agents import Event, InMemoryRunner, Workflow
from agents.workflow import START, Edge, JoinNode, WorkflowConfigurationError, node
from tests.agents.stage import USER, user

MOST_RUNS = 60
"""Runs after which each node gives the route that ends its loop."""


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[tuple[int, int, str | None]], set[int], dict[int, str], int | None]:
    """Edges between numbered nodes (0 is START), which of them are joins, their routes, and the most at a time."""
    count = draw(st.integers(2, 7))
    ends = st.tuples(st.integers(0, count), st.integers(1, count), st.sampled_from([None, None, "a", "b"]))
    edges = {(source, target): route for source, target, route in draw(st.lists(ends, min_size=count, max_size=14))}
    for target in range(1, count + 1):  # each is reached
        edges.setdefault((draw(st.integers(0, target - 1)), target), None)
    listed = [
        (source, target, None if not source else route or ("a" if source >= target else None))
        for (source, target), route in edges.items()
    ]
    joins = draw(st.sets(st.integers(1, count), max_size=2))
    routes = {number: draw(st.sampled_from("aab")) for number in range(1, count + 1)}
    return listed, joins, routes, draw(st.sampled_from([None, None, 1, 2]))


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_random_graphs(drawn: Any) -> None:
    edges, joins, routes, most = drawn
    began: Counter[int] = Counter()

    def made(number: int) -> Any:
        if number == 0:
            return START
        if number in joins:
            return JoinNode(name=f"n{number}")

        async def run(node_input: Any) -> Event:
            began[number] += 1
            await asyncio.sleep(0)
            ends = sum(began.values()) > MOST_RUNS
            return Event(output=number, route="none" if ends else routes[number])

        return node(run, name=f"n{number}")

    nodes = {number: made(number) for edge in edges for number in edge[:2]}
    listed = [Edge(from_node=nodes[source], to_node=nodes[target], route=route) for source, target, route in edges]
    try:
        graph = Workflow(name="graph", edges=listed, max_concurrency=most)
    except ValidationError:
        return
    order = asyncio.run(asyncio.wait_for(_ran(graph), 20))
    assert len(order) < 50 * MOST_RUNS
    _check(order, edges, joins, most)


async def _ran(graph: Workflow) -> list[tuple[str, int, Any]]:
    """What the log tells: starts and ends of nodes, with the route that an end gave."""
    runner = InMemoryRunner(graph)
    session = await runner.session_service.create_session(app_name=runner.app_name, user_id=USER)
    with suppress(WorkflowConfigurationError):  # several nodes gave the output
        async for _ in runner.run_async(user_id=USER, session_id=session.id, new_message=user("go")):
            pass
    route: dict[str, Any] = {}
    order: list[tuple[str, int, Any]] = []
    for entry in await runner.session_service.read_log(app_name=runner.app_name, user_id=USER, session_id=session.id):
        body = entry.fields()
        if entry.kind == "event" and "node_info" in body:
            route[body["node_info"]["path"]] = body.get("actions", {}).get("route")
        elif entry.kind in ("agent_started", "agent_finished") and "/" in body["node"]:
            assert body.get("outcome", "ok") == "ok"
            order.append((entry.kind, int(body["agent"][1:]), route.get(body["node"])))
    return order


def _check(order: list[tuple[str, int, Any]], edges: Any, joins: set[int], most: int | None) -> None:
    """Plays the order again by hand."""
    after: dict[int, list[tuple[int, str | None]]] = defaultdict(list)
    before: dict[int, set[int]] = defaultdict(set)
    for source, target, route in edges:
        after[source].append((target, route))
        before[target].add(source)
    due: dict[int, int] = {}
    arrived: dict[int, set[int]] = defaultdict(set)
    chosen: set[int] = set()
    running: set[int] = set()

    def lead_on(source: int, gave: Any) -> None:
        for target, route in after[source]:
            if route not in (None, gave):
                continue
            if target not in joins:
                due[target] = due.get(target, 0) + 1
                continue
            arrived[target].add(source)
            if arrived[target] | {0} >= before[target] and not (before[target] & (chosen | running)):
                due[target] = due.get(target, 0) + 1
                arrived[target] = set()
        _choose(due, chosen, running, most)

    lead_on(0, None)
    for kind, number, gave in order:
        if kind == "agent_started":
            assert number in chosen, f"{number} ran without its trigger, or twice at a time"
            chosen.remove(number)
            running.add(number)
        else:
            running.discard(number)
            lead_on(number, gave)
    assert not running
    assert not chosen
    assert not due, "a node that was due has not run"


def _choose(due: dict[int, int], chosen: set[int], running: set[int], most: int | None) -> None:
    """Takes the nodes that are to start now. Their start is told a little later: others may end before."""
    for number in list(due):
        if number not in chosen | running and (most is None or len(chosen | running) < most):
            chosen.add(number)
            due[number] -= 1
            if not due[number]:
                del due[number]
