"""What is Gemini's own; what it has in common with other providers is in `test_conformance.py`."""

from __future__ import annotations

import asyncio
import base64

import pytest
from google.genai import types
from pydantic import BaseModel, SecretStr

from agents import LlmAgent, RunConfig, SequentialAgent
from agents.errors import EmptyResponseError, ModelTimeoutError, ProviderError
from agents.models.gemini.model import Gemini
from agents.models.gemini.names import nearest_names
from agents.models.gemini.spec import PROVIDER
from agents.models.pricing import list_prices, price_of
from agents.models.tool_arguments.unreadable_call import why_unreadable
from agents.runtime.run_config import StreamingMode
from tests.agents.models.providers import ask, request
from tests.agents.stage import play
from tests.standins.gemini import (
    Answer,
    blocked,
    calls,
    chunk,
    fails,
    late,
    over_quota,
    overloaded,
    pauses,
    says,
    thinks_and_says,
    usage_of,
)

pytestmark = pytest.mark.anyio

KEY = "key-that-nobody-may-see"


@pytest.fixture
async def gemini(gemini_server):
    model = Gemini(api_key=SecretStr(KEY), base_url=gemini_server.url)
    yield model
    await model.aclose()


async def sent(gemini, server, asked):
    server.will(says("Yes."))
    await ask(gemini, asked)
    return server.received[-1].body


@pytest.mark.parametrize("stream", [False, True])
async def test_where_a_request_goes_and_with_which_key(gemini, gemini_server, stream):
    gemini_server.will(says("Yes."))
    asked = request()
    asked.model = "gemini-9-pro"

    await ask(gemini, asked, stream=stream)

    received = gemini_server.received[0]
    method = "streamGenerateContent" if stream else "generateContent"
    assert received.path.endswith(f"/models/gemini-9-pro:{method}")
    assert received.query == ("alt=sse" if stream else "")
    assert received.headers["x-goog-api-key"] == KEY
    assert KEY not in f"{received.path}?{received.query}{received.body}"


async def test_what_is_sent(gemini, gemini_server):
    schema = {"type": "object", "properties": {"at": {"type": "string"}}}
    tool = types.FunctionDeclaration(name="look", description="Looks.", parameters_json_schema=schema)
    asked = request("Where?", temperature=0.25, tools=[types.Tool(function_declarations=[tool])])

    body = await sent(gemini, gemini_server, asked)

    assert body["contents"] == [{"role": "user", "parts": [{"text": "Where?"}]}]
    assert body["systemInstruction"]["parts"] == [{"text": "Answer."}]
    assert body["generationConfig"] == {"temperature": 0.25}
    (declared,) = body["tools"][0]["functionDeclarations"]
    assert (declared["name"], declared["description"]) == ("look", "Looks.")
    # Either spelling is right in protobuf's JSON; the SDK leaves this one field as Python spells it.
    assert (declared.get("parametersJsonSchema") or declared.get("parameters_json_schema")) == schema


async def test_a_schema_is_sent(gemini, gemini_server):
    class Stars(BaseModel):
        stars: int

    body = await sent(gemini, gemini_server, request(response_mime_type="application/json", response_schema=Stars))

    assert body["generationConfig"]["responseMimeType"] == "application/json"
    assert body["generationConfig"]["responseSchema"]["properties"]["stars"]["type"] == "INTEGER"


async def test_our_own_label_stays_here(gemini, gemini_server):
    assert "labels" not in await sent(gemini, gemini_server, request())

    body = await sent(gemini, gemini_server, request(labels={"adk_agent_name": "agent", "team": "red"}))

    assert body["labels"] == {"team": "red"}


async def test_call_ids_and_thought_signatures_of_gemini_go_back(gemini, gemini_server):
    asked = request()
    call = types.FunctionCall(id="theirs", name="look", args={})
    result = types.FunctionResponse(id="theirs", name="look", response={"n": 1})
    asked.contents += [
        types.Content(role="model", parts=[types.Part(function_call=call, thought_signature=b"sign")]),
        types.Content(role="user", parts=[types.Part(function_response=result)]),
    ]

    body = await sent(gemini, gemini_server, asked)

    called, answered = (content["parts"][0] for content in body["contents"][1:])
    assert (called["functionCall"]["id"], answered["functionResponse"]["id"]) == ("theirs", "theirs")
    assert base64.urlsafe_b64decode(called["thoughtSignature"]) == b"sign"


