"""Nodes that run others: parallel workers, dynamic nodes, retries and time limits of them."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import BaseModel

from tests.compat.graphs.play import Graph


class Part(BaseModel):
    name: str
    size: int = 1


def end(node_input):
    return f"end {node_input}"


def numbers(node_input):
    return [1, 2, 3]


def worker_gives_nothing(k, notes):
    @k.node(parallel_worker=True)
    def odd(node_input):
        return node_input if node_input % 2 else None

    return k.Workflow(name="wf", edges=[("START", numbers, odd, end)])


def workers_of_models(k, notes):
    def parts(node_input) -> list[Part]:
        return [Part(name="a"), Part(name="b", size=2)]

    @k.node(parallel_worker=True)
    def grow(node_input: Part) -> Part:
        return Part(name=node_input.name * 2, size=node_input.size + 1)

    def total(node_input: list[Part]):
        return sum(part.size for part in node_input)

    return k.Workflow(name="wf", edges=[("START", parts, grow, total)])


def workers_write_state(k, notes):
    @k.node(parallel_worker=True, max_parallel_workers=1)
    def add(ctx, node_input):
        ctx.state["sum"] = ctx.state.get("sum", 0) + node_input
        return ctx.state["sum"]

    def read(ctx, node_input):
        return [node_input, ctx.state["sum"]]

    return k.Workflow(name="wf", edges=[("START", numbers, add, read)])


def workers_limited_fail(k, notes):
    @k.node(parallel_worker=True, max_parallel_workers=2)
    async def work(node_input):
        notes.append(f"+{node_input}")
        await asyncio.sleep(0.1 * node_input)
        if node_input == 2:
            raise KeyError("two")
        notes.append(f"-{node_input}")
        return node_input

    return k.Workflow(name="wf", edges=[("START", lambda_node(k, lambda node_input: [1, 2, 3, 4], "give"), work, end)])


def lambda_node(k, func, name, **more):
    return k.node(func, name=name, **more)


def workers_retry_all(k, notes):
    @k.node(parallel_worker=True, retry_config=k.RetryConfig(max_attempts=2, initial_delay=0.001, jitter=0.0))
    def work(ctx, node_input):
        notes.append([node_input, ctx.attempt_count])
        if ctx.attempt_count < 2:
            raise ValueError(str(node_input))
        return node_input * 10

    return k.Workflow(name="wf", edges=[("START", lambda_node(k, lambda node_input: [7], "give"), work, end)])


def workers_give_up(k, notes):
    @k.node(parallel_worker=True, retry_config=k.RetryConfig(max_attempts=2, initial_delay=0.001, jitter=0.0))
    def work(node_input):
        notes.append(node_input)
        raise ValueError(str(node_input))

    return k.Workflow(name="wf", edges=[("START", lambda_node(k, lambda node_input: [7], "give"), work, end)])


def worker_times_out(k, notes):
    @k.node(parallel_worker=True, timeout=0.1)
    async def work(node_input):
        await asyncio.sleep(10 if node_input == 3 else 0)
        return node_input

    return k.Workflow(name="wf", edges=[("START", numbers, work, end)])


def worker_routes(k, notes):
    @k.node(parallel_worker=True)
    def work(node_input):
        return k.Event(output=node_input, route="on")

    return k.Workflow(name="wf", edges=[("START", lambda_node(k, lambda node_input: [1], "give"), work, {"on": end})])


def workers_in_loop(k, notes):
    @k.node(parallel_worker=True)
    def double(node_input):
        return node_input * 2

    def judge(node_input):
        return k.Event(output=node_input, route="again" if max(node_input) < 20 else "end")

    return k.Workflow(name="wf", edges=[("START", numbers, double, judge, {"again": double, "end": end})])


def workers_join(k, notes):
    @k.node(parallel_worker=True)
    def square(node_input):
        return node_input**2

    @k.node(parallel_worker=True)
    async def negate(node_input):
        return -node_input

    join = k.JoinNode(name="join")
    merge = lambda_node(k, lambda node_input: dict(sorted(node_input.items())), "merge")
    return k.Workflow(name="wf", edges=[("START", numbers, (square, negate), join, merge)])


def workers_of_generators(k, notes):
    @k.node(parallel_worker=True)
    def work(node_input):
        yield k.Event(message=f"at {node_input}")
        yield node_input + 1

    return k.Workflow(name="wf", edges=[("START", lambda_node(k, lambda node_input: [5], "give"), work, end)])


def workers_of_agents_limited(k, notes):
    agent = k.LlmAgent(name="writer", model=k.model(lambda sent: f"<{sent[-1]}>"))
    worker = k.node(agent, parallel_worker=True, max_parallel_workers=1)
    return k.Workflow(name="wf", edges=[("START", lambda_node(k, lambda node_input: ["a", "b"], "give"), worker, end)])


def workers_twice(k, notes):
    def work(node_input):
        return node_input + 1

    first, second = (k.node(work, name=name, parallel_worker=True) for name in ("first", "second"))
    return k.Workflow(name="wf", edges=[("START", numbers, first, second, end)])


def worker_runs_nodes(k, notes):
    @k.node(parallel_worker=True, rerun_on_resume=True)
    async def boss(ctx, node_input):
        return [node_input, await ctx.run_node(k.node(end, name="helper"), node_input)]

    return k.Workflow(name="wf", edges=[("START", numbers, boss)])


def worker_on_a_dictionary(k, notes):
    @k.node(parallel_worker=True)
    def work(node_input):
        return sorted(node_input)

    return k.Workflow(name="wf", edges=[("START", lambda_node(k, lambda node_input: {"b": 1, "a": 2}, "give"), work, end)])


# -- dynamic


def three_deep(k, notes):
    @k.node(rerun_on_resume=True)
    async def low(ctx, node_input):
        return f"low {node_input}"

    @k.node(rerun_on_resume=True)
    async def middle(ctx, node_input):
        return f"middle {await ctx.run_node(low, node_input)}"

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        return f"top {await ctx.run_node(middle, node_input)}"

    return k.Workflow(name="wf", edges=[("START", top, end)])


def output_passed_up_twice(k, notes):
    @k.node(rerun_on_resume=True)
    async def middle(ctx, node_input):
        await ctx.run_node(k.node(end, name="low"), node_input, use_as_output=True)

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        await ctx.run_node(middle, node_input, use_as_output=True)

    return k.Workflow(name="wf", edges=[("START", top, lambda_node(k, lambda node_input: [node_input], "last"))])


def two_delegates(k, notes):
    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        await ctx.run_node(k.node(end, name="one"), 1, use_as_output=True)
        await ctx.run_node(k.node(end, name="two"), 2, use_as_output=True)

    return k.Workflow(name="wf", edges=[("START", top)])


def delegate_and_return(k, notes):
    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        await ctx.run_node(k.node(end, name="one"), 1, use_as_output=True)
        return "own"

    return k.Workflow(name="wf", edges=[("START", top, end)])


def delegate_gives_nothing(k, notes):
    def silent(node_input):
        notes.append(node_input)

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        await ctx.run_node(silent, 1, use_as_output=True)

    return k.Workflow(name="wf", edges=[("START", top, end)])


def delegate_graph(k, notes):
    inner = k.Workflow(name="inner", edges=[("START", k.node(end, name="inner_end"))])

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        await ctx.run_node(inner, node_input, use_as_output=True)

    return k.Workflow(name="wf", edges=[("START", top, end)])


def delegate_agent(k, notes):
    agent = k.LlmAgent(name="writer", model=k.model(lambda sent: f"<{sent[-1]}>"))

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        await ctx.run_node(agent, f"about {node_input}", use_as_output=True)

    return k.Workflow(name="wf", edges=[("START", top, end)])


def own_route_of_delegator(k, notes):
    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        await ctx.run_node(k.node(end, name="one"), 1, use_as_output=True)
        ctx.route = "b"

    a, b = (lambda_node(k, lambda node_input: [node_input], name) for name in ("a", "b"))
    return k.Workflow(name="wf", edges=[("START", top, {"a": a, "b": b})])


def delegate_at_the_end_of_a_graph(k, notes):
    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        await ctx.run_node(k.node(end, name="one"), 1, use_as_output=True)
        return ["own"]

    inner = k.Workflow(name="inner", edges=[("START", top)])
    return k.Workflow(name="wf", edges=[("START", inner, end)])


def counter_without_output(k, notes):
    @k.node(rerun_on_resume=True)
    def count(ctx, node_input):
        ctx.state["n"] = ctx.state.get("n", 0) + 1

    @k.node(rerun_on_resume=True)
    def count_and_choose(ctx):
        ctx.state["m"] = ctx.state["n"] + 1
        ctx.route = "b"

    @k.node(rerun_on_resume=True)
    def say(m: int):
        return k.Event(message=f"m is {m}", state={"said": m})

    a, b = (lambda_node(k, lambda n, m, said: [n, m, said], name) for name in ("a", "b"))
    return k.Workflow(name="wf", edges=[("START", count, count_and_choose, {"a": a, "b": say}), (say, b)])


def generator_without_output(k, notes):
    @k.node(rerun_on_resume=True)
    async def several(ctx, node_input):
        yield k.Event(state={"x": 1})
        yield k.Event(message="one")
        yield k.Event(state={"x": 2})
        ctx.state["y"] = 3

    return k.Workflow(name="wf", edges=[("START", several, lambda_node(k, lambda x, y: [x, y], "read"))])


def route_of_dynamic(k, notes):
    def child(node_input):
        return k.Event(output=1, route="b")

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        return await ctx.run_node(child)

    a, b = (lambda_node(k, lambda node_input: [node_input], name) for name in ("a", "b"))
    return k.Workflow(name="wf", edges=[("START", top, {"a": a, "b": b})])


def same_run_id_twice(k, notes):
    def child(node_input):
        notes.append(node_input)
        return node_input

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        return [await ctx.run_node(child, 1, run_id="one"), await ctx.run_node(child, 2, run_id="one")]

    return k.Workflow(name="wf", edges=[("START", top)])


def number_as_run_id(k, notes):
    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        return await ctx.run_node(k.node(end, name="child"), 1, run_id="7")

    return k.Workflow(name="wf", edges=[("START", top)])


def dynamic_state(k, notes):
    def child(ctx, node_input):
        ctx.state["child"] = node_input

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        ctx.state["before"] = 1
        await ctx.run_node(child, 5)
        ctx.state["after"] = ctx.state["child"] + 1

    return k.Workflow(name="wf", edges=[("START", top, lambda_node(k, lambda after: after, "read"))])


def dynamic_in_a_loop_of_the_graph(k, notes):
    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input):
        ctx.state["n"] = n = ctx.state.get("n", 0) + 1
        result = await ctx.run_node(k.node(end, name="child"), n)
        return k.Event(output=result, route="again" if n < 3 else "end")

    last = lambda_node(k, lambda node_input: [node_input], "last")
    return k.Workflow(name="wf", edges=[("START", top, {"again": top, "end": last})])


def gathered_failure(k, notes):
    async def child(node_input):
        await asyncio.sleep(0.05 * node_input)
        if node_input == 1:
            raise ValueError("one")
        return node_input

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        results = await asyncio.gather(*(ctx.run_node(child, n) for n in (1, 2)), return_exceptions=True)
        return [result if isinstance(result, int) else type(result).__name__ for result in results]

    return k.Workflow(name="wf", edges=[("START", top, end)])


def retried_parent(k, notes):
    def child(node_input):
        notes.append("child")
        return node_input

    @k.node(rerun_on_resume=True, retry_config=k.RetryConfig(max_attempts=3, initial_delay=0.001, jitter=0.0))
    async def top(ctx, node_input: str):
        result = await ctx.run_node(child, 1)
        notes.append(f"top {ctx.attempt_count}")
        if ctx.attempt_count < 3:
            raise RuntimeError("not yet")
        return result

    return k.Workflow(name="wf", edges=[("START", top, end)])


def timed_parent(k, notes):
    async def child(node_input):
        notes.append("begin")
        await asyncio.sleep(5)
        notes.append("end")

    @k.node(rerun_on_resume=True, timeout=0.1)
    async def top(ctx, node_input: str):
        return await ctx.run_node(child, 1)

    return k.Workflow(name="wf", edges=[("START", top, end)])


def dynamic_tool(k, notes):
    def add(a: int, b: int) -> dict:
        """Adds."""
        return {"sum": a + b}

    tool = k.FunctionTool(add)

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        return (await ctx.run_node(tool, {"a": 1, "b": 2}))["sum"]

    return k.Workflow(name="wf", edges=[("START", top, end)])


def dynamic_checks_input(k, notes):
    def child(node_input: Part):
        return node_input.size

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        return await ctx.run_node(child, {"name": "x", "size": "many"})

    return k.Workflow(name="wf", edges=[("START", top)])


def dynamic_model_output(k, notes):
    def child(node_input) -> Part:
        return Part(name="p", size=4)

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        result = await ctx.run_node(child)
        return [type(result).__name__, result]

    return k.Workflow(name="wf", edges=[("START", top)])


def two_dynamic_questions_at_once(k, notes):
    def ask(node_input):
        return k.RequestInput(interrupt_id=f"q{node_input}", message="?")

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        return await asyncio.gather(ctx.run_node(ask, 1), ctx.run_node(ask, 2))

    return k.Workflow(name="wf", edges=[("START", top, end)])


def question_after_dynamic(k, notes):
    def child(node_input):
        notes.append("child")
        return "child"

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        result = await ctx.run_node(child)
        if "q" not in ctx.resume_inputs:
            yield k.RequestInput(interrupt_id="q", message="?")
            return
        yield [result, ctx.resume_inputs["q"]]

    return k.Workflow(name="wf", edges=[("START", top, end)])


def question_three_deep(k, notes):
    def ask(node_input):
        return k.RequestInput(interrupt_id="q", message="?")

    @k.node(rerun_on_resume=True)
    async def middle(ctx, node_input):
        return ["middle", await ctx.run_node(ask)]

    inner = k.Workflow(name="inner", edges=[("START", middle, k.node(end, name="inner_end"))])

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input: str):
        return ["top", await ctx.run_node(inner)]

    return k.Workflow(name="wf", edges=[("START", top, end)])


GRAPHS: dict[str, Any] = {
    "worker that gives nothing": Graph(worker_gives_nothing),
    "models": Graph(workers_of_models),
    "state of workers": Graph(workers_write_state),
    "few workers, one fails": Graph(workers_limited_fail),
    "each tries again": Graph(workers_retry_all),
    "each gives up": Graph(workers_give_up),
    "time limit of a worker": Graph(worker_times_out),
    "route of a worker": Graph(worker_routes),
    "workers in a loop": Graph(workers_in_loop),
    "two kinds, joined": Graph(workers_join),
    "generators": Graph(workers_of_generators),
    "agents one by one": Graph(workers_of_agents_limited),
    "workers after workers": Graph(workers_twice),
    "worker that runs nodes": Graph(worker_runs_nodes),
    "workers on a dictionary": Graph(worker_on_a_dictionary),
    "three deep": Graph(three_deep),
    "output passed up twice": Graph(output_passed_up_twice),
    "two delegates": Graph(two_delegates),
    "delegate, and an output of its own": Graph(delegate_and_return),
    "delegate that gives nothing": Graph(delegate_gives_nothing),
    "graph as delegate": Graph(delegate_graph),
    "agent as delegate": Graph(delegate_agent),
    "delegate, and a route": Graph(own_route_of_delegator),
    "delegate at the end of a graph": Graph(delegate_at_the_end_of_a_graph),
    "counter without an output": Graph(counter_without_output, ["go", "again"]),
    "generator without an output": Graph(generator_without_output),
    "route of a dynamic node": Graph(route_of_dynamic),
    "one run id twice": Graph(same_run_id_twice),
    "number as run id": Graph(number_as_run_id),
    "state of dynamic nodes": Graph(dynamic_state, ["go", "again"]),
    "dynamic node in a loop": Graph(dynamic_in_a_loop_of_the_graph),
    "one of two dynamic nodes fails": Graph(gathered_failure),
    "parent tries again": Graph(retried_parent),
    "time limit of a parent": Graph(timed_parent),
    "dynamic tool": Graph(dynamic_tool),
    "dynamic input misfit": Graph(dynamic_checks_input),
    "dynamic output of a model": Graph(dynamic_model_output),
    "two dynamic questions at once": Graph(
        two_dynamic_questions_at_once, ["go", {"q1": {"result": "a"}, "q2": {"result": "b"}}]
    ),
    "two dynamic questions, one by one": Graph(
        two_dynamic_questions_at_once, ["go", {"q2": {"result": "b"}}, {"q1": {"result": "a"}}]
    ),
    "question after a dynamic node": Graph(question_after_dynamic, ["go", {"q": {"result": "x"}}]),
    "question three deep": Graph(question_three_deep, ["go", {"q": {"result": "x"}}]),
}
