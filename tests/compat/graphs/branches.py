"""Fan-out, joins, routes, parallel workers, and what a graph must be."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.compat.graphs.play import Graph


def text(node_input: str):
    return node_input


def a(node_input):
    return f"a({node_input})"


def b(node_input):
    return f"b({node_input})"


def c(node_input):
    return f"c({node_input})"


def end(node_input):
    return dict(sorted(node_input.items())) if isinstance(node_input, dict) else node_input


def fan_out(k, notes):
    join = k.JoinNode(name="join")
    return k.Workflow(name="wf", edges=[("START", text, (a, b, c), join, end)])


def fan_out_from_start(k, notes):
    def one(node_input: str):
        return 1

    def two(node_input: str):
        return 2

    return k.Workflow(name="wf", edges=[("START", (one, two), k.JoinNode(name="join"))])


def slow_and_fast(k, notes):
    def waits(name, seconds):
        async def run(node_input):
            await asyncio.sleep(seconds)
            notes.append(name)
            return name

        return k.node(run, name=name)

    nodes = (waits("slow", 0.5), waits("fast", 0.01), waits("middle", 0.25))
    return k.Workflow(name="wf", edges=[("START", nodes, k.JoinNode(name="join"), end)])


def limited(k, notes):
    def waits(number):
        async def run(node_input):
            notes.append(f"+{number}")
            await asyncio.sleep(0.02)
            notes.append(f"-{number}")
            return number

        return k.node(run, name=f"n{number}")

    nodes = tuple(waits(number) for number in range(4))
    return k.Workflow(name="wf", max_concurrency=1, edges=[("START", nodes, k.JoinNode(name="join"), end)])


def two_levels(k, notes):
    join_1, join_2 = k.JoinNode(name="join_1"), k.JoinNode(name="join_2")
    d, e, first = k.node(a, name="d"), k.node(b, name="e"), k.node(end, name="first")
    return k.Workflow(name="wf", edges=[("START", text, (a, b), join_1, first, c, (d, e), join_2, end)])


def unequal_arms(k, notes):
    d = k.node(lambda node_input: f"d({node_input})", name="d")
    join = k.JoinNode(name="join")
    return k.Workflow(name="wf", edges=[("START", text, (a, b)), (a, d, join), (b, join), (join, end)])


def diamond_without_join(k, notes):
    async def first(node_input):
        await asyncio.sleep(0.02)
        return "first"

    async def second(node_input):
        await asyncio.sleep(0.3)
        return "second"

    return k.Workflow(name="wf", edges=[("START", text, (first, second), end)])


def routes(k, notes):
    def choose(node_input: str):
        return k.Event(route=node_input, output=f"chose {node_input}")

    return k.Workflow(name="wf", edges=[("START", choose, {"left": a, "right": b, "up": c})])


def default_route(k, notes):
    def choose(node_input: str):
        return k.Event(route=node_input)

    return k.Workflow(name="wf", edges=[("START", choose, {"left": a, k.DEFAULT_ROUTE: b})])


def no_route(k, notes):
    return k.Workflow(name="wf", edges=[("START", text, {"left": a, "right": b})])


def route_by_context(k, notes):
    def choose(ctx, node_input: str):
        ctx.route = "right"
        return node_input

    return k.Workflow(name="wf", edges=[("START", choose, {"left": a, "right": b})])


def several_routes(k, notes):
    def choose(node_input):
        return k.Event(route=["left", "up"], output="both")

    return k.Workflow(name="wf", edges=[("START", choose, {"left": a, "right": b, "up": c})])


def boolean_and_number_routes(k, notes):
    def choose(node_input: int):
        return k.Event(route=node_input > 3, output=node_input)

    def number(node_input):
        return k.Event(route=7, output=node_input)

    return k.Workflow(name="wf", edges=[("START", choose, {True: number, False: a}), (number, {7: b, 8: c})])


def edge_with_routes(k, notes):
    def choose(node_input):
        return k.Event(route="two", output="chosen")

    choose, target, other = k.node(choose), k.node(a), k.node(b)
    edges = [("START", choose), k.Edge(from_node=choose, to_node=target, route=["one", "two"])]
    return k.Workflow(name="wf", edges=[*edges, k.Edge(from_node=choose, to_node=other, route="three")])


def route_to_several(k, notes):
    def choose(node_input):
        return k.Event(route="all", output="x")

    return k.Workflow(name="wf", edges=[("START", choose, {"all": (a, b), "none": c}), ((a, b), k.JoinNode(name="join"))])


def route_beside_plain_edge(k, notes):
    def choose(node_input):
        return k.Event(route="left", output="x")

    choose = k.node(choose)
    return k.Workflow(name="wf", edges=[("START", choose, {"left": a, "right": b}), (choose, c)])


def join_after_routes_waits_for_ever(k, notes):
    def choose(node_input):
        return k.Event(route="left", output="x")

    join = k.JoinNode(name="join")
    return k.Workflow(name="wf", edges=[("START", choose, {"left": a, "right": b}), ((a, b), join, end)])


def join_of_start(k, notes):
    join = k.JoinNode(name="join")
    return k.Workflow(name="wf", edges=[("START", (text, join)), (text, join)])


def two_ends(k, notes):
    return k.Workflow(name="wf", edges=[("START", text, (a, b))])


def two_ends_one_silent(k, notes):
    def silent(node_input):
        notes.append(node_input)

    return k.Workflow(name="wf", edges=[("START", text, (a, silent))])


def workers(k, notes):
    def give(node_input):
        return [3, 1, 2]

    @k.node(parallel_worker=True)
    async def square(node_input: int):
        await asyncio.sleep(0.15 * node_input)
        return node_input * node_input

    return k.Workflow(name="wf", edges=[("START", give, square, end)])


def few_workers(k, notes):
    def give(node_input):
        return list(range(5))

    @k.node(parallel_worker=True, max_parallel_workers=2)
    async def run(node_input):
        notes.append(f"+{node_input}")
        await asyncio.sleep(0.1 + 0.15 * node_input)
        notes.append(f"-{node_input}")
        return node_input

    return k.Workflow(name="wf", edges=[("START", give, run)])


def workers_on_nothing(k, notes):
    def give(node_input):
        return []

    return k.Workflow(name="wf", edges=[("START", give, k.node(a, parallel_worker=True), end)])


def workers_on_one(k, notes):
    return k.Workflow(name="wf", edges=[("START", text, k.node(a, parallel_worker=True), end)])


def workers_on_a_message(k, notes):
    return k.Workflow(name="wf", edges=[("START", k.node(a, parallel_worker=True), end)])


def agent_workers(k, notes):
    def give(node_input):
        return ["x", "y"]

    agent = k.LlmAgent(name="worker", model=k.model(lambda sent: f"did {sent[-1]}"), parallel_worker=True)
    return k.Workflow(name="wf", edges=[("START", give, agent, end)])


def no_start(k, notes):
    return k.Workflow(name="wf", edges=[(a, b)])


def unreachable(k, notes):
    return k.Workflow(name="wf", edges=[("START", a), (b, c)])


def same_names(k, notes):
    return k.Workflow(name="wf", edges=[("START", k.node(a, name="x"), k.node(b, name="x"))])


def double_edge(k, notes):
    first, second = k.node(a), k.node(b)
    return k.Workflow(name="wf", edges=[("START", first, second), (first, second)])


def plain_circle(k, notes):
    first, second = k.node(a), k.node(b)
    return k.Workflow(name="wf", edges=[("START", first, second), (second, first)])


def route_from_start(k, notes):
    return k.Workflow(name="wf", edges=[("START", {"x": a})])


GRAPHS: dict[str, Any] = {
    "fan-out": Graph(fan_out),
    "fan-out from START": Graph(fan_out_from_start),
    "slow and fast": Graph(slow_and_fast),
    "limited": Graph(limited),
    "two levels": Graph(two_levels),
    "unequal arms": Graph(unequal_arms),
    "diamond without join": Graph(diamond_without_join),
    "routes": Graph(routes, ["left"]),
    "unknown route": Graph(routes, ["nowhere"]),
    "default route": Graph(default_route, ["nowhere"]),
    "default route not taken": Graph(default_route, ["left"]),
    "no route": Graph(no_route),
    "route by context": Graph(route_by_context),
    "several routes": Graph(several_routes),
    "boolean and number routes": Graph(boolean_and_number_routes, ["5"]),
    "boolean route, false": Graph(boolean_and_number_routes, ["2"]),
    "edge with routes": Graph(edge_with_routes),
    "route to several": Graph(route_to_several),
    "route beside a plain edge": Graph(route_beside_plain_edge),
    "join that waits for ever": Graph(join_after_routes_waits_for_ever),
    "join of START": Graph(join_of_start),
    "two ends": Graph(two_ends),
    "two ends, one silent": Graph(two_ends_one_silent),
    "workers": Graph(workers),
    "few workers": Graph(few_workers),
    "workers on nothing": Graph(workers_on_nothing),
    "workers on one": Graph(workers_on_one),
    "workers on a message": Graph(workers_on_a_message, ['["p", "q"]']),
    "agents as workers": Graph(agent_workers),
    "no START": Graph(no_start),
    "unreachable": Graph(unreachable),
    "same names": Graph(same_names),
    "double edge": Graph(double_edge),
    "plain circle": Graph(plain_circle),
    "route from START": Graph(route_from_start),
}
