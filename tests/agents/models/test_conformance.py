"""What every provider must do, whoever is behind it."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Sequence
from typing import Any

import pytest
from google.genai import types
from pydantic import BaseModel

from agents.errors import ProviderError
from agents.llm.llm_agent import LlmAgent
from agents.runtime.run_config import RunConfig, StreamingMode
from tests.agents.models.providers import KEY, PROVIDERS, Said, ask, provider_class, request, take
from tests.agents.stage import play

pytestmark = pytest.mark.anyio

TEXT = "Two words,\n\nand then some  more. "
streaming = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])

CODES = {
    "overloaded": {"503"},
    "internal": {"500"},
    "over_quota": {"429"},
    "unknown_model": {"404"},
    "bad_key": {"API_KEY_INVALID", "401", "403"},
    "missing_key": {"API_KEY_MISSING"},
    "cut": {"CONNECTION_CUT"},
    "cut_early": {"CONNECTION_CUT"},
    "malformed": {"BAD_RESPONSE"},
    "empty": {"EMPTY_RESPONSE"},
    "silent": {"TIMEOUT"},
}
"""The codes that the faults of servers may have."""

SERVERS = [provider for provider in PROVIDERS if "cut" in provider_class(provider).faults]
"""The providers that ask a server: only a connection can be cut."""

FOR_GOOD = {"bad_key", "missing_key", "unknown_model", "raises"}
"""Faults that the same request would meet again."""


def look(where: str = "here", at: list[Any] | None = None) -> dict[str, Any]:
    """Looks somewhere."""
    raise LookupError(f"It is dark at {where}.")


def stop() -> dict[str, Any]:
    """Stops."""
    return {"stopped": True}


class Stars(BaseModel):
    """What a review gives."""

    stars: int
    why: str


def each(*names: str, having: str, of: Sequence[str] = tuple(PROVIDERS)) -> pytest.MarkDecorator:
    """One test for each thing of `having` that a provider has."""
    pairs = [(provider, one) for provider in of for one in getattr(provider_class(provider), having)]
    return pytest.mark.parametrize(names, pairs, indirect=["provider"])


def those(having: str) -> pytest.MarkDecorator:
    """The providers of which `having` is true."""
    found = [provider for provider in PROVIDERS if getattr(provider_class(provider), having)]
    return pytest.mark.parametrize("provider", found, indirect=True)


# -- text


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


@pytest.mark.parametrize(
    "said",
    [
        Said(TEXT, (("look", {"at": [1, {"two": None}]}),), "First I look."),
        Said("Ünïcode, “quotes”, 1 < 2 & a 🙂 at the end 🙂"),
        Said("\n\n  {\"not\": 'json'} ```\ndata: [DONE]\n\ndata: x\n```\n"),
        Said(calls=(("stop", {}), ("look", {"where": "a\nb"}), ("stop", {}))),
        Said("long " * 500),
    ],
    ids=["all", "unicode", "like the wire", "calls", "long"],
)
async def test_streaming_does_not_change_the_whole(provider, said):
    model, asked = provider.will(said, said), request(functions=[look, stop])

    (whole,) = await ask(model, asked)
    *pieces, streamed = await ask(model, asked, stream=True)

    assert (whole.text, [(made.name, made.args) for made in whole.get_function_calls()]) == (said.text, list(said.calls))
    assert "".join(piece.text for piece in pieces) == said.text
    about_the_call = {"custom_metadata": None}
    assert streamed.model_copy(update=about_the_call) == whole.model_copy(update=about_the_call)


@streaming
async def test_thoughts_are_kept_apart_from_what_is_said(provider, stream):
    *pieces, whole = await ask(provider.will(Said("It is so.", thought="It may be so, or not.")), stream=stream)

    assert whole.text == "It is so."
    assert [part.text for part in whole.parts if part.thought] == ["It may be so, or not."]
    thoughts = [part.text for piece in pieces for part in piece.parts if part.thought]
    assert "".join(thoughts) == ("It may be so, or not." if stream else "")


# -- tools


@streaming
@pytest.mark.parametrize(
    "calls",
    [(("look", {"where": "here"}),), (("look", {"where": "here"}), ("look", {"where": "there"}), ("stop", {}))],
    ids=["one", "several"],
)
async def test_tool_calls_are_given_whole_and_in_order(provider, stream, calls):
    asked = request(functions=[look, stop])
    *pieces, whole = await ask(provider.will(Said("Let me see.", calls)), asked, stream=stream)

    assert [(made.name, made.args) for made in whole.get_function_calls()] == list(calls)
    assert whole.stop_reason == "tool_use"
    assert whole.text == "Let me see."
    assert not any(piece.get_function_calls() for piece in pieces)


@streaming
async def test_results_are_sent_in_the_order_of_the_calls_and_are_followed_by_an_answer(provider, stream):
    model = provider.will(Said(calls=(("look", {"where": "left"}), ("look", {"where": "right"}))), Said("I saw both."))
    asked = request(functions=[look])
    (*_, first) = await ask(model, asked, stream=stream)
    results = []
    for number, made in enumerate(first.get_function_calls()):
        made.id = made.id or f"adk-{number}"
        seen = {"seen": f"thing {number}"}
        results.append(types.Part(function_response=types.FunctionResponse(id=made.id, name="look", response=seen)))
    asked.contents += [first.content, types.Content(role="user", parts=results)]

    (*_, second) = await ask(model, asked, stream=stream)

    assert (second.text, second.stop_reason) == ("I saw both.", "end_turn")
    if (sent := provider.last_sent()) is not None:
        assert 0 < sent.index("left") < sent.index("right") < sent.index("thing 0") < sent.index("thing 1")


@streaming
async def test_an_agent_whose_tool_fails_tells_its_model_and_recovers(provider, stream):
    script = (Said(calls=(("look", {"where": "night"}),)), Said(calls=(("stop", {}),)), Said("It is too dark to see."))
    agent = LlmAgent(name="agent", model=provider.will(*script), tools=[look, stop])

    played = await play(agent, config=RunConfig(streaming_mode=StreamingMode.SSE if stream else StreamingMode.NONE))

    assert played.error is None
    events = [event for event in played.events if not event.partial]
    dark, stopped = (event.get_function_responses()[0].response for event in (events[1], events[3]))
    assert "It is dark at night." in dark["error"]
    assert stopped == {"stopped": True}
    assert (events[-1].text, events[-1].stop_reason) == ("It is too dark to see.", "end_turn")
    assert [record["stop_reason"] for record in played.records("model_finished")] == ["tool_use", "tool_use", "end_turn"]
    if (sent := provider.last_sent()) is not None:
        assert "It is dark at night." in sent


# -- schemas


@streaming
@pytest.mark.parametrize("schema", ["response_schema", "response_json_schema"])
async def test_json_comes_through_as_it_was_written(provider, stream, schema):
    answer = {"stars": 4, "why": 'short, "honest"'}
    given = Stars if schema == "response_schema" else Stars.model_json_schema()
    asked = request(response_mime_type="application/json", **{schema: given})

    (*_, whole) = await ask(provider.will(Said(json.dumps(answer))), asked, stream=stream)

    assert json.loads(whole.text) == answer
    if (sent := provider.last_sent()) is not None:
        assert all(name in sent for name in ('"stars"', '"why"'))


@streaming
async def test_an_agent_with_an_output_schema_gets_a_value(provider, stream):
    script = (Said('{"stars": "many"}'), Said('{"stars": 4, "why": "short"}'))  # it is told what is wrong once
    agent = LlmAgent(name="agent", model=provider.will(*script), output_schema=Stars, output_key="review")

    played = await play(agent, config=RunConfig(streaming_mode=StreamingMode.SSE if stream else StreamingMode.NONE))

    assert (played.error, played.state["review"]) == (None, {"stars": 4, "why": "short"})


# -- ends


@streaming
async def test_an_answer_without_content_is_an_end_and_no_error(provider, stream):
    (*_, whole) = await ask(provider.will(Said()), stream=stream)

    assert (whole.parts, whole.stop_reason, whole.error_code) == ([], "end_turn", None)


@streaming
@each("provider", "stop", having="stops")
async def test_an_interrupted_answer_says_why_it_stopped(provider, stop, stream):
    (*_, whole) = await ask(provider.will(Said("one two three", stop=stop)), request(max_output_tokens=4), stream=stream)

    assert (whole.text, whole.stop_reason) == ("one two three", stop)
    assert (whole.error_code is None) == (stop == "max_tokens")
    assert (whole.error_message is None) == (stop == "max_tokens")


@streaming
@those("counts_tokens")
async def test_usage_is_counted(provider, stream):
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


@those("hangs_in_mid_stream")
async def test_cancelling_in_mid_stream_ends_the_call_and_leaves_the_model_usable(provider):
    begun = asyncio.Event()

    async def follow(responses):
        try:
            async for response in responses:
                assert response.partial
                begun.set()
        finally:
            begun.set()  # whatever it was that ended it: it is raised below

    task = asyncio.create_task(follow(provider.will_hang().generate_content_async(request(), stream=True)))
    await begun.wait()
    await provider.hangs()

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    await provider.let_go()
    assert (await ask(provider.will(Said("Again.")), stream=True))[-1].text == "Again."


@those("hangs_in_mid_stream")
async def test_closing_a_stream_ends_the_call(provider):
    responses = provider.will_hang().generate_content_async(request(), stream=True)
    assert (await anext(responses)).partial

    await responses.aclose()

    await provider.let_go()
    with pytest.raises(StopAsyncIteration):
        await anext(responses)


# -- failures


@streaming
@each("provider", "fault", having="faults")
async def test_a_fault_becomes_a_provider_error_that_says_what_to_do(provider, fault, stream):
    with pytest.raises(provider.faults[fault]) as raised:
        await ask(provider.will_fail(fault), stream=stream)

    error = raised.value
    assert error.retryable == (fault not in FOR_GOOD)
    assert error.code
    assert str(error).endswith(".")
    told = f"{error}{error!r}{error.__cause__!r}{error.__context__!r}{''.join(traceback.format_exception(error))}"
    assert KEY not in told


@streaming
@each("provider", "fault", having="faults", of=SERVERS)
async def test_a_servers_faults_have_the_same_codes_whoever_asks(provider, fault, stream):
    with pytest.raises(ProviderError) as raised:
        await ask(provider.will_fail(fault), stream=stream)

    assert raised.value.code in CODES[fault]
    assert bool(raised.value.retry_after) == (fault == "over_quota")


@pytest.mark.parametrize("provider", SERVERS, indirect=True)
@pytest.mark.parametrize(("fault", "begins"), [("cut", True), ("cut_early", False)])
async def test_pieces_come_before_a_cut_only_if_there_was_one(provider, fault, begins):
    model, pieces = provider.will_fail(fault), []

    with pytest.raises(ProviderError):
        await take(pieces, model.generate_content_async(request(), stream=True))

    assert all(piece.partial for piece in pieces)
    assert bool(pieces) == begins


@streaming
async def test_the_request_is_not_changed(provider, stream):
    asked = request("One", "Two", max_output_tokens=50, temperature=0.5)
    asked.contents.append(
        types.Content(role="model", parts=[types.Part(function_call=types.FunctionCall(id="adk-1", name="f"))])
    )
    before = [content.model_copy(deep=True) for content in asked.contents], asked.config.model_copy(deep=True)

    await ask(provider.will(Said("Yes.")), asked, stream=stream)

    assert (asked.contents, asked.config) == before
