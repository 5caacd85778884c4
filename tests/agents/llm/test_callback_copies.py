"""Callbacks get copies: what they edit changes that request or answer alone."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import BaseLlm, BasePlugin, InMemoryRunner, LlmAgent, LlmResponse, ParallelAgent, RunConfig, StreamingMode
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import play, user

pytestmark = pytest.mark.anyio


def shout(callback_context, llm_request):
    for content in llm_request.contents:
        for part in content.parts:
            part.text = f"{part.text}!"
    llm_request.contents[0].parts.append(types.Part(text="more"))
    llm_request.config.temperature = 1.0
    llm_request.config.labels["mine"] = "yes"


async def test_an_edited_request_changes_no_event_and_no_other_agent():
    settings = types.GenerateContentConfig(labels={"team": "a"})
    with ScriptedLlm(script=["one"]) as first, ScriptedLlm(script=["two"]) as second:
        loud = LlmAgent(name="loud", model=first, before_model_callback=[shout, shout], generate_content_config=settings)
        played = await play(ParallelAgent(name="both", sub_agents=[loud, LlmAgent(name="calm", model=second)]))
    assert [part.text for part in first.requests[0].contents[0].parts] == ["go!!", "more!", "more"]
    assert [part.text for part in second.requests[0].contents[0].parts] == ["go"]
    assert played.session.events[0].text == "go"
    assert settings == types.GenerateContentConfig(labels={"team": "a"})


async def test_an_edited_request_of_a_failed_model_changes_no_event():
    def answer(callback_context, llm_request, error):
        shout(callback_context, llm_request)
        return LlmResponse(content=types.Content(role="model", parts=[types.Part(text="sorry")]))

    with ScriptedLlm(script=[ValueError("broken")]) as model:
        played = await play(LlmAgent(name="a", model=model, on_model_error_callback=answer))
    assert [event.text for event in played.session.events] == ["go", "sorry"]


async def test_a_replaced_piece_stays_a_piece():
    def replace(callback_context, llm_response):
        text = llm_response.content.parts[0].text.upper()
        return LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))

    with ScriptedLlm(script=["one two three"]) as model:
        played = await play(
            LlmAgent(name="a", model=model, after_model_callback=replace), config=RunConfig(streaming_mode=StreamingMode.SSE)
        )
    assert [event.text for event in played.session.events] == ["go", "ONE TWO THREE"]
    assert len([event for event in played.events if event.partial]) > 1


async def test_an_edited_answer_is_the_events_alone():
    kept = LlmResponse(content=types.Content(role="model", parts=[types.Part(text="one")]))

    class Keeper(BaseLlm):
        async def generate_content_async(self, llm_request, stream=False):
            yield kept

    def edit(callback_context, llm_response):
        llm_response.content.parts[0].text += "!"

    agent = LlmAgent(name="a", model=Keeper(model="keeper"), after_model_callback=edit)
    assert [(await play(agent)).events[0].text for _ in range(2)] == ["one!", "one!"]
    assert kept.content.parts[0].text == "one"


async def test_an_edited_result_is_the_responses_alone():
    kept = {"rows": [1]}

    def rows() -> dict:
        """Rows."""
        return kept

    def add(tool, args, tool_context, tool_response):
        tool_response["rows"].append(2)

    with ScriptedLlm(script=[[call("rows")], "done"]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[rows], after_tool_callback=add))
    [response] = played.events[1].get_function_responses()
    assert (response.response, kept) == ({"rows": [1, 2]}, {"rows": [1]})


class Editor(BasePlugin):
    async def on_event_callback(self, *, invocation_context, event):
        event.content.parts[0].text = "edited"

    async def on_user_message_callback(self, *, invocation_context, user_message):
        user_message.parts[0].text = "edited"


async def test_what_a_plugin_edits_and_does_not_return_is_not_stored():
    with ScriptedLlm(script=["one"]) as model:
        runner = InMemoryRunner(LlmAgent(name="a", model=model), plugins=[Editor("editor")])
        await runner.session_service.create_session(app_name="InMemoryRunner", user_id="u", session_id="s")
        message = user("go")
        events = [e async for e in runner.run_async(user_id="u", session_id="s", new_message=message)]
    assert [event.text for event in events] == ["one"]
    assert message.parts[0].text == "go"
