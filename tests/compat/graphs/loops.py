"""Loops: with routes, counters, joins inside of them, and nodes that wait for an output."""

from __future__ import annotations

from typing import Any

from tests.compat.graphs.play import Graph


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
}
