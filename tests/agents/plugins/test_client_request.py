"""What a client asks reaches the agents that answer, in a form that every provider takes, and no other agent."""

from __future__ import annotations

import pytest
from google.genai import types
from pydantic import BaseModel

from agents import InMemoryRunner, LlmAgent, LoopAgent, SequentialAgent
from agents.models.scripted import ScriptedLlm, call
from agents.pipeline import answering
from agents.plugins.client_request import ClientFunction, ClientPlugin, ClientRequest
from tests.agents.stage import user

pytestmark = pytest.mark.anyio

SCHEMA = {
    "type": "object",
    "properties": {"n": {"$ref": "#/$defs/N"}},
    "required": ["n"],
    "$defs": {"N": {"type": "integer"}},
}
WEATHER = ClientFunction("get_weather", "The weather.", {"type": "object", "properties": {"city": {"type": "string"}}})


class Own(BaseModel):
    reason: str
    final_answer: str


def look(n: int) -> dict:
    """Looks."""
    return {"n": n}


async def asked_of(agent, model, client, *messages):
    """The requests that the agents' model got, and the session's events."""
    runner = InMemoryRunner(agent, app_name="play", plugins=[ClientPlugin(client, answering(agent).agents)])
    await runner.session_service.create_session(app_name="play", user_id="u", session_id="s")
    for message in messages or ("hello",):
        async for _ in runner.run_async(user_id="u", session_id="s", new_message=message):
            pass
    session = await runner.session_service.get_session(app_name="play", user_id="u", session_id="s")
    return model.requests, session.events


async def test_only_the_agent_that_answers_is_told():
    model = ScriptedLlm(script=["draft", "answer"])
    agent = SequentialAgent(name="Two", sub_agents=[LlmAgent(name="A", model=model), LlmAgent(name="B", model=model)])
    client = ClientRequest("Like a pirate, {no_key}.", settings={"temperature": 0.5})
    (first, second), _ = await asked_of(agent, model, client, user("hello"))
    assert ("pirate" in first.system_instruction, first.config.temperature) == (False, None)
    assert ("Like a pirate, {no_key}." in second.system_instruction, second.config.temperature) == (True, 0.5)


async def test_a_function_of_the_client_pauses_the_run_until_its_result_comes():
    model = ScriptedLlm(script=[[call("get_weather", city="Oslo")], "18 degrees"])
    agent = LlmAgent(name="A", model=model, tools=[look])
    requests, events = await asked_of(agent, model, ClientRequest(functions=(WEATHER,)), user("hello"))
    [calls] = [event for event in events if event.get_function_calls()]
    assert calls.long_running_tool_ids == {calls.get_function_calls()[0].id}
    assert len(requests) == 1, "nobody answered in the client's place"
    assert sorted(requests[0].tools_dict) == ["get_weather", "look"]


async def test_an_own_tool_keeps_its_name():
    model = ScriptedLlm(script=[[call("look", n=1)], "done"])
    agent = LlmAgent(name="A", model=model, tools=[look])
    requests, _ = await asked_of(agent, model, ClientRequest(functions=(ClientFunction("look"),)), user("hello"))
    assert len(requests) == 2


async def test_where_a_function_has_to_be_called_nothing_else_is_offered():
    model = ScriptedLlm(script=[[call("get_weather", city="Oslo")]])
    agent = LlmAgent(name="A", model=model, tools=[look])
    [request], _ = await asked_of(agent, model, ClientRequest(functions=(WEATHER,), must_call=True), user("hello"))
    calling = request.config.tool_config.function_calling_config
    assert (calling.mode, calling.allowed_function_names) == (types.FunctionCallingConfigMode.ANY, ["get_weather"])
    [tool] = request.config.tools
    assert [declared.name for declared in tool.function_declarations] == ["get_weather"]


async def test_the_schema_is_sent_whole_without_tools_and_in_words_beside_them():
    for tools, in_words in (([], False), ([look], True)):
        model = ScriptedLlm(script=['{"n": 1}'])
        agent = LlmAgent(name="A", model=model, tools=tools)
        [request], _ = await asked_of(agent, model, ClientRequest(schema=SCHEMA), user("hello"))
        assert (request.config.response_json_schema == SCHEMA, request.json_in_words) == (not in_words, in_words)
        assert ('"$defs"' in request.system_instruction) == in_words


async def test_an_agent_with_a_final_answer_keeps_its_own_fields_around_it():
    model = ScriptedLlm(script=['{"reason": "so", "final_answer": "x"}'])
    agent = LlmAgent(name="A", model=model, output_schema=Own)
    [request], _ = await asked_of(agent, model, ClientRequest(schema=SCHEMA), user("hello"))
    sent = request.config.response_json_schema
    assert sent["properties"]["reason"]["type"] == "string"
    assert sent["properties"]["final_answer"]["properties"] == SCHEMA["properties"]
    assert sent["$defs"] == SCHEMA["$defs"], "references lead from the root"


def llm(name, **more):
    return LlmAgent(name=name, **more)


@pytest.mark.parametrize(
    ("agent", "agents", "once"),
    [
        (lambda: llm("A"), {"A"}, True),
        (lambda: llm("A", sub_agents=[llm("B")]), {"A", "B"}, True),
        (lambda: SequentialAgent(name="S", sub_agents=[llm("A"), llm("B")]), {"B"}, True),
        (
            lambda: SequentialAgent(name="S", sub_agents=[llm("A", output_key="x"), llm("B", output_key="x")]),
            {"A", "B"},
            False,
        ),
        (lambda: LoopAgent(name="L", sub_agents=[llm("A"), llm("B")]), {"B"}, False),
        (lambda: SequentialAgent(name="S", sub_agents=[llm("A", output_schema=Own), llm("B")]), {"A"}, True),
        (lambda: SequentialAgent(name="S", sub_agents=[]), set(), True),
    ],
)
def test_who_answers(agent, agents, once):
    found = answering(agent())
    assert (set(found.agents), found.speaks_once) == (agents, once)
