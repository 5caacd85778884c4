"""Questions to a person."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import BaseModel

from tests.compat.graphs.play import Graph


class Choice(BaseModel):
    color: str


def end(node_input):
    return f"end {node_input}"


def merge(node_input):
    return dict(sorted(node_input.items()))


def last(k, name="last"):
    return k.node(lambda node_input: [node_input], name=name)


def asks(k, name, question="q", **more):
    def run(node_input):
        return k.RequestInput(interrupt_id=question, message=f"{name}?")

    return k.node(run, name=name, **more)


def question(k, notes):
    def before(node_input):
        notes.append("before")
        return "before"

    return k.Workflow(name="wf", edges=[("START", before, asks(k, "ask"), end)])


def question_to_agent(k, notes):
    agent = k.LlmAgent(name="writer", model=k.model(lambda sent: f"about {sent[-1]}"))
    return k.Workflow(name="wf", edges=[("START", asks(k, "ask"), agent)])


def two_questions(k, notes):
    return k.Workflow(name="wf", edges=[("START", asks(k, "one", "q1"), asks(k, "two", "q2"), end)])


def parallel_questions(k, notes):
    nodes = (asks(k, "one", "q1"), asks(k, "two", "q2"))
    return k.Workflow(name="wf", edges=[("START", nodes, k.JoinNode(name="join"), merge)])


def beside_others(k, notes):
    async def other(node_input):
        await asyncio.sleep(0.02)
        notes.append("other")
        return "other"

    return k.Workflow(name="wf", edges=[("START", (asks(k, "ask"), other), k.JoinNode(name="join"), merge)])


def rerun(k, notes):
    @k.node(rerun_on_resume=True)
    def ask(ctx, node_input: str):
        notes.append(dict(ctx.resume_inputs))
        if "q" not in ctx.resume_inputs:
            return k.RequestInput(interrupt_id="q", message="Which?")
        return f"{node_input} {ctx.resume_inputs['q']}"

    return k.Workflow(name="wf", edges=[("START", ask, end)])


def rerun_several(k, notes):
    @k.node(rerun_on_resume=True)
    def ask(ctx, node_input: str):
        for question in ("q1", "q2"):
            if question not in ctx.resume_inputs:
                yield k.RequestInput(interrupt_id=question, message=question)
                return
        yield [ctx.resume_inputs["q1"], ctx.resume_inputs["q2"]]

    return k.Workflow(name="wf", edges=[("START", ask, end)])


def question_in_loop(k, notes):
    def count(ctx):
        ctx.state["round"] = ctx.state.get("round", 0) + 1
        return ctx.state["round"]

    def ask(node_input):
        return k.RequestInput(interrupt_id=f"q{node_input}", message="Good?")

    def judge(node_input):
        return k.Event(output=node_input, route="end" if node_input == "yes" else "again")

    count = k.node(count)
    return k.Workflow(name="wf", edges=[("START", count, ask, judge, {"again": count, "end": end})])


def same_question_in_loop(k, notes):
    def judge(node_input):
        return k.Event(output=node_input, route="end" if node_input == "yes" else "again")

    ask = asks(k, "ask", "same")
    return k.Workflow(name="wf", edges=[("START", ask, judge, {"again": ask, "end": end})])


def schema(k, notes):
    def ask(node_input):
        return k.RequestInput(
            interrupt_id="q", message="Color?", response_schema=Choice, payload={"options": ["red", "blue"]}
        )

    def use(node_input: Choice):
        return node_input.color.upper()

    return k.Workflow(name="wf", edges=[("START", ask, use)])


def message_before_question(k, notes):
    def ask(node_input):
        yield k.Event(message="I must ask.")
        yield k.RequestInput(interrupt_id="q", message="What?")

    return k.Workflow(name="wf", edges=[("START", ask, end)])


def state_before_question(k, notes):
    def ask(ctx, node_input):
        ctx.state["asked"] = True
        return k.RequestInput(interrupt_id="q")

    def after(node_input, asked: bool):
        return [node_input, asked]

    return k.Workflow(name="wf", edges=[("START", ask, after)])


def question_in_graph(k, notes):
    inner = k.Workflow(name="inner", edges=[("START", asks(k, "ask"), end)])
    return k.Workflow(name="wf", edges=[("START", inner, k.node(lambda node_input: [node_input], name="last"))])


def confirmed(k, notes):
    @k.node(require_confirmation=True)
    def remove(node_input: str):
        notes.append("removed")
        return f"removed {node_input}"

    return k.Workflow(name="wf", edges=[("START", remove, k.node(lambda node_input: [node_input], name="last"))])


def worker_asks(k, notes):
    def give(node_input):
        return ["a", "b"]

    @k.node(parallel_worker=True, rerun_on_resume=True)
    def work(ctx, node_input):
        if node_input == "b":
            if "q" not in ctx.resume_inputs:
                return k.RequestInput(interrupt_id="q", message="b?")
            return f"b {ctx.resume_inputs['q']}"
        notes.append(node_input)
        return node_input

    return k.Workflow(name="wf", edges=[("START", give, work, end)])


def answered_then_new(k, notes):
    return k.Workflow(name="wf", edges=[("START", asks(k, "ask"), end)])


QUESTION = "wf_tool_confirmation:wf@1/remove@1"


def question_in_two_levels(k, notes):
    def ask(name):
        return k.node(lambda node_input: k.RequestInput(interrupt_id=name, message=name), name=f"ask_{name}")

    inner = k.Workflow(name="inner", edges=[("START", ask("q1"), ask("q2"), k.node(end, name="inner_end"))])
    return k.Workflow(name="wf", edges=[("START", inner, ask("q3"), last(k))])


def question_in_route(k, notes):
    def ask(node_input):
        return k.RequestInput(interrupt_id="q", message="?")

    def choose(node_input):
        return k.Event(output=1, route="ask")

    return k.Workflow(name="wf", edges=[("START", choose, {"ask": ask, "skip": last(k, "skip")}), (ask, end)])


def question_beside_a_failure(k, notes):
    def ask(node_input):
        return k.RequestInput(interrupt_id="q", message="?")

    async def fails(node_input):
        await asyncio.sleep(0.02)
        raise ValueError("no")

    return k.Workflow(name="wf", edges=[("START", (ask, fails), k.JoinNode(name="join"), merge)])


def question_with_retry(k, notes):
    retry = k.RetryConfig(max_attempts=3, initial_delay=0.001, jitter=0.0)

    @k.node(rerun_on_resume=True, retry_config=retry)
    def ask(ctx, node_input):
        notes.append([ctx.attempt_count, dict(ctx.resume_inputs)])
        if "q" not in ctx.resume_inputs:
            return k.RequestInput(interrupt_id="q", message="?")
        if ctx.attempt_count < 2:
            raise ValueError("after the answer")
        return ctx.resume_inputs["q"]

    return k.Workflow(name="wf", edges=[("START", ask, end)])


def limited_questions(k, notes):
    def ask(name):
        @k.node(rerun_on_resume=True, name=name)
        def run(ctx, node_input):
            return ctx.resume_inputs[name] if name in ctx.resume_inputs else k.RequestInput(interrupt_id=name, message="?")

        return run

    nodes = (ask("q1"), ask("q2"), last(k, "calm"))
    return k.Workflow(name="wf", max_concurrency=1, edges=[("START", nodes, k.JoinNode(name="join"), merge)])


def answer_of_a_number(k, notes):
    def ask(node_input):
        return k.RequestInput(interrupt_id="q", message="?", response_schema=int)

    return k.Workflow(name="wf", edges=[("START", ask, k.node(lambda node_input: node_input + 1, name="more"))])


def call_that_waits(k, notes):
    class Ask(k.BaseNode):
        rerun_on_resume: bool = True

        async def _run_impl(self, *, ctx, node_input):
            if "c1" in ctx.resume_inputs:
                yield ctx.resume_inputs["c1"]
                return
            call = k.types.FunctionCall(name="approve", args={}, id="c1")
            content = k.types.Content(role="model", parts=[k.types.Part(function_call=call)])
            yield k.Event(content=content, long_running_tool_ids={"c1"})

    return k.Workflow(name="wf", edges=[("START", Ask(name="ask"), end)])


def call_that_waits_keeps_route(k, notes):
    class Ask(k.BaseNode):
        async def _run_impl(self, *, ctx, node_input):
            ctx.route = "go"
            call = k.types.FunctionCall(name="approve", args={}, id="c1")
            content = k.types.Content(role="model", parts=[k.types.Part(function_call=call)])
            yield k.Event(content=content, long_running_tool_ids={"c1"})

    return k.Workflow(name="wf", edges=[("START", Ask(name="ask"), {"go": end, "stay": last(k)})])


def question_in_parallel_graphs(k, notes):
    def inner(name):
        ask = k.node(lambda node_input: k.RequestInput(interrupt_id=name, message="?"), name="ask")
        return k.Workflow(name=f"inner_{name}", edges=[("START", ask, k.node(end, name="inner_end"))])

    return k.Workflow(name="wf", edges=[("START", (inner("a"), inner("b")), k.JoinNode(name="join"), merge)])


GRAPHS: dict[str, Any] = {
    "question": Graph(question, ["go", {"q": {"result": "yes"}}]),
    "number as answer": Graph(question, ["go", {"q": {"result": "42"}}]),
    "object as answer": Graph(question, ["go", {"q": {"a": 1, "b": 2}}]),
    "answer for an agent": Graph(question_to_agent, ["go", {"q": {"result": "Rome"}}]),
    "two questions": Graph(two_questions, ["go", {"q1": {"result": "a"}}, {"q2": {"result": "b"}}]),
    "parallel questions": Graph(parallel_questions, ["go", {"q1": {"result": "a"}}, {"q2": {"result": "b"}}]),
    "parallel questions, other order": Graph(parallel_questions, ["go", {"q2": {"result": "b"}}, {"q1": {"result": "a"}}]),
    "parallel questions at once": Graph(parallel_questions, ["go", {"q1": {"result": "a"}, "q2": {"result": "b"}}]),
    "question beside others": Graph(beside_others, ["go", {"q": {"result": "yes"}}]),
    "run again": Graph(rerun, ["go", {"q": {"result": "this"}}]),
    "run again twice": Graph(rerun_several, ["go", {"q1": {"result": "x"}}, {"q2": {"result": "y"}}]),
    "question in a loop": Graph(question_in_loop, ["go", {"q1": {"result": "no"}}, {"q2": {"result": "yes"}}]),
    "same question in a loop": Graph(same_question_in_loop, ["go", {"same": {"result": "no"}}, {"same": {"result": "yes"}}]),
    "schema": Graph(schema, ["go", {"q": {"color": "red"}}]),
    "message before the question": Graph(message_before_question, ["go", {"q": {"result": "this"}}]),
    "state before the question": Graph(state_before_question, ["go", {"q": {"result": "x"}}]),
    "question in a graph in a graph": Graph(question_in_graph, ["go", {"q": {"result": "yes"}}]),
    "confirmed": Graph(confirmed, ["go", {QUESTION: {"confirmed": True}}]),
    "rejected": Graph(confirmed, ["go", {QUESTION: {"confirmed": False}}]),
    "a worker asks": Graph(worker_asks, ["go", {"q": {"result": "yes"}}]),
    "new message instead of an answer": Graph(answered_then_new, ["go", "go again"]),
    "answered, then a new message": Graph(answered_then_new, ["go", {"q": {"result": "x"}}, "once more"]),
    "question in two levels": Graph(
        question_in_two_levels, ["go", {"q1": {"result": "a"}}, {"q2": {"result": "b"}}, {"q3": {"result": "c"}}]
    ),
    "question in route": Graph(question_in_route, ["go", {"q": {"result": "x"}}]),
    "question beside a failure": Graph(question_beside_a_failure),
    "question with retry": Graph(question_with_retry, ["go", {"q": {"result": "x"}}]),
    "limited questions": Graph(limited_questions, ["go", {"q1": {"result": "a"}, "q2": {"result": "b"}}]),
    "answer of a number": Graph(answer_of_a_number, ["go", {"q": {"result": "41"}}]),
    "call that waits": Graph(call_that_waits, ["go", {"c1": {"ok": True}}]),
    "call that waits keeps route": Graph(call_that_waits_keeps_route, ["go", {"c1": {"ok": True}}]),
    "question in parallel graphs": Graph(
        question_in_parallel_graphs, ["go", {"b": {"result": "2"}}, {"a": {"result": "1"}}]
    ),
}
