"""Agents that work at a task as nodes: they talk with the user until they have finished it."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import types
from pydantic import BaseModel

from agents import Context, Event, GetSessionConfig, InMemoryRunner, InMemorySessionService, LlmAgent, RunConfig, Workflow
from agents.event import REQUEST_INPUT
from agents.models.scripted import ScriptedLlm, call
from agents.workflow import node
from tests.agents.pausing_stage import answer_to, asker, send
from tests.agents.stage import USER

pytestmark = pytest.mark.anyio


class Person(BaseModel):
    name: str
    age: int


def finish(**args: Any) -> types.Part:
    return types.Part.from_function_call(name="finish_task", args=args)


def begin() -> str:
    return "fill in the form"


def end(node_input: Any) -> Any:
    return {"got": node_input}


def questions(events: list[Event]) -> list[str]:
    calls = [each for event in events for each in event.get_function_calls() if each.name == REQUEST_INPUT]
    return [(each.args or {})["message"] for each in calls]


def sent(model: ScriptedLlm) -> list[list[str]]:
    return [[part.text for content in one.contents for part in content.parts or () if part.text] for one in model.requests]


def graph(model: ScriptedLlm, **more: Any) -> Workflow:
    agent = LlmAgent(name="intake", model=model, mode="task", output_key="person", **more)
    return Workflow(name="wf", edges=[("START", begin, agent, end)])


async def test_messages_of_the_user_are_answers_until_the_task_is_finished() -> None:
    model = ScriptedLlm(script=["Your name?", "Your age?", [finish(result="Ann, 7")]])
    service, root = InMemorySessionService(), graph(model)
    first = await send(root, "go", service=service)
    assert questions(first.events) == ["Your name?"]
    assert first.log[-1][1]["status"] == "paused"
    second = await send(root, "Ann", service=service)
    assert questions(second.events) == ["Your age?"]
    third = await send(root, "7", service=service)
    assert third.log[-1][1]["status"] == "completed"
    assert third.events[-1].output == {"got": {"result": "Ann, 7"}}
    assert third.state["person"] == {"result": "Ann, 7"}
    assert sent(model) == [
        ["fill in the form"],
        ["fill in the form", "Your name?", "Ann"],
        ["fill in the form", "Your name?", "Ann", "Your age?", "7"],
    ]
    assert len({event.invocation_id for event in (*first.events, *second.events, *third.events)}) == 1


async def test_a_later_message_begins_a_new_run_of_the_task() -> None:
    model = ScriptedLlm(script=["Your name?", [finish(result="Ann")], "Your name?", [finish(result="Ben")]])
    service, root = InMemorySessionService(), graph(model)
    for said in ("go", "Ann", "again"):
        last = await send(root, said, service=service)
    assert questions(last.events) == ["Your name?"]
    last = await send(root, "Ben", service=service)
    assert last.events[-1].output == {"got": {"result": "Ben"}}
    assert sent(model)[-1] == ["fill in the form", "Your name?", "Ben"]


async def test_a_reply_is_taken_where_the_run_keeps_few_events() -> None:
    runner = InMemoryRunner(graph(ScriptedLlm(script=["Your name?", [finish(result="Ann")]])), app_name="app")
    session = await runner.session_service.create_session(app_name="app", user_id=USER)
    config = RunConfig(get_session_config=GetSessionConfig(num_recent_events=1))
    for said in ("go", "Ann"):
        message = types.UserContent(said)
        run = runner.run_async(user_id=USER, session_id=session.id, new_message=message, run_config=config)
        events = [event async for event in run]
    assert events[-1].output == {"got": {"result": "Ann"}}


async def test_arguments_that_do_not_fit_the_schema_are_asked_for_again() -> None:
    model = ScriptedLlm(script=[[finish(name="Ann", age="seven")], [finish(name="Ann", age="7")]])
    done = await send(graph(model, output_schema=Person), "go", service=InMemorySessionService())
    assert done.events[-1].output == {"got": {"name": "Ann", "age": 7}}
    responses = [each.response for event in done.events for each in event.get_function_responses()]
    assert "age: Input should be a valid integer" in str(responses[0])


async def test_an_output_that_is_no_object_is_wrapped_for_the_model() -> None:
    model = ScriptedLlm(script=[[finish(result=["a", "b"])]])
    done = await send(graph(model, output_schema=list[str]), "go", service=InMemorySessionService())
    assert done.events[-1].output == {"got": ["a", "b"]}
    tools: list[Any] = model.requests[0].config.tools or []
    [declared] = [each for tool in tools for each in tool.function_declarations]
    assert declared.parameters_json_schema["properties"]["result"]["type"] == "array"


async def test_a_tool_that_waits_in_a_task() -> None:
    service = InMemorySessionService()
    agent = asker("asker", [call("ask", question="which?")], [finish(result="it")])
    agent.mode = "task"
    root = Workflow(name="wf", edges=[("START", begin, agent, end)])
    first = await send(root, "go", service=service)
    [asked] = first.events[-1].get_function_calls()
    second = await send(root, answer_to(asked, said="that"), service=service)
    assert second.events[-1].output == {"got": {"result": "it"}}


async def test_parallel_tasks_keep_their_conversations_apart() -> None:
    models = {name: ScriptedLlm(script=[f"{name}?", [finish(result=name)]]) for name in ("one", "two")}
    agents = tuple(LlmAgent(name=name, model=model, mode="task") for name, model in models.items())
    root, service = Workflow(name="wf", edges=[("START", agents)]), InMemorySessionService()
    first = await send(root, "go", service=service)
    asked = {
        str((each.args or {})["message"]): each for event in first.events for each in event.get_function_calls() if each.args
    }
    await send(root, answer_to(asked["two?"], result="second"), service=service)
    await send(root, answer_to(asked["one?"], result="first"), service=service)
    assert sent(models["one"])[-1] == ["go", "one?", "first"]
    assert sent(models["two"])[-1] == ["go", "two?", "second"]


async def test_a_node_may_give_a_task() -> None:
    model = ScriptedLlm(script=["Your name?", [finish(result="Ann")]])
    agent = LlmAgent(name="intake", model=model, mode="task")

    @node(rerun_on_resume=True)
    async def driver(ctx: Context) -> str:
        return f"wrapped {await ctx.run_node(agent, 'go', raise_on_wait=True)}"

    root, service = Workflow(name="wf", edges=[("START", driver)]), InMemorySessionService()
    first = await send(root, "hello", service=service)
    assert questions(first.events) == ["Your name?"]
    second = await send(root, "Ann", service=service)
    assert second.events[-1].output == "wrapped {'result': 'Ann'}"