@pytest.mark.parametrize("texts", [[], ["model"]], ids=["empty", "ends with the model"])
async def test_a_conversation_ends_with_the_user(gemini, gemini_server, texts):
    asked = request()
    asked.contents = [types.Content(role="model", parts=[types.Part(text=text)]) for text in texts]

    body = await sent(gemini, gemini_server, asked)

    assert [content["role"] for content in body["contents"]] == [*texts, "user"]
    assert len(asked.contents) == len(texts)


async def test_thoughts_and_their_signatures_are_kept(gemini, gemini_server):
    signature = base64.b64encode(b"sign").decode()
    call = chunk({"functionCall": {"id": "g-1", "name": "look", "args": {}}, "thoughtSignature": signature})
    gemini_server.will(
        Answer((*thinks_and_says("hm, well", "I ", "look.").steps[:-1], call, chunk(finish="STOP", usage=True)))
    )

    (*_, whole) = await ask(gemini, stream=True)

    thought, text, called = whole.parts
    assert (thought.text, thought.thought, text.text) == ("hm, well", True, "I look.")
    assert (called.function_call.id, called.thought_signature) == ("g-1", b"sign")
    assert (whole.model_version, whole.finish_reason) == ("gemini-stand-in", types.FinishReason.STOP)


async def test_usage_is_that_of_the_last_chunk_that_has_it(gemini, gemini_server):
    early = {**chunk({"text": "a"}), "usageMetadata": {"promptTokenCount": 1}}
    gemini_server.will(Answer((early, chunk({"text": "b"}, finish="STOP", usage=True), chunk())))

    (*_, whole) = await ask(gemini, stream=True)

    assert whole.usage_metadata.total_token_count == 12


async def test_parallel_calls_come_without_made_up_ids(gemini, gemini_server):
    gemini_server.will(calls(("look", {"at": 1}), ("look", {"at": 2})))

    (whole,) = await ask(gemini)

    assert [made.id for made in whole.get_function_calls()] == [None, None]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_blocked_prompt_says_so(gemini, gemini_server, stream):
    gemini_server.will(blocked("PROHIBITED_CONTENT"))

    (whole,) = await ask(gemini, stream=stream)

    assert (whole.stop_reason, whole.error_code, whole.content) == ("safety", "PROMPT_BLOCKED_PROHIBITED_CONTENT", None)
    assert "did not take the prompt" in whole.error_message
    assert whole.usage_metadata.total_token_count == 12


async def test_a_limit_reached_before_the_first_word_is_explained(gemini, gemini_server):
    gemini_server.will(says(finish="MAX_TOKENS"))

    (whole,) = await ask(gemini)

    assert (whole.stop_reason, whole.error_code) == ("max_tokens", "MAX_TOKENS")
    assert "max_output_tokens" in whole.error_message


@pytest.mark.parametrize("reason", [reason for reason in types.FinishReason if reason.value != "CONTINUATION"])
async def test_every_finish_reason_has_a_stop_reason(gemini, gemini_server, reason):
    gemini_server.will(says("so far", finish=reason.value))

    (whole,) = await ask(gemini)

    assert whole.finish_reason is reason
    natural = {"STOP": "end_turn", "FINISH_REASON_UNSPECIFIED": "end_turn", "MAX_TOKENS": "max_tokens"}
    assert whole.stop_reason in ({natural[reason.value]} if reason.value in natural else {"safety", "error"})
    assert bool(whole.error_message) == (reason.value not in natural)


async def test_a_stream_that_ends_without_an_end_was_cut(gemini, gemini_server):
    gemini_server.will(Answer((chunk({"text": "Once"}),)))

    with pytest.raises(ProviderError, match="cut before the answer was whole") as raised:
        await ask(gemini, stream=True)

    assert raised.value.retryable


