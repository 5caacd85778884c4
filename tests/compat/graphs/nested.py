"""Graphs in graphs, and nodes that a node's code runs."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.compat.graphs.play import Graph


def text(node_input: str):
    return node_input


def end(node_input):
    return f"end {node_input}"


def add(node_input):
    return node_input + 1


def len_of(node_input):
    return len(node_input)


def graph_in_graph(k, notes):
    inner = k.Workflow(name="inner", edges=[("START", text, k.node(lambda node_input: node_input * 2, name="twice"))])
    return k.Workflow(name="wf", edges=[("START", inner, end)])


def three_levels(k, notes):
    deep = k.Workflow(name="deep", edges=[("START", text, k.node(end, name="deep_end"))])
    middle = k.Workflow(name="middle", edges=[("START", deep, k.node(end, name="middle_end"))])
    return k.Workflow(name="wf", edges=[("START", middle, end)])


def graph_at_the_end(k, notes):
    inner = k.Workflow(name="inner", edges=[("START", end)])
    return k.Workflow(name="wf", edges=[("START", text, inner)])


def graphs_in_parallel(k, notes):
    def inner(name):
        return k.Workflow(name=name, edges=[("START", k.node(lambda node_input: name, name=f"{name}_step"))])

    def sink(node_input):
        return dict(sorted(node_input.items()))

    return k.Workflow(name="wf", edges=[("START", (inner("one"), inner("two")), k.JoinNode(name="join"), sink)])


def graph_in_loop(k, notes):
    def bump(ctx):
        ctx.state["n"] = ctx.state.get("n", 0) + 1
        return ctx.state["n"]

    def check(node_input):
        return k.Event(output=node_input, route="again" if node_input < 3 else "end")

    inner = k.Workflow(name="inner", edges=[("START", bump)])
    return k.Workflow(name="wf", edges=[("START", inner, check, {"again": inner, "end": end})])


def same_names_in_graphs(k, notes):
    inner = k.Workflow(name="inner", edges=[("START", text)])
    return k.Workflow(name="wf", edges=[("START", k.node(text), inner)])


def fan_out_in_graph(k, notes):
    def one(node_input):
        return 1

    def two(node_input):
        return 2

    def total(node_input):
        return sum(node_input.values())

    inner = k.Workflow(name="inner", edges=[("START", (one, two), k.JoinNode(name="join"), total)])
    return k.Workflow(name="wf", edges=[("START", inner, add)])


def dynamic(k, notes):
    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input: str):
        first = await ctx.run_node(k.node(end, name="helper"), node_input)
        return [first, await ctx.run_node(k.node(end, name="helper"), first)]

    return k.Workflow(name="wf", edges=[("START", boss, k.node(len_of, name="last"))])


def dynamic_function(k, notes):
    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        return await ctx.run_node(add, 1)

    return k.Workflow(name="wf", edges=[("START", boss)])


def dynamic_as_output(k, notes):
    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        return await ctx.run_node(add, 1, use_as_output=True)

    return k.Workflow(name="wf", edges=[("START", boss, end)])


def dynamic_loop(k, notes):
    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        value = 0
        while value < 3:
            value = await ctx.run_node(add, value)
        return value

    return k.Workflow(name="wf", edges=[("START", boss)])


def dynamic_in_parallel(k, notes):
    async def wait(node_input):
        await asyncio.sleep(0.15 * (3 - node_input))
        return node_input * 10

    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        return await asyncio.gather(*(ctx.run_node(wait, number) for number in range(3)))

    return k.Workflow(name="wf", edges=[("START", boss)])


def dynamic_agent(k, notes):
    agent = k.LlmAgent(name="helper", model=k.model(lambda sent: f"heard {sent[-1]}"))

    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        return await ctx.run_node(agent, "the question")

    return k.Workflow(name="wf", edges=[("START", boss, end)])


def dynamic_graph(k, notes):
    inner = k.Workflow(name="inner", edges=[("START", k.node(add, name="one"), k.node(add, name="two"))])

    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        return await ctx.run_node(inner, 1)

    return k.Workflow(name="wf", edges=[("START", boss, end)])


def dynamic_without_rerun(k, notes):
    async def boss(ctx, node_input):
        return await ctx.run_node(add, 1)

    return k.Workflow(name="wf", edges=[("START", boss)])


def dynamic_fails(k, notes):
    def fail(node_input):
        raise ValueError("broken")

    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        return await ctx.run_node(fail, 1)

    return k.Workflow(name="wf", edges=[("START", boss)])


def dynamic_failure_caught(k, notes):
    def fail(node_input):
        raise ValueError("broken")

    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        try:
            await ctx.run_node(fail, 1)
        except Exception as error:
            return type(error).__name__

    return k.Workflow(name="wf", edges=[("START", boss)])


def dynamic_retried(k, notes):
    def good(node_input):
        notes.append("good")
        return "good"

    def flaky(node_input):
        notes.append("flaky")
        if notes.count("flaky") < 2:
            raise ValueError("once")
        return "flaky"

    @k.node(rerun_on_resume=True, retry_config=k.RetryConfig(initial_delay=0.001, jitter=0.0))
    async def boss(ctx, node_input):
        return [await ctx.run_node(good, 1), await ctx.run_node(flaky, 1)]

    return k.Workflow(name="wf", edges=[("START", boss)])


def dynamic_asks(k, notes):
    def ask(node_input):
        return k.RequestInput(interrupt_id="q", message="Which?")

    def first(node_input):
        notes.append("first")
        return "first"

    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        before = await ctx.run_node(first)
        return [before, await ctx.run_node(ask)]

    return k.Workflow(name="wf", edges=[("START", boss, k.node(lambda node_input: node_input, name="last"))])


def dynamic_named_run(k, notes):
    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        return [await ctx.run_node(add, 1, run_id="first"), await ctx.run_node(add, 2, run_id="second")]

    return k.Workflow(name="wf", edges=[("START", boss)])


def dynamic_in_own_branch(k, notes):
    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        return await ctx.run_node(add, 1, use_sub_branch=True)

    return k.Workflow(name="wf", edges=[("START", boss)])


def state_across(k, notes):
    def write(ctx):
        ctx.state["deep"] = ctx.node_path

    def read(deep):
        return deep

    inner = k.Workflow(name="inner", edges=[("START", write)])
    return k.Workflow(name="wf", edges=[("START", inner, read)])


GRAPHS: dict[str, Any] = {
    "graph in a graph": Graph(graph_in_graph),
    "three levels": Graph(three_levels),
    "graph at the end": Graph(graph_at_the_end),
    "graphs in parallel": Graph(graphs_in_parallel),
    "graph in a loop": Graph(graph_in_loop),
    "same names": Graph(same_names_in_graphs),
    "fan-out in a graph": Graph(fan_out_in_graph),
    "dynamic": Graph(dynamic),
    "dynamic function": Graph(dynamic_function),
    "dynamic as output": Graph(dynamic_as_output),
    "dynamic loop": Graph(dynamic_loop),
    "dynamic in parallel": Graph(dynamic_in_parallel),
    "dynamic agent": Graph(dynamic_agent),
    "dynamic graph": Graph(dynamic_graph),
    "dynamic without rerun_on_resume": Graph(dynamic_without_rerun),
    "dynamic fails": Graph(dynamic_fails),
    "dynamic failure caught": Graph(dynamic_failure_caught),
    "dynamic retried": Graph(dynamic_retried),
    "dynamic asks": Graph(dynamic_asks, ["go", {"q": {"result": "that"}}]),
    "named runs": Graph(dynamic_named_run),
    "own branch": Graph(dynamic_in_own_branch),
    "state across graphs": Graph(state_across),
}
