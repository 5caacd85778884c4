"""A model offers options; the run waits for the choice and goes on with it."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import InMemoryRunner, LlmAgent, LongRunningFunctionTool, ToolContext, get_user_choice
from agents.access import OWNER
from agents.errors import AnswerError
from agents.models.scripted import ScriptedLlm, call
from agents.runs.pending_calls import option_of, options_of, read_pending
from agents.runs.values import SessionKey
from tests.agents.stage import user

pytestmark = pytest.mark.anyio


def ask_as_adk_does(options: list[str], tool_context: ToolContext) -> str | None:
    """A tool as ADK's own is written: it says that the model is not to be called again."""
    tool_context.actions.skip_summarization = True
    return None


ask_as_adk_does.__name__ = "get_user_choice"


@pytest.mark.parametrize("tool", [get_user_choice, LongRunningFunctionTool(ask_as_adk_does)], ids=["ours", "of_ones_own"])
async def test_the_run_pauses_with_the_options_and_goes_on_with_the_choice(tool):
    model = ScriptedLlm(script=[[call("get_user_choice", options=["tea", "coffee"])], "Tea it is."])
    runner = InMemoryRunner(LlmAgent(name="Ada", model=model, tools=[tool]), app_name="play")
    await runner.session_service.create_session(app_name="play", user_id="person", session_id="s")

    async def say(message):
        return [e async for e in runner.run_async(user_id="person", session_id="s", new_message=message)]

    (asked, *_) = await say(user("A drink?"))
    (pending,) = await read_pending(runner.session_service, SessionKey("play", "s", OWNER.id))
    assert asked.long_running_tool_ids == {pending.call_id}
    assert options_of(pending) == ("tea", "coffee")
    assert option_of(pending, "2") == option_of(pending, "coffee") == "coffee"
    for wrong in ("0", "3", "milk", "", "9" * 5000):
        with pytest.raises(AnswerError, match="tea, coffee"):
            option_of(pending, wrong)

    answer = types.FunctionResponse(id=pending.call_id, name="get_user_choice", response={"result": "tea"})
    events = await say(types.Content(role="user", parts=[types.Part(function_response=answer)]))

    assert [event.text for event in events] == ["Tea it is."]
    assert events[0].invocation_id == asked.invocation_id
    assert model.requests[1].contents[-1].parts[0].function_response.response == {"result": "tea"}
