from __future__ import annotations

import pytest
from google.genai import types

from agents.errors import ProviderError, ScriptError
from agents.model import LlmResponse
from agents.models.answer import piece
from agents.models.scripted import ScriptedLlm, call
from tests.agents.models.providers import ask, request

pytestmark = pytest.mark.anyio


async def test_answers_come_in_the_order_of_the_script():
    model = ScriptedLlm(script=["one", [call("look", at="x")], ["Wait.", call("stop")]])

    answers = [(await ask(model))[-1] for _ in range(3)]

    assert [answer.text for answer in answers] == ["one", "", "Wait."]
    assert [[made.name for made in answer.get_function_calls()] for answer in answers] == [[], ["look"], ["stop"]]
    model.assert_used_up()


async def test_a_call_can_have_an_argument_called_name():
    assert call("greet", name="Ada").args == {"name": "Ada"}


async def test_it_keeps_the_requests_as_they_were():
    model = ScriptedLlm(script=["one", "two"])
    asked = request("First")
    await ask(model, asked)
    asked.contents.append(types.Content(role="user", parts=[types.Part(text="Second")]))
    await ask(model, asked)

    assert [len(kept.contents) for kept in model.requests] == [1, 2]
    assert model.requests[0].config is asked.config


async def test_one_call_too_many_is_an_error_at_once_and_again_at_the_end():
    model = ScriptedLlm(script=["one"])
    await ask(model)

    with pytest.raises(ScriptError, match=r"called 2 times.*only 1 answers"):
        await ask(model)
    with pytest.raises(ScriptError, match="called 2 times"):
        model.assert_used_up()


async def test_a_script_that_is_not_used_up_is_an_error():
    model = ScriptedLlm(script=["one", "two", "three"])
    await ask(model)

    with pytest.raises(ScriptError, match=r"called 1 times.*2 were never given, first 'two'"):
        model.assert_used_up()


async def test_leaving_the_context_checks_the_script():
    with pytest.raises(ScriptError), ScriptedLlm(script=["one"]):
        pass
    with ScriptedLlm(script=["one"]) as model:
        await ask(model)


async def test_another_error_is_not_covered_up_by_an_unused_script():
    with pytest.raises(ZeroDivisionError), ScriptedLlm(script=["one"]):
        raise ZeroDivisionError


@pytest.mark.parametrize("failure", [ProviderError("Down."), OSError, KeyboardInterrupt()])
async def test_exceptions_are_raised(failure):
    model = ScriptedLlm(script=[failure])

    with pytest.raises(failure if isinstance(failure, type) else type(failure)):
        await ask(model)
    model.assert_used_up()


async def test_functions_see_the_request_and_give_any_answer():
    async def later(_asked):
        return [call("look")]

    def fails(_asked):
        return ValueError("as asked")

    model = ScriptedLlm(script=[lambda asked: asked.contents[-1].parts[0].text.upper(), later, fails])

    assert (await ask(model, request("quiet")))[-1].text == "QUIET"
    assert (await ask(model))[-1].stop_reason == "tool_use"
    with pytest.raises(ValueError, match="as asked"):
        await ask(model)


async def test_responses_are_given_as_they_are_with_a_stop_reason():
    held = LlmResponse(error_code="SAFETY", error_message="No.", stop_reason="safety")
    model = ScriptedLlm(
        script=[held, LlmResponse(error_code="X"), types.Content(role="model", parts=[types.Part(text="a")])]
    )

    assert await ask(model) == [held]
    assert (await ask(model))[0].stop_reason == "error"
    assert (await ask(model))[0].stop_reason == "end_turn"


async def test_pieces_of_ones_own_are_given_when_streaming():
    whole = LlmResponse(content=types.Content(role="model", parts=[types.Part(text="ab")]), stop_reason="end_turn")
    pieces = [piece("a"), piece("b"), whole]
    model = ScriptedLlm(script=[pieces, pieces])

    assert await ask(model, stream=True) == pieces
    assert await ask(model) == [whole]


async def test_one_answer_used_twice_is_two_answers():
    made = [call("look")]
    model = ScriptedLlm(
        script=[made, made, LlmResponse(content=types.Content(role="model", parts=[types.Part(function_call=made[0])]))]
    )

    calls = [(await ask(model))[-1].get_function_calls()[0] for _ in range(3)]
    calls[0].id = "adk-1"

    assert [each.id for each in calls] == ["adk-1", None, None]
    assert made[0].id is None


@pytest.mark.parametrize("script", ["text", [3], [[3]], [["a", LlmResponse()]], [b"x"]])
async def test_what_cannot_be_played_is_refused_at_once(script):
    with pytest.raises((ScriptError, ValueError)):
        ScriptedLlm(script=script)
