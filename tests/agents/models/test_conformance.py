"""What every provider must do, whoever is behind it."""

from __future__ import annotations

import asyncio
import json

import pytest
from google.genai import types

from tests.agents.models.providers import PROVIDERS, Said, ask, request

pytestmark = pytest.mark.anyio

TEXT = "Two words,\n\nand then some  more. "
streaming = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


@streaming
async def test_text_is_answered_by_one_whole_response_that_comes_last(provider, stream):
    responses = await ask(provider.will(Said(TEXT)), stream=stream)

    assert [bool(response.partial) for response in responses].count(False) == 1
    whole = responses[-1]
    assert not whole.partial
    assert (whole.text, whole.stop_reason, whole.error_code) == (TEXT, "end_turn", None)
    assert whole.content.role == "model"
    assert len(whole.parts) == 1


async def test_streamed_pieces_add_up_to_the_whole(provider):
    *pieces, whole = await ask(provider.will(Said(TEXT)), stream=True)

    assert len(pieces) > 1
    assert all(piece.partial and piece.stop_reason is None for piece in pieces)
    assert "".join(piece.text for piece in pieces) == whole.text == TEXT


async def test_nothing_is_partial_unless_streaming(provider):
    (whole,) = await ask(provider.will(Said(TEXT)))

    assert not whole.partial


async def test_streaming_does_not_change_the_whole(provider):
    said = Said(TEXT, (("look", {"at": [1, {"two": None}]}),), "First I look.")
    model = provider.will(said, said)

    assert (await ask(model))[-1] == (await ask(model, stream=True))[-1]


@streaming
@pytest.mark.parametrize(
    "calls",
    [(("look", {"where": "here"}),), (("look", {"where": "here"}), ("look", {"where": "there"}), ("stop", {}))],
    ids=["one", "several"],
)
async def test_tool_calls_are_given_whole_and_in_order(provider, stream, calls):
    *pieces, whole = await ask(provider.will(Said("Let me see.", calls)), stream=stream)

    assert [(made.name, made.args) for made in whole.get_function_calls()] == list(calls)
    assert whole.stop_reason == "tool_use"
    assert whole.text == "Let me see."
    assert not any(piece.get_function_calls() for piece in pieces)


@streaming
async def test_a_tool_result_is_followed_by_an_answer(provider, stream):
    model = provider.will(Said(calls=(("look", {}),)), Said("I saw it."))
    asked = request()
    (*_, first) = await ask(model, asked, stream=stream)
    made = first.get_function_calls()[0]
    made.id = "adk-1"
    result = types.FunctionResponse(id="adk-1", name="look", response={"seen": True})
    asked.contents += [first.content, types.Content(role="user", parts=[types.Part(function_response=result)])]

    (*_, second) = await ask(model, asked, stream=stream)

    assert (second.text, second.stop_reason) == ("I saw it.", "end_turn")


@streaming
async def test_thoughts_are_kept_apart_from_what_is_said(provider, stream):
    *pieces, whole = await ask(provider.will(Said("It is so.", thought="It may be so, or not.")), stream=stream)

    assert whole.text == "It is so."
    assert [part.text for part in whole.parts if part.thought] == ["It may be so, or not."]
    thoughts = [part.text for piece in pieces for part in piece.parts if part.thought]
    assert "".join(thoughts) == ("It may be so, or not." if stream else "")


@streaming
async def test_json_comes_through_as_it_was_written(provider, stream):
    answer = {"stars": 4, "why": 'short, "honest"'}
    schema = {"type": "object", "properties": {"stars": {"type": "integer"}, "why": {"type": "string"}}}
    asked = request(response_mime_type="application/json", response_json_schema=schema)

    (*_, whole) = await ask(provider.will(Said(json.dumps(answer))), asked, stream=stream)

    assert json.loads(whole.text) == answer


@streaming
async def test_an_answer_without_content_is_an_end_and_no_error(provider, stream):
    (*_, whole) = await ask(provider.will(Said()), stream=stream)

    assert (whole.parts, whole.stop_reason, whole.error_code) == ([], "end_turn", None)


@streaming
@pytest.mark.parametrize("stop", ["max_tokens", "safety", "error"])
async def test_an_interrupted_answer_says_why_it_stopped(provider, stream, stop):
    if stop not in provider.stops:
        pytest.skip(f"{type(provider).__name__} never stops for {stop}")
    (*_, whole) = await ask(provider.will(Said("one two three", stop=stop)), request(max_output_tokens=4), stream=stream)

    assert (whole.text, whole.stop_reason) == ("one two three", stop)
    assert (whole.error_code is None) == (stop == "max_tokens")
    assert (whole.error_message is None) == (stop == "max_tokens")


@streaming
async def test_usage_is_counted(provider, stream):
    if not provider.counts_tokens:
        pytest.skip(f"{type(provider).__name__} counts no tokens")
    (*_, whole) = await ask(provider.will(Said("one two three")), stream=stream)

    usage = whole.usage_metadata
    assert usage.prompt_token_count > 0
    assert usage.candidates_token_count > 0
    assert usage.total_token_count == usage.prompt_token_count + usage.candidates_token_count


@streaming
async def test_cancelling_ends_the_call(provider, stream):
    task = asyncio.create_task(ask(provider.will_hang(), stream=stream))
    await provider.hangs()

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    await provider.let_go()


async def test_closing_a_stream_ends_the_call(provider):
    if isinstance(provider, PROVIDERS["scripted"]):
        pytest.skip("hangs before its first piece only")
    responses = provider.will_hang().generate_content_async(request(), stream=True)
    assert (await anext(responses)).partial

    await responses.aclose()

    await provider.let_go()
    with pytest.raises(StopAsyncIteration):
        await anext(responses)


@pytest.mark.parametrize(
    ("provider", "fault"), [(p, f) for p in PROVIDERS for f in PROVIDERS[p].faults], indirect=["provider"]
)
@streaming
async def test_a_fault_becomes_a_provider_error_that_says_what_to_do(provider, fault, stream):
    with pytest.raises(provider.faults[fault]) as raised:
        await ask(provider.will_fail(fault), stream=stream)

    error = raised.value
    assert error.retryable == (fault not in {"bad_key", "unknown_model", "raises"})
    assert error.code
    assert str(error).endswith(".")
    assert "key-of-a-test" not in f"{error}{error!r}{error.__cause__!r}"


@streaming
async def test_the_request_is_not_changed(provider, stream):
    asked = request("One", "Two", max_output_tokens=50, temperature=0.5)
    asked.contents.append(
        types.Content(role="model", parts=[types.Part(function_call=types.FunctionCall(id="adk-1", name="f"))])
    )
    before = [content.model_copy(deep=True) for content in asked.contents], asked.config.model_copy(deep=True)

    await ask(provider.will(Said("Yes.")), asked, stream=stream)

    assert (asked.contents, asked.config) == before