async def test_an_error_in_mid_stream_is_raised_after_what_was_said(gemini, gemini_server):
    gemini_server.will(Answer((chunk({"text": "Once"}), *fails(503, "UNAVAILABLE", "Overloaded.").steps)))
    responses = gemini.generate_content_async(request(), stream=True)

    assert (await anext(responses)).text == "Once"
    with pytest.raises(ProviderError) as raised:
        await anext(responses)

    assert (raised.value.code, raised.value.retryable) == ("503", True)


@pytest.mark.parametrize("stream", [False, True])
async def test_usage_tells_what_was_cached_and_what_was_thought(gemini, gemini_server, stream):
    gemini_server.will(says("Yes.", usage=usage_of(cached=4, thoughts=3)))

    (*_, whole) = await ask(gemini, stream=stream)

    usage = whole.usage_metadata
    assert (usage.prompt_token_count, usage.cached_content_token_count) == (7, 4)
    assert (usage.candidates_token_count, usage.thoughts_token_count, usage.total_token_count) == (5, 3, 15)


@pytest.mark.parametrize("mode", StreamingMode)
async def test_ids_and_signatures_of_the_server_go_back_to_it_and_our_ids_do_not(gemini, gemini_server, mode):
    signed = {
        "functionCall": {"id": "g-1", "name": "look", "args": {}},
        "thoughtSignature": base64.b64encode(b"sign").decode(),
    }
    without = {"functionCall": {"name": "look", "args": {}}}
    both = Answer((chunk({"text": "hm", "thought": True}), chunk(signed), chunk(without), chunk(finish="STOP")))
    gemini_server.will(both, says("Done."))

    def look() -> str:
        """Looks."""
        return "a bird"

    played = await play(LlmAgent(name="agent", model=gemini, tools=[look]), config=RunConfig(streaming_mode=mode))

    assert played.error is None
    _, called, answered = gemini_server.received[1].body["contents"]
    first, second = called["parts"]
    assert (first["functionCall"]["id"], base64.urlsafe_b64decode(first["thoughtSignature"])) == ("g-1", b"sign")
    assert "id" not in second["functionCall"]
    assert "thoughtSignature" not in second
    results = [part["functionResponse"] for part in answered["parts"]]
    assert [(result.get("id"), result["name"], result["response"]) for result in results] == [
        ("g-1", "look", {"result": "a bird"}),
        (None, "look", {"result": "a bird"}),
    ]


async def test_each_agent_has_its_own_settings(gemini, gemini_server):
    gemini_server.will(says("one"), says("two"))
    careful = types.GenerateContentConfig(temperature=0, max_output_tokens=9, stop_sequences=["END"])
    agents = [
        LlmAgent(name="careful", model=gemini, instruction="Be careful.", generate_content_config=careful),
        LlmAgent(name="free", model=gemini, instruction="Be free."),
    ]

    await play(SequentialAgent(name="both", sub_agents=agents))

    first, second = (received.body for received in gemini_server.received)
    assert [body["systemInstruction"]["parts"][0]["text"] for body in (first, second)] == [
        'You are an agent. Your internal name is "careful".\n\nBe careful.',
        'You are an agent. Your internal name is "free".\n\nBe free.',
    ]
    assert first["generationConfig"] == {"temperature": 0, "maxOutputTokens": 9, "stopSequences": ["END"]}
    assert not second.get("generationConfig")


async def test_the_sdk_never_tries_again_by_itself(gemini, gemini_server):
    gemini_server.always(overloaded())
    eager = types.HttpRetryOptions(attempts=3, initial_delay=0.001, max_delay=0.001)

    with pytest.raises(ProviderError, match="overloaded"):
        await ask(gemini, request(http_options=types.HttpOptions(retry_options=eager)))

    assert len(gemini_server.received) == 1


