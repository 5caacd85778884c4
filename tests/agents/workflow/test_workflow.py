"""What graphs do here besides what they do in ADK: their log, agents that wait inside of them, runners and apps."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from google.genai import types
from pydantic import BaseModel

from agents import (
    App,
    Context,
    Event,
    FunctionTool,
    InMemoryRunner,
    InMemorySessionService,
    LlmAgent,
    RequestInput,
    Runner,
    SequentialAgent,
    Workflow,
)
from agents.errors import AnswerError
from agents.models.scripted import ScriptedLlm, call
from agents.runtime.confirmation import REQUEST_CONFIRMATION
from agents.workflow import START, BaseNode, Edge, Graph, JoinNode, RetryConfig, WorkflowConfigurationError, node
from tests.agents.pausing_stage import answer_to, asker, send
from tests.agents.stage import play

pytestmark = pytest.mark.anyio


class Amount(BaseModel):
    number: int
    note: str | None = None


def text(node_input: str) -> str:
    return node_input


def end(node_input: Any) -> str:
    return f"end {node_input}"


def told(events: list[Event]) -> list[tuple[str, Any]]:
    return [(event.node_info.name, event.output or event.text or None) for event in events]


async def test_an_agent_that_waits_in_a_graph_goes_on_where_it_was():
    service = InMemorySessionService()

    def graph() -> Workflow:
        agent = asker("asker", [call("ask", question="asker")], "done")
        return Workflow(name="graph", edges=[("START", text, agent, end)])

    first = await send(graph(), "go", service=service)
    [asked] = first.events[-1].get_function_calls()
    model = ScriptedLlm(script=["done"])
    agent = asker("asker", "done")
    agent.model = model
    second = await send(
        Workflow(name="graph", edges=[("START", text, agent, end)]), answer_to(asked, said="yes"), service=service
    )
    assert told(second.events) == [("asker", "done"), ("end", "end done")]
    assert second.log[-1][1]["status"] == "completed"


async def test_a_tool_that_needs_confirmation_in_a_graph():
    service, done = InMemorySessionService(), list[str]()

    def pay(amount: int) -> str:
        """Pays."""
        done.append(str(amount))
        return "paid"

    def graph(*script: Any) -> Workflow:
        agent = LlmAgent(
            name="payer", model=ScriptedLlm(script=script), tools=[FunctionTool(pay, require_confirmation=True)]
        )
        return Workflow(name="graph", edges=[("START", (agent, text), JoinNode(name="join"))])

    first = await send(graph([call("pay", amount=3)]), "go", service=service)
    [asked] = [c for event in first.events for c in event.get_function_calls() if c.name == REQUEST_CONFIRMATION]
    assert done == []
    second = await send(graph("It is paid."), answer_to(asked, confirmed=True), service=service)
    assert done == ["3"]
    assert told(second.events)[-1] == ("join", {"payer": "It is paid.", "text": "go"})


async def test_tries_are_in_the_log():
    tries: list[int] = []

    @node(retry_config=RetryConfig(initial_delay=0.0, jitter=0.0))
    def flaky(ctx: Any) -> str:
        tries.append(ctx.attempt_count)
        if len(tries) < 2:
            raise ValueError("not yet")
        return "worked"

    played = await play(Workflow(name="graph", edges=[("START", flaky)]))
    assert played.records("node_retry") == [
        {"kind": "node_retry", "agent": "flaky", "node": "graph@1/flaky@1", "attempt": 1, "delay": 0.0, "error": "not yet"}
    ]
    outcomes = [record["outcome"] for record in played.records("agent_finished") if record["agent"] == "flaky"]
    assert outcomes == ["error", "ok"]


async def test_an_error_is_told_once():
    def fail(node_input: str) -> None:
        raise ValueError("broken")

    played = await play(Workflow(name="graph", edges=[("START", fail)]))
    assert isinstance(played.error, ValueError)
    assert [(event.error_code, event.node_info.name) for event in played.events] == [("ValueError", "fail")]
    assert played.records("run_finished")[0]["error_code"] == "ValueError"


async def test_a_graph_in_an_older_workflow():
    graph = Workflow(name="graph", edges=[("START", text, end)])
    last = LlmAgent(name="last", model=ScriptedLlm(script=["bye"]))
    played = await play(SequentialAgent(name="all", sub_agents=[graph, last]))
    assert told(played.events) == [("text", "go"), ("end", "end go"), ("", "bye")]
    assert [event.speaker for event in played.events] == ["text", "end", "last"]


async def test_a_node_of_two_graphs_and_a_copy_of_a_graph():
    shared = node(text)
    one, two = (Workflow(name=name, edges=[("START", shared, end)]) for name in ("one", "two"))
    copy = one.clone({"name": "copy"})
    for graph in (one, two, copy):
        assert told((await play(graph)).events) == [("text", "go"), ("end", "end go")]
        assert [edge.to_node.parent_agent is graph for edge in graph.graph.edges] == [True, True]


async def test_an_output_that_json_cannot_hold():
    played = await play(Workflow(name="graph", edges=[("START", node(lambda node_input: object(), name="odd"))]))
    assert "The output of node 'odd' cannot be kept" in str(played.error)


async def test_a_synchronous_function_cannot_run_others():
    def boss(ctx: Any, node_input: str) -> Any:
        return ctx.run_node(text, "x")

    played = await play(Workflow(name="graph", edges=[("START", node(boss, rerun_on_resume=True))]))
    assert isinstance(played.error, WorkflowConfigurationError)
    assert "make its function async" in str(played.error)


def test_a_runner_runs_one_thing():
    graph = Workflow(name="graph", edges=[("START", text)])
    assert InMemoryRunner(app=App(name="my-app", root_agent=graph)).app_name == "my-app"
    assert InMemoryRunner(node=graph).agent is graph
    with pytest.raises(ValueError, match="one of app, agent or node"):
        Runner(app_name="x", session_service=InMemorySessionService())
    with pytest.raises(ValueError, match="Invalid app name"):
        App(name="my app", root_agent=graph)


def test_events_have_short_names_and_are_read_from_json():
    event = Event(message="hello", state={"a": 1}, route="on", author="x")
    assert (event.text, event.actions.state_delta, event.actions.route) == ("hello", {"a": 1}, "on")
    assert Event.model_validate_json(event.model_dump_json(exclude_defaults=True)) == event
    with pytest.raises(ValueError, match="mutually exclusive"):
        Event(message="a", content=event.content)


@pytest.mark.parametrize(
    ("schema", "wrong", "given", "taken"),
    [
        (int, {"result": "many"}, {"result": "7"}, 7),
        (str, {"result": [1]}, {"result": "42"}, "42"),
        (bool, {"result": "perhaps"}, {"result": True}, True),
        (Amount, {"note": "x"}, {"number": "3", "other": 1}, {"number": 3, "note": None}),
        ({"type": "array"}, {"result": "no list"}, {"result": "[1, 2]"}, [1, 2]),
    ],
)
async def test_an_answer_that_does_not_fit_is_refused_and_the_question_still_waits(
    schema: Any, wrong: dict[str, Any], given: dict[str, Any], taken: Any
):
    service = InMemorySessionService()

    def ask(node_input: str) -> RequestInput:
        return RequestInput(interrupt_id="q", message="How many?", response_schema=schema)

    graph = Workflow(name="graph", edges=[("START", ask, node(lambda node_input: [node_input], name="last"))])
    first = await send(graph, "go", service=service)
    [asked] = first.events[-1].get_function_calls()
    refused = await send(graph, answer_to(asked, **wrong), service=service)
    assert isinstance(refused.error, AnswerError)
    assert "does not fit what was asked for" in str(refused.error)
    assert refused.log == first.log
    second = await send(graph, answer_to(asked, **given), service=service)
    assert told(second.events) == [("last", [taken])]


class Approval(BaseNode):
    """Asks with a call of its own."""

    async def _run_impl(self, *, ctx: Context, node_input: Any) -> AsyncGenerator[Any, None]:
        if self.rerun_on_resume and ctx.resume_inputs:
            yield ["approved", ctx.resume_inputs["c1"]]
            return
        asked = types.Part(function_call=types.FunctionCall(name="approve", args={}, id="c1"))
        yield Event(content=types.Content(role="model", parts=[asked]), long_running_tool_ids={"c1"})


@pytest.mark.parametrize(("rerun", "taken"), [(True, ["approved", {"ok": True}]), (False, {"ok": True})])
async def test_a_call_of_any_name_that_waits_is_a_question(rerun: bool, taken: Any):
    service = InMemorySessionService()
    asking = Approval(name="asking", rerun_on_resume=rerun)
    graph = Workflow(name="graph", edges=[("START", asking, node(lambda node_input: [node_input], name="last"))])
    first = await send(graph, "go", service=service)
    [asked] = first.events[-1].get_function_calls()
    second = await send(graph, answer_to(asked, ok=True), service=service)
    assert told(second.events)[-1] == ("last", [taken])


async def test_answered_nodes_take_turns_where_few_may_run_at_a_time():
    def asks(name: str) -> Any:
        def run(ctx: Context) -> Any:
            return ctx.resume_inputs.get(name) or RequestInput(interrupt_id=name)

        return node(run, name=name, rerun_on_resume=True)

    service = InMemorySessionService()
    nodes = (asks("one"), asks("two"))
    graph = Workflow(name="graph", max_concurrency=1, edges=[("START", nodes, JoinNode(name="join"))])
    first = await send(graph, "go", service=service)
    answers = [answer_to(call, result=call.id) for event in first.events for call in event.get_function_calls()]
    both = types.Content(role="user", parts=[part for answer in answers for part in answer.parts or ()])
    second = await send(graph, both, service=service)
    assert told(second.events) == [("one", "one"), ("two", "two"), ("join", {"one": "one", "two": "two"})]


async def test_the_edges_may_be_a_graph():
    written = Graph(edges=[Edge(from_node=START, to_node=node(text)), Edge(from_node=START, to_node=JoinNode(name="join"))])
    given: dict[str, Any] = {"name": "graph", "graph": written}
    assert Workflow(**given).plan == Workflow(name="graph", edges=written.edges).plan
    assert [each.name for each in written.nodes] == ["__START__", "text", "join"]


async def test_a_function_of_text_that_is_sent_a_file_is_warned_of(caplog):
    def read(node_input: str) -> str:
        return node_input

    file = types.Part.from_bytes(data=b"data", mime_type="application/pdf")
    message = types.Content(role="user", parts=[types.Part(text="Read this."), file])
    last = await send(Workflow(name="graph", edges=[("START", read)]), message, service=InMemorySessionService())
    assert last.events[-1].output == "Read this."
    assert "its files are left out" in caplog.text


async def test_an_error_of_a_node_is_told_in_its_own_words():
    def fails(node_input: str) -> None:
        raise ValueError("no paper")

    last = await send(Workflow(name="graph", edges=[("START", fails)]), "go", service=InMemorySessionService())
    assert (last.events[-1].error_code, last.events[-1].error_message) == ("ValueError", "no paper")
