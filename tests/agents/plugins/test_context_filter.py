"""`ContextFilterPlugin`: which invocations models are sent."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import ContextFilterPlugin, InMemoryRunner, LlmAgent, LlmRequest
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import user

pytestmark = pytest.mark.anyio


def look(n: int) -> dict:
    """Looks."""
    return {"n": n}


async def sent(plugin, messages, *script):
    """What the model was sent in each of its calls, as texts."""
    model = ScriptedLlm(script=script)
    runner = InMemoryRunner(LlmAgent(name="Ada", model=model, tools=[look]), app_name="play", plugins=[plugin])
    await runner.session_service.create_session(app_name="play", user_id="u", session_id="s")
    for message in messages:
        async for _ in runner.run_async(user_id="u", session_id="s", new_message=user(message)):
            pass
    session = await runner.session_service.get_session(app_name="play", user_id="u", session_id="s")
    texts = [[part.text for content in one.contents for part in content.parts] for one in model.requests]
    return texts, [event.text for event in session.events]


async def test_only_the_last_invocations_are_sent_and_the_session_keeps_all():
    texts, kept = await sent(ContextFilterPlugin(num_invocations_to_keep=2), ["a", "b", "c"], "1", "2", "3")
    assert texts == [["a"], ["a", "1", "b"], ["b", "2", "c"]]
    assert kept == ["a", "1", "b", "2", "c", "3"]


async def test_a_larger_remove_amount_cuts_less_often():
    plugin = ContextFilterPlugin(num_invocations_to_keep=1, remove_amount=2)
    texts, _ = await sent(plugin, ["a", "b", "c"], "1", "2", "3")
    assert texts == [["a"], ["a", "1", "b"], ["c"]]


async def test_an_invocation_is_cut_as_a_whole_with_its_tool_calls():
    plugin = ContextFilterPlugin(num_invocations_to_keep=1)
    texts, _ = await sent(plugin, ["a", "b"], [call("look", n=1)], "1", [call("look", n=2)], "2")
    assert [len(one) for one in texts] == [1, 3, 1, 3]
    assert texts[3][0] == "b"


@pytest.mark.parametrize("call_id", ["x", None])
async def test_a_late_response_keeps_its_call(call_id):
    asked = types.FunctionCall(name="order", args={}, id=call_id)
    late = types.FunctionResponse(name="order", response={"result": "ready"}, id=call_id)
    contents = [
        user("a"),
        types.Content(role="model", parts=[types.Part(function_call=asked)]),
        user("b"),
        types.Content(role="user", parts=[types.Part(function_response=late)]),
        user("c"),
    ]
    request = LlmRequest(contents=list(contents))
    await ContextFilterPlugin(num_invocations_to_keep=2).before_model_callback(callback_context=None, llm_request=request)
    assert request.contents == contents[1:]


async def test_a_filter_of_ones_own_is_given_what_is_left():
    plugin = ContextFilterPlugin(1, custom_filter=lambda contents: [*contents, user("and briefly")])
    texts, _ = await sent(plugin, ["a", "b"], "1", "2")
    assert texts == [["a", "and briefly"], ["b", "and briefly"]]


async def test_the_log_says_of_which_history_messages_were_left_out():
    runner = InMemoryRunner(
        LlmAgent(name="Ada", model=ScriptedLlm(script=["1", "2"])), app_name="play", plugins=[ContextFilterPlugin(1)]
    )
    await runner.session_service.create_session(app_name="play", user_id="u", session_id="s")
    for message in ("a", "b"):
        async for _ in runner.run_async(user_id="u", session_id="s", new_message=user(message)):
            pass
    log = await runner.session_service.read_log(app_name="play", user_id="u", session_id="s")
    first, second = [one.fields()["contents"] for one in log if one.kind == "model_started"]
    [last] = [one.seq for one in log if one.kind == "event" and one.event().text == "b"]
    assert "chosen_from" not in first
    assert (second["chosen_from"], second["until"], second["count"]) == ("default", last, 1)


async def test_a_filter_that_raises_changes_nothing():
    texts, _ = await sent(ContextFilterPlugin(1, custom_filter=lambda _: 1 / 0), ["a", "b"], "1", "2")
    assert texts == [["a"], ["a", "1", "b"]]


def test_a_remove_amount_of_none_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        ContextFilterPlugin(1, remove_amount=0)