async def test_a_late_first_byte_is_waited_for(gemini, gemini_server):
    gemini_server.will(pauses(then=says("late")))
    asked = asyncio.create_task(ask(gemini, stream=True))
    assert await asyncio.to_thread(gemini_server.paused.wait, 10)
    assert not asked.done()

    gemini_server.release()

    assert (await asked)[-1].text == "late"


async def test_silence_in_mid_stream_ends_the_call_and_the_connection(gemini, gemini_server):
    gemini_server.will(pauses("Once "))
    responses = gemini.generate_content_async(request(), stream=True)
    assert (await anext(responses)).text == "Once "

    gemini.timeout = 0.05
    with pytest.raises(ModelTimeoutError, match=r"silent for 0\.05 seconds"):
        await anext(responses)

    assert await asyncio.to_thread(gemini_server.disconnected.wait, 10)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("answer", "seconds"),
    [
        (over_quota("37s"), 37.0),
        (over_quota("0.250s"), 0.25),
        (overloaded(retry_after="12"), 12.0),
        (overloaded(retry_after="in a while"), None),
        (overloaded(), None),
    ],
)
async def test_the_delay_that_a_server_asks_for_is_told(gemini, gemini_server, answer, seconds, stream):
    gemini_server.will(answer)

    with pytest.raises(ProviderError) as raised:
        await ask(gemini, stream=stream)

    assert raised.value.retry_after == seconds
    assert (f"asks to wait {seconds:g} seconds" if seconds else "again later") in str(raised.value)


async def test_a_late_refusal_is_one_all_the_same(gemini, gemini_server):
    gemini_server.will(late(over_quota("37s")))
    asked = asyncio.create_task(ask(gemini, stream=True))
    assert await asyncio.to_thread(gemini_server.paused.wait, 10)

    gemini_server.release()

    with pytest.raises(ProviderError, match="asks to wait 37 seconds"):
        await asked


async def test_nobody_there_is_told(gemini):
    unreachable = gemini.model_copy(update={"base_url": "http://127.0.0.1:9"})

    with pytest.raises(ProviderError, match="cannot be reached") as raised:
        await ask(unreachable)

    assert (raised.value.code, raised.value.retryable) == ("CONNECTION_FAILED", True)
    await unreachable.aclose()


async def test_a_proxy_that_answers_with_a_page_is_quoted(gemini, gemini_server):
    gemini_server.will(Answer((b"<html>Bad gateway</html>",), 502))

    with pytest.raises(ProviderError, match=r"502.*Bad gateway"):
        await ask(gemini)


async def test_settings_that_gemini_does_not_take_are_named(gemini):
    with pytest.raises(ProviderError, match="routing_config") as raised:
        await ask(gemini, request(routing_config=types.GenerationConfigRoutingConfig()))

    assert not raised.value.retryable


async def test_concurrent_answers_do_not_mix(gemini, gemini_server):
    gemini_server.will(*(says(f"{n} ", f"{n} ", f"{n}") for n in range(8)))

    answers = await asyncio.gather(*(ask(gemini, stream=True) for _ in range(8)))

    assert sorted(answer[-1].text for answer in answers) == [f"{n} {n} {n}" for n in range(8)]


# -- answers that are not what they seem


@pytest.mark.parametrize("stream", [False, True])
async def test_a_call_that_the_model_could_not_write_is_asked_for_once_more(gemini, gemini_server, stream):
    gemini_server.will(says(finish="MALFORMED_FUNCTION_CALL"), calls(("look", {"at": "sea"})))

    (*_, whole) = await ask(gemini, stream=stream)

    assert (whole.stop_reason, [call.args for call in whole.get_function_calls()]) == ("tool_use", [{"at": "sea"}])
    assert whole.usage_metadata.total_token_count == 24


async def test_it_is_asked_for_once_more_only(gemini, gemini_server):
    gemini_server.will(*[says(finish="MALFORMED_FUNCTION_CALL")] * 2, says("never asked for"))

    (whole,) = await ask(gemini)

    assert (whole.error_code, len(gemini_server.received)) == ("MALFORMED_FUNCTION_CALL", 2)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_call_beside_a_length_limit_is_made(gemini, gemini_server, stream):
    gemini_server.will(Answer((chunk({"functionCall": {"name": "look", "args": {"at": 1}}}, finish="MAX_TOKENS"),)))

    (*_, whole) = await ask(gemini, stream=stream)

    assert (whole.stop_reason, whole.error_code, len(whole.get_function_calls())) == ("tool_use", None, 1)


