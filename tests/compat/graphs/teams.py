"""Agents in graphs, older agents too, and schemas of state."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from tests.compat.graphs.play import Graph


class Counts(BaseModel):
    n: int = 0
    label: str | None = None


class Verdict(BaseModel):
    good: bool
    why: str = ""


def end(node_input):
    return f"end {node_input}"


def text(node_input: str):
    return node_input


def merge(node_input):
    return dict(sorted(node_input.items()))


def agent(k, name, say=lambda sent: f"<{sent[-1]}>", **more):
    return k.LlmAgent(name=name, model=k.model(say), **more)


def last(k, name="last"):
    return k.node(lambda node_input: [node_input], name=name)


# -- agents


def agent_output_key(k, notes):
    def read(ctx, node_input):
        return [node_input, ctx.state["said"]]

    return k.Workflow(name="wf", edges=[("START", agent(k, "writer", output_key="said"), read)])


def agent_schema_and_key(k, notes):
    def say(sent):
        return json.dumps({"good": True, "why": sent[-1]})

    judge = agent(k, "judge", say, output_schema=Verdict, output_key="verdict")
    return k.Workflow(name="wf", edges=[("START", judge, k.node(lambda node_input: node_input["good"], name="read"))])


def agent_schema_to_model(k, notes):
    judge = agent(k, "judge", lambda sent: '{"good": false}', output_schema=Verdict)

    def route(node_input: Verdict):
        return k.Event(output=node_input.why, route=node_input.good)

    return k.Workflow(name="wf", edges=[("START", judge, route, {True: last(k, "yes"), False: last(k, "no")})])


def agent_given_a_model(k, notes):
    def make(node_input) -> Verdict:
        return Verdict(good=True)

    return k.Workflow(name="wf", edges=[("START", make, agent(k, "writer"))])


def agent_given_a_list(k, notes):
    return k.Workflow(name="wf", edges=[("START", k.node(lambda node_input: [1, "ö"], name="give"), agent(k, "writer"))])


def agent_given_a_number(k, notes):
    return k.Workflow(name="wf", edges=[("START", k.node(lambda node_input: 4.5, name="give"), agent(k, "writer"))])


def agent_given_nothing(k, notes):
    def silent(node_input):
        return None

    return k.Workflow(name="wf", edges=[("START", silent, agent(k, "writer", lambda sent: f"{len(sent)} parts"))])


def agent_given_a_join(k, notes):
    one, two = (k.node(lambda node_input, n=n: n, name=f"n{n}") for n in (1, 2))
    return k.Workflow(name="wf", edges=[("START", (one, two), k.JoinNode(name="join"), agent(k, "writer"))])


def agent_single_turn(k, notes):
    first = agent(k, "first", lambda sent: f"{len(sent)}: {sent[-1]}", mode="single_turn")
    second = agent(k, "second", lambda sent: f"{len(sent)}: {sent[-1]}", mode="single_turn", include_contents="none")
    return k.Workflow(name="wf", edges=[("START", text, first, second)])


def agent_in_second_turn(k, notes):
    return k.Workflow(name="wf", edges=[("START", agent(k, "counter", lambda sent: f"{len(sent)} parts"))])


def agent_callbacks(k, notes):
    def before(callback_context):
        notes.append("before")
        callback_context.state["b"] = 1

    def after(callback_context):
        notes.append("after")

    writer = agent(k, "writer", before_agent_callback=before, after_agent_callback=after)
    return k.Workflow(name="wf", edges=[("START", writer, end)])


def agent_skipped_by_callback(k, notes):
    def before(callback_context):
        return k.types.Content(role="model", parts=[k.types.Part(text="instead")])

    return k.Workflow(name="wf", edges=[("START", agent(k, "writer", before_agent_callback=before), end)])


def agent_model_callbacks(k, notes):
    def after(callback_context, llm_response):
        notes.append(llm_response.content.parts[0].text)

    return k.Workflow(name="wf", edges=[("START", agent(k, "writer", after_model_callback=after), end)])


def agent_fails(k, notes):
    def say(sent):
        raise ConnectionError("no line")

    return k.Workflow(name="wf", edges=[("START", agent(k, "writer", say), end)])


def agent_retried(k, notes):
    def say(sent):
        notes.append(len(sent))
        if len(notes) < 3:
            raise ConnectionError("no line")
        return "at last"

    retry = k.RetryConfig(initial_delay=0.001, jitter=0.0)
    return k.Workflow(name="wf", edges=[("START", k.node(agent(k, "writer", say), retry_config=retry), end)])


def agent_with_two_tool_calls(k, notes):
    def add(a: int) -> dict:
        """Adds one."""
        notes.append(a)
        return {"sum": a + 1}

    def say(sent):
        if len(notes) < 2:
            return k.types.Part(function_call=k.types.FunctionCall(name="add", args={"a": len(notes)}))
        return "done"

    return k.Workflow(name="wf", edges=[("START", agent(k, "writer", say, tools=[add]), end)])


def agent_with_instruction_of_input(k, notes):
    def write(ctx, node_input: str):
        ctx.state["topic"] = node_input.upper()
        return 1

    writer = agent(k, "writer", "|".join, instruction="On {topic}, {other?}")
    return k.Workflow(name="wf", edges=[("START", write, writer, end)])


def router_agent(k, notes):
    def pick(node_input: str):
        return k.Event(output=node_input, route=node_input.strip("<>"))

    return k.Workflow(name="wf", edges=[("START", agent(k, "router"), pick, {"go": last(k, "go"), "stay": last(k, "stay")})])


# -- older agents


def sequence_in_graph(k, notes):
    both = k.SequentialAgent(name="both", sub_agents=[agent(k, "one"), agent(k, "two")])
    return k.Workflow(name="wf", edges=[("START", both, end)])


def loop_in_graph(k, notes):
    loop = k.LoopAgent(name="loop", max_iterations=2, sub_agents=[agent(k, "again", output_key="said")])
    return k.Workflow(name="wf", edges=[("START", text, loop, k.node(lambda said: said, name="read"))])


def parallel_in_graph(k, notes):
    both = k.ParallelAgent(name="both", sub_agents=[agent(k, "one", output_key="a"), agent(k, "two", output_key="b")])
    return k.Workflow(name="wf", edges=[("START", both, k.node(lambda a, b: [a, b], name="read"))])


# -- schemas of state


def schema_kept(k, notes):
    def write(ctx, node_input):
        ctx.state["n"] = 1
        ctx.state["user:free"] = [1]

    return k.Workflow(name="wf", state_schema=Counts, edges=[("START", write, k.node(lambda n: n + 1, name="read"))])


def schema_unknown_key(k, notes):
    def write(ctx, node_input):
        ctx.state["other"] = 1

    return k.Workflow(name="wf", state_schema=Counts, edges=[("START", write, end)])


def schema_wrong_type(k, notes):
    def write(node_input):
        return k.Event(output=1, state={"n": "many"})

    return k.Workflow(name="wf", state_schema=Counts, edges=[("START", write, end)])


def schema_parameter(k, notes):
    return k.Workflow(name="wf", state_schema=Counts, edges=[("START", k.node(lambda other: other, name="read"))])


def schema_of_inner_graph(k, notes):
    def write(ctx, node_input):
        ctx.state["n"] = 5
        return "n"

    def wrong(ctx, node_input):
        ctx.state["deep"] = 1

    inner = k.Workflow(name="inner", edges=[("START", k.node(wrong))])
    return k.Workflow(name="wf", state_schema=Counts, edges=[("START", write, inner, end)])


def schema_in_dynamic(k, notes):
    def child(ctx, node_input):
        ctx.state["n"] = "no number"

    @k.node(rerun_on_resume=True)
    async def top(ctx, node_input):
        try:
            await ctx.run_node(child)
        except Exception as error:
            return type(error).__name__

    return k.Workflow(name="wf", state_schema=Counts, edges=[("START", top)])


GRAPHS: dict[str, Any] = {
    "agent output key": Graph(agent_output_key),
    "agent schema and key": Graph(agent_schema_and_key),
    "agent schema to model": Graph(agent_schema_to_model),
    "agent given a model": Graph(agent_given_a_model),
    "agent given a list": Graph(agent_given_a_list),
    "agent given a number": Graph(agent_given_a_number),
    "agent given nothing": Graph(agent_given_nothing),
    "agent given a join": Graph(agent_given_a_join),
    "agent single turn": Graph(agent_single_turn),
    "agent in second turn": Graph(agent_in_second_turn, ["go", "again", "and again"]),
    "agent callbacks": Graph(agent_callbacks),
    "agent skipped by callback": Graph(agent_skipped_by_callback),
    "agent model callbacks": Graph(agent_model_callbacks),
    "agent fails": Graph(agent_fails),
    "agent retried": Graph(agent_retried),
    "agent with two tool calls": Graph(agent_with_two_tool_calls),
    "agent with instruction of input": Graph(agent_with_instruction_of_input),
    "router agent": Graph(router_agent),
    "sequence in graph": Graph(sequence_in_graph),
    "loop in graph": Graph(loop_in_graph),
    "parallel in graph": Graph(parallel_in_graph),
    "schema kept": Graph(schema_kept, ["go", "again"]),
    "schema unknown key": Graph(schema_unknown_key),
    "schema wrong type": Graph(schema_wrong_type),
    "schema parameter": Graph(schema_parameter),
    "schema of inner graph": Graph(schema_of_inner_graph),
    "schema in dynamic": Graph(schema_in_dynamic),
}
