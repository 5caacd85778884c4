"""`ReflectAndRetryToolPlugin`: what the model is told about failures, and when it is over."""

from __future__ import annotations

import pytest

from agents import InMemoryRunner, LlmAgent, ReflectAndRetryToolPlugin, TrackingScope
from agents.errors import PluginError
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import user

pytestmark = pytest.mark.anyio


def halve(n: int) -> dict:
    """Halves even numbers."""
    if n % 2:
        raise ValueError("odd")
    return {"half": n // 2, "ok": n != 4}


class Strict(ReflectAndRetryToolPlugin):
    """Takes a result that is not ok for an error."""

    async def extract_error_from_result(self, *, tool, tool_args, tool_context, result):
        return None if result.get("ok", True) else "not ok"


async def answers(plugin, *turns):
    """The responses to the calls that a model makes in each of several runs: numbers, or names of tools."""
    script = [part for turn in turns for part in (*([_call(one)] for one in turn), "Done.")]
    agent = LlmAgent(name="Ada", model=ScriptedLlm(script=script), tools=[halve])
    runner = InMemoryRunner(agent, app_name="play", plugins=[plugin])
    await runner.session_service.create_session(app_name="play", user_id="u", session_id="s")
    found = []
    for _ in turns:
        async for event in runner.run_async(user_id="u", session_id="s", new_message=user("go")):
            found += [response.response for response in event.get_function_responses()]
    return found


def _call(one):
    return call("halve", n=one) if isinstance(one, int) else call(one)


def counts(found):
    return [response.get("retry_count") for response in found]


async def test_the_model_is_told_what_failed_and_how_to_go_on():
    (told,) = await answers(ReflectAndRetryToolPlugin(), [3])
    guidance = told.pop("reflection_guidance")
    assert told == {
        "response_type": "ERROR_HANDLED_BY_REFLECT_AND_RETRY_PLUGIN",
        "error_type": "ValueError",
        "error_details": "odd",
        "retry_count": 1,
    }
    assert guidance.startswith('halve failed with ValueError: odd\nIts arguments were: {"n": 3}')


async def test_failures_in_a_row_are_counted_and_a_success_resets_them():
    assert counts(await answers(ReflectAndRetryToolPlugin(), [3, 5, 2, 7])) == [1, 2, None, 1]


async def test_one_failure_too_many_ends_the_run():
    with pytest.raises(PluginError, match="odd"):
        await answers(ReflectAndRetryToolPlugin(max_retries=2), [1, 1, 1])


async def test_or_the_model_is_told_to_give_up():
    plugin = ReflectAndRetryToolPlugin(max_retries=1, throw_exception_if_retry_exceeded=False)
    first, second = await answers(plugin, [1, 1])
    assert "Do not repeat the same call" in first["reflection_guidance"]
    assert "Do not call halve again" in second["reflection_guidance"]
    assert counts([first, second]) == [1, 1]


@pytest.mark.parametrize(("scope", "expected"), [(TrackingScope.INVOCATION, [1, 1]), (TrackingScope.GLOBAL, [1, 2])])
async def test_runs_are_counted_apart_or_together(scope, expected):
    assert counts(await answers(ReflectAndRetryToolPlugin(tracking_scope=scope), [1], [1])) == expected


async def test_a_result_can_be_an_error():
    (told,) = await answers(Strict(), [4])
    assert (told["error_type"], told["error_details"]) == ("ToolError", "not ok")


async def test_a_tool_that_does_not_exist_is_a_failure_too():
    (told,) = await answers(ReflectAndRetryToolPlugin(), ["halv"])
    assert "There is no tool 'halv'" in told["error_details"]


def test_a_negative_limit_is_refused():
    with pytest.raises(ValueError, match="negative"):
        ReflectAndRetryToolPlugin(max_retries=-1)