async def test_a_limit_that_was_used_up_by_thoughts_is_explained(gemini, gemini_server):
    gemini_server.will(Answer((chunk({"text": "Hm.", "thought": True}, finish="MAX_TOKENS"),)))

    (whole,) = await ask(gemini)

    assert (whole.stop_reason, whole.error_code) == ("max_tokens", "MAX_TOKENS")


async def test_an_answer_that_is_only_a_thought_is_empty(gemini, gemini_server):
    gemini_server.will(thinks_and_says("Hm."))

    played = await play(LlmAgent(name="a", model=gemini))

    assert isinstance(played.error, EmptyResponseError)


async def test_arguments_keep_their_digits_and_numbers_that_are_none_reach_no_tool(gemini, gemini_server):
    gemini_server.will(calls(("look", {"at": 10**30 + 1}), ("look", {"at": float("inf")})))

    (whole,) = await ask(gemini)

    first, second = whole.get_function_calls()
    assert (first.args, why_unreadable(first)) == ({"at": 10**30 + 1}, None)
    assert "inf" in (why_unreadable(second) or "")


# -- quotas, and models that are gone


async def test_a_quota_of_a_day_is_not_asked_again_and_says_so(gemini, gemini_server):
    quota = {"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "quotaValue": "20"}
    details = (
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [quota]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3s"},
    )
    gemini_server.will(fails(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", *details))

    played = await play(LlmAgent(name="a", model=gemini))

    assert isinstance(played.error, ProviderError)
    assert "quota of a day" in str(played.error)
    assert (played.error.retryable, len(gemini_server.received)) == (False, 1)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_model_that_is_gone_says_which_to_take(gemini, gemini_server, stream):
    gemini_server.will(fails(404, "NOT_FOUND", "This model models/gemini-2.5-pro is no longer available."))
    asked = request()
    asked.model = "gemini-2.5-pro"

    with pytest.raises(ProviderError, match=r"The server has, nearest first: gemini-3-pro, gemini-2\.5-flash") as raised:
        await ask(gemini, asked, stream=stream)

    assert (raised.value.code, raised.value.retryable) == ("404", False)


async def test_without_a_list_of_the_server_the_known_models_are_named(gemini, gemini_server):
    gone = fails(404, "NOT_FOUND", "models/gemini-2.5-flash-lite is not found.")
    gemini_server.will(gone, gone)
    asked = request()
    asked.model = "gemini-2.5-flash-lite"

    with pytest.raises(ProviderError, match=r"There are, nearest first: gemini-flash-lite-latest, gemini-3\.5-flash-lite"):
        await ask(gemini, asked)


def test_the_nearest_is_of_the_same_kind_and_lives_longest():
    names = ["gemini-4-argon", "gemini-2.5-flash", "gemini-3.8-flash", "gemini-flash-lite-latest"]
    pros = ["gemini-3.1-pro-preview", "gemini-2.5-flash", "gemini-pro-latest"]

    assert nearest_names("models/gemini-2.5-flash", names)[:2] == ["gemini-3.8-flash", "gemini-flash-lite-latest"]
    assert nearest_names("gemini-flsh-latest", ["gemini-pro-latest", "gemini-flash-latest"])[0] == "gemini-flash-latest"
    assert nearest_names("gemini-9-pro", pros)[:2] == ["gemini-pro-latest", "gemini-3.1-pro-preview"]


def test_models_that_are_offered_have_a_price_and_those_of_old_sessions_keep_theirs():
    assert [name for name in PROVIDER.models if price_of(name, list_prices()) is None] == []
    for name in ("gemini-2.5-flash", "gemini-2.5-pro-001", "gemini-2.5-flash-lite"):
        assert name not in PROVIDER.models
        assert price_of(name, list_prices())
