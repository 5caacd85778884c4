"""Loops and joins: routes, counters, joins inside of loops, nodes that give several outputs or wait for one."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.compat.graphs.play import Graph


def end(node_input):
    return f"end {node_input}"


def text(node_input: str):
    return node_input


def merge(node_input):
    return dict(sorted(node_input.items()))


def last(k, name="last"):
    return k.node(lambda node_input: [node_input], name=name)


def agent(k, name):
    return k.LlmAgent(name=name, model=k.model(lambda sent: f"<{sent[-1]}>"))


def begin(ctx):
    ctx.state["n"] = 0
    return "begin"


def work(ctx, node_input, n: int):
    ctx.state["n"] = n + 1
    return f"work {n + 1}"


def done(node_input, n: int):
    return f"done after {n}"


def check_at(k, most):
    def check(node_input, n: int):
        return k.Event(output=node_input, route="again" if n < most else "end")

    return k.node(check)


def loop(k, notes):
    step = k.node(work)
    return k.Workflow(name="wf", edges=[("START", begin, step, check_at(k, 3), {"again": step, "end": done})])


def self_loop(k, notes):
    def turn(ctx, node_input):
        ctx.state["n"] = ctx.state.get("n", 0) + 1
        ctx.route = "again" if ctx.state["n"] < 4 else "end"
        return ctx.state["n"]

    turn = k.node(turn)
    return k.Workflow(name="wf", edges=[("START", turn, {"again": turn, "end": done})])


def join_in_loop(k, notes):
    def left(node_input, n: int):
        return f"left {n}"

    def right(node_input, n: int):
        return f"right {n}"

    def merge(node_input):
        return sorted(node_input.values())

    step, join = k.node(work), k.JoinNode(name="join")
    edges = [("START", begin, step, (left, right), join, merge, check_at(k, 3), {"again": step, "end": done})]
    return k.Workflow(name="wf", edges=edges)


def join_with_one_arm_looping(k, notes):
    def turn(ctx, node_input):
        ctx.state["t"] = ctx.state.get("t", 0) + 1
        return k.Event(output=ctx.state["t"], route="again" if ctx.state["t"] < 3 else "out")

    def other(node_input):
        return "other"

    def sink(node_input):
        return dict(sorted(node_input.items()))

    turn, join = k.node(turn), k.JoinNode(name="join")
    return k.Workflow(name="wf", edges=[("START", (turn, other)), (turn, {"again": turn, "out": join}), (other, join, sink)])


def nested_loops(k, notes):
    def outer(ctx):
        ctx.state["o"] = ctx.state.get("o", 0) + 1
        ctx.state["i"] = 0

    def inner(ctx):
        ctx.state["i"] += 1
        return f"{ctx.state['o']}.{ctx.state['i']}"

    def check(ctx, node_input):
        if ctx.state["i"] < 2:
            return k.Event(output=node_input, route="inner")
        return k.Event(output=node_input, route="outer" if ctx.state["o"] < 2 else "end")

    outer, inner = k.node(outer), k.node(inner)
    edges = [("START", outer, inner, check, {"inner": inner, "outer": outer, "end": lambda_end(k)})]
    return k.Workflow(name="wf", edges=edges)


def lambda_end(k):
    return k.node(lambda node_input: f"end {node_input}", name="finish")


def waits_for_output(k, notes):
    class Gather(k.BaseNode):
        wait_for_output: bool = True

        async def _run_impl(self, *, ctx, node_input):
            got = [*ctx.state.get("got", []), node_input]
            ctx.state["got"] = got
            if len(got) == 3:
                yield got

    def one(node_input):
        return 1

    def two(node_input):
        return 2

    def three(node_input):
        return 3

    return k.Workflow(name="wf", edges=[("START", (one, two, three), Gather(name="gather"), lambda_end(k))])


def agent_in_loop(k, notes):
    def say(sent):
        notes.append(sent[-1])
        return f"draft {len(notes)}"

    writer = k.LlmAgent(name="writer", model=k.model(say), output_key="draft")

    def judge(node_input: str):
        return k.Event(output=f"better than {node_input}", route="good" if node_input.endswith("3") else "bad")

    writer_node = k.node(writer)
    return k.Workflow(name="wf", edges=[("START", writer_node, judge, {"bad": writer_node, "good": lambda_end(k)})])


def triggered_twice(k, notes):
    def one(node_input):
        return 1

    def two(node_input):
        return 2

    def sink(node_input):
        notes.append(node_input)

    return k.Workflow(name="wf", edges=[("START", (one, two), sink)])


def join_in_loop_with_state(k, notes):
    def begin(ctx, node_input):
        ctx.state["round"] = ctx.state.get("round", 0) + 1
        return ctx.state["round"]

    left, right = (k.node(lambda node_input, name=name: f"{name}{node_input}", name=name) for name in ("left", "right"))
    join = k.JoinNode(name="join")

    def judge(ctx, node_input):
        notes.append(merge(node_input))
        return k.Event(output=merge(node_input), route="again" if ctx.state["round"] < 3 else "end")

    begin = k.node(begin)
    return k.Workflow(name="wf", edges=[("START", begin, (left, right), join, judge, {"again": begin, "end": end})])


def join_in_loop_one_arm_longer(k, notes):
    def begin(ctx, node_input):
        ctx.state["round"] = ctx.state.get("round", 0) + 1
        return ctx.state["round"]

    async def slow(node_input):
        await asyncio.sleep(0.02)
        return node_input

    fast, more = k.node(lambda node_input: node_input, name="fast"), k.node(lambda node_input: node_input * 10, name="more")
    slow, begin = k.node(slow), k.node(begin)
    join = k.JoinNode(name="join")

    def judge(ctx, node_input):
        return k.Event(output=merge(node_input), route="again" if ctx.state["round"] < 2 else "end")

    edges = [("START", begin), (begin, fast, join), (begin, slow, more, join), (join, judge, {"again": begin, "end": end})]
    return k.Workflow(name="wf", edges=edges)


def join_after_routes(k, notes):
    def choose(node_input):
        return k.Event(output=1, route=["a", "b"])

    a, b = last(k, "a"), last(k, "b")
    join = k.JoinNode(name="join")
    return k.Workflow(name="wf", edges=[("START", choose, {"a": a, "b": b}), ((a, b), join, merge)])


def join_after_one_route(k, notes):
    def choose(node_input):
        return k.Event(output=1, route="a")

    a, b = last(k, "a"), last(k, "b")
    return k.Workflow(name="wf", edges=[("START", choose, {"a": a, "b": b}), ((a, b), k.JoinNode(name="join"), merge)])


def join_of_joins(k, notes):
    one, two, three, four = (k.node(lambda node_input, n=n: n, name=f"n{n}") for n in range(4))
    first, second, both = (k.JoinNode(name=name) for name in ("first", "second", "both"))
    edges = [("START", (one, two), first), ("START", (three, four), second), ((first, second), both, merge)]
    return k.Workflow(name="wf", edges=edges)


def join_of_graph_and_agent(k, notes):
    async def slow(node_input: str):
        await asyncio.sleep(0.05)
        return node_input

    inner = k.Workflow(name="inner", edges=[("START", slow)])
    return k.Workflow(name="wf", edges=[("START", (inner, agent(k, "writer")), k.JoinNode(name="join"), merge)])


def join_at_the_end(k, notes):
    one, two = last(k, "one"), last(k, "two")
    return k.Workflow(name="wf", edges=[("START", text, (one, two), k.JoinNode(name="join"))])


def join_with_failure(k, notes):
    async def slow(node_input):
        await asyncio.sleep(1)
        notes.append("slow")

    def fails(node_input):
        raise LookupError("no")

    return k.Workflow(name="wf", edges=[("START", (slow, fails), k.JoinNode(name="join"), merge)])


def join_with_retry(k, notes):
    async def flaky(ctx, node_input):
        notes.append(ctx.attempt_count)
        if ctx.attempt_count < 3:
            raise LookupError("no")
        return "flaky"

    async def steady(node_input):
        await asyncio.sleep(0.15)
        return "steady"

    retry = k.RetryConfig(initial_delay=0.001, backoff_factor=2, jitter=0.0, exceptions=["ValueError", LookupError])
    nodes = (k.node(flaky, retry_config=retry), steady)
    return k.Workflow(name="wf", edges=[("START", nodes, k.JoinNode(name="join"), merge)])


def default_route_in_a_loop(k, notes):
    def count(ctx, node_input):
        ctx.state["n"] = n = ctx.state.get("n", 0) + 1
        return k.Event(output=n, route="done" if n > 2 else f"other{n}")

    count = k.node(count)
    return k.Workflow(name="wf", edges=[("START", count, {"done": end, "__DEFAULT__": count})])


def default_beside_plain(k, notes):
    def choose(node_input):
        return k.Event(output=1, route="none")

    choose = k.node(choose)
    always, other, named = last(k, "always"), last(k, "other"), last(k, "named")
    log = k.node(lambda node_input: notes.append([node_input]), name="log")
    edges = [("START", choose), (choose, always, log), (choose, {"named": named, k.DEFAULT_ROUTE: other})]
    return k.Workflow(name="wf", edges=edges)


def default_at_no_route(k, notes):
    return k.Workflow(name="wf", edges=[("START", text, {"a": last(k, "a"), k.DEFAULT_ROUTE: last(k, "other")})])


def routes_out_of_a_graph(k, notes):
    inner = k.Workflow(name="inner", edges=[("START", k.node(lambda node_input: k.Event(output=1, route="b"), name="pick"))])
    return k.Workflow(name="wf", edges=[("START", inner, {"a": last(k, "a"), "b": last(k, "b")})])


def graph_default_route(k, notes):
    inner = k.Workflow(name="inner", edges=[("START", k.node(text, name="inner_text"))])
    return k.Workflow(name="wf", edges=[("START", inner, {"a": last(k, "a"), k.DEFAULT_ROUTE: last(k, "other")})])


def number_route_as_text(k, notes):
    def choose(node_input):
        return k.Event(output=1, route=2)

    return k.Workflow(name="wf", edges=[("START", choose, {"2": last(k, "words"), k.DEFAULT_ROUTE: last(k, "other")})])


def start_tuples(k, notes):
    one, two, three = (k.node(text, name=name) for name in ("one", "two", "three"))
    log = k.node(lambda node_input: notes.append([node_input]), name="log")
    return k.Workflow(name="wf", edges=[("START", (one, two)), ("START", three), ((one, two, three), log)])


def generator_of_several_outputs(k, notes):
    def run(node_input):
        yield 1
        yield 2

    return k.Workflow(name="wf", edges=[("START", run, end)])


def generator_routes_twice(k, notes):
    def run(node_input):
        yield k.Event(route="a")
        yield k.Event(output=1, route="b")

    return k.Workflow(name="wf", edges=[("START", run, {"a": last(k, "a"), "b": last(k, "b")})])


def generator_fails_after_output(k, notes):
    def run(node_input):
        yield 1
        raise ValueError("late")

    return k.Workflow(name="wf", edges=[("START", run, end)])


def generator_retried(k, notes):
    def run(ctx, node_input):
        yield k.Event(message=f"try {ctx.attempt_count}", state={"tries": ctx.attempt_count})
        if ctx.attempt_count < 2:
            raise ValueError("once")
        yield "done"

    retry = k.RetryConfig(max_attempts=2, initial_delay=0.001, jitter=0.0)
    return k.Workflow(name="wf", edges=[("START", k.node(run, retry_config=retry), end)])


def waits_for_output_with_state(k, notes):
    class Gather(k.BaseNode):
        wait_for_output: bool = True

        async def _run_impl(self, *, ctx, node_input):
            got = [*ctx.state.get("got", []), node_input]
            ctx.state["got"] = got
            if len(got) == 2:
                yield sorted(got)

    one, two = (k.node(lambda node_input, n=n: n, name=f"n{n}") for n in (1, 2))
    gather = Gather(name="gather")
    return k.Workflow(name="wf", edges=[("START", (one, two), gather, end)])


def timeout_then_default(k, notes):
    async def slow(ctx, node_input):
        notes.append(ctx.attempt_count)
        await asyncio.sleep(5 if ctx.attempt_count < 3 else 0)
        return "in time"

    retry = k.RetryConfig(max_attempts=3, initial_delay=0.001, jitter=0.0, exceptions=["NodeTimeoutError"])
    return k.Workflow(name="wf", edges=[("START", k.node(slow, timeout=0.1, retry_config=retry), end)])


GRAPHS: dict[str, Any] = {
    "loop": Graph(loop),
    "loop, two messages": Graph(loop, ["one", "two"]),
    "self loop": Graph(self_loop),
    "join in a loop": Graph(join_in_loop),
    "join with one arm that loops": Graph(join_with_one_arm_looping),
    "nested loops": Graph(nested_loops),
    "waits for output": Graph(waits_for_output),
    "agent in a loop": Graph(agent_in_loop),
    "triggered twice": Graph(triggered_twice),
    "join in loop with state": Graph(join_in_loop_with_state),
    "join in loop one arm longer": Graph(join_in_loop_one_arm_longer),
    "join after routes": Graph(join_after_routes),
    "join after one route": Graph(join_after_one_route),
    "join of joins": Graph(join_of_joins),
    "join of graph and agent": Graph(join_of_graph_and_agent),
    "join at the end": Graph(join_at_the_end),
    "join with failure": Graph(join_with_failure),
    "join with retry": Graph(join_with_retry),
    "default route in a loop": Graph(default_route_in_a_loop),
    "default beside plain": Graph(default_beside_plain),
    "default at no route": Graph(default_at_no_route),
    "routes out of a graph": Graph(routes_out_of_a_graph),
    "graph default route": Graph(graph_default_route),
    "number route as text": Graph(number_route_as_text),
    "start tuples": Graph(start_tuples),
    "generator of several outputs": Graph(generator_of_several_outputs),
    "generator routes twice": Graph(generator_routes_twice),
    "generator fails after output": Graph(generator_fails_after_output),
    "generator retried": Graph(generator_retried),
    "waits for output with state": Graph(waits_for_output_with_state),
    "timeout then default": Graph(timeout_then_default),
}
