"""What is Gemini's own; what it has in common with other providers is in `test_conformance.py`."""

from __future__ import annotations

import asyncio
import base64
import logging

import pytest
from google.genai import types
from pydantic import BaseModel, SecretStr

from agents.errors import ApiKeyError, ModelTimeoutError, ProviderError
from agents.models.gemini import Gemini
from tests.agents.models.providers import ask, request
from tests.standins.gemini import Answer, blocked, calls, chunk, fails, over_quota, pauses, says, thinks_and_says

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


async def test_the_delay_that_a_server_asks_for_is_told(gemini, gemini_server):
    gemini_server.will(over_quota("37s"))

    with pytest.raises(ProviderError, match="asks to wait 37 seconds"):
        await ask(gemini)


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


async def test_without_a_key_it_says_which_variable_to_set(monkeypatch):
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)

    with pytest.raises(ApiKeyError, match=r"GEMINI_API_KEY.*simulated"):
        await ask(Gemini())


async def test_the_environment_is_read_at_each_call(monkeypatch, gemini_server):
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", gemini_server.url)
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    gemini_server.will(says("a"), says("b"), says("c"))
    model = Gemini()

    for name, value in [("GEMINI_API_KEY", "first"), ("GEMINI_API_KEY", "second"), ("GOOGLE_API_KEY", "wins")]:
        monkeypatch.setenv(name, value)
        await ask(model)
        await model.aclose()

    assert [received.headers["x-goog-api-key"] for received in gemini_server.received] == ["first", "second", "wins"]


@pytest.mark.parametrize("echoed", [f"The key {KEY} is bad.", f"x{KEY}y"])
async def test_the_key_is_in_no_error_log_or_repr(gemini, gemini_server, caplog, echoed):
    caplog.set_level(logging.DEBUG)
    gemini_server.will(fails(400, "INVALID_ARGUMENT", echoed), says("Yes."))

    with pytest.raises(ProviderError) as raised:
        await ask(gemini)
    await ask(gemini, stream=True)

    assert "•••" in str(raised.value)
    error = raised.value
    assert KEY not in f"{error}{error!r}{error.__cause__!r}{caplog.text}{gemini!r}{gemini.model_dump_json()}"


async def test_agents_with_one_key_share_one_connection(gemini_server):
    first, second = (Gemini(model=name, api_key=SecretStr(KEY), base_url=gemini_server.url) for name in ("a", "b"))
    gemini_server.will(says("one"), says("two"))

    await ask(first)
    await ask(second)

    assert first._client is second._client
    await first.aclose()
    await second.aclose()


def test_one_model_serves_several_event_loops(gemini_server):
    model = Gemini(api_key=SecretStr(KEY), base_url=gemini_server.url)

    async def once():
        gemini_server.will(says("Yes."))
        text = (await ask(model, stream=True))[-1].text
        await model.aclose()
        return text

    assert [asyncio.run(once()) for _ in range(2)] == ["Yes.", "Yes."]


async def test_concurrent_answers_do_not_mix(gemini, gemini_server):
    gemini_server.will(*(says(f"{n} ", f"{n} ", f"{n}") for n in range(8)))

    answers = await asyncio.gather(*(ask(gemini, stream=True) for _ in range(8)))

    assert sorted(answer[-1].text for answer in answers) == [f"{n} {n} {n}" for n in range(8)]
