"""What is Llama's own; what it has in common with other providers is in `test_conformance.py`."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest
from google.genai import types
from pydantic import BaseModel, SecretStr

from agents import LlmAgent, RunConfig
from agents.errors import ApiKeyError, EmptyResponseError, ModelTimeoutError, ProviderError
from agents.models import connections
from agents.models.abilities import learnt
from agents.models.abilities.learnt import forget_lessons, lessons
from agents.models.openai_compatible.errors import Server, as_error, refusal_in
from agents.models.openai_compatible.model import Llama
from agents.runtime.run_config import StreamingMode
from tests.agents.models.providers import ask, request
from tests.agents.stage import play
from tests.standins.openai_server import (
    Answer,
    calls,
    chunk,
    fails,
    loading,
    pauses,
    refuses_max_tokens,
    refuses_tools,
    says,
    thinks_and_says,
    too_long,
    unknown_model,
)

pytestmark = pytest.mark.anyio

KEY = "key-that-nobody-may-see"


def look(at: str) -> dict[str, str]:
    """Looks."""
    return {"at": at}


class Observer:
    """Keeps what is noted."""

    def __init__(self):
        self.notes = []

    def note(self, kind, **data):
        self.notes.append((kind, data))

    def limit_answer(self, limits):
        self.notes.append(("limits", limits))

    def fault_for(self, model):
        return None


@pytest.fixture
async def llama(openai_server):
    model = Llama(model="llama/small", base_url=openai_server.url, api_key=SecretStr(KEY))
    yield model
    await model.aclose()


def chats(server):
    return [received for received in server.received if received.path == "/chat/completions"]


# -- what small models write in place of a text


class Answered(BaseModel):
    response: str


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("functions", [[look], []], ids=["tools", "no tools"])
async def test_a_response_of_the_protocol_is_text_where_tools_are_native(llama, openai_server, functions, stream):
    openai_server.will(says('{"resp', 'onse": "It is', ' so."', ",}"))

    *pieces, whole = await ask(llama, request(functions=functions), stream=stream)

    assert "".join(piece.text for piece in pieces) in ("", "It is so.")
    assert (whole.text, whole.stop_reason) == ("It is so.", "end_turn")


@pytest.mark.parametrize("tools", [[look], []], ids=["tools", "no tools"])
async def test_an_output_schema_of_a_response_is_kept(llama, openai_server, tools):
    openai_server.will(says('{"response": "It is so."}'))

    played = await play(LlmAgent(name="a", model=llama, tools=tools, output_schema=Answered, output_key="said"))

    assert (played.error, played.state["said"]) == (None, {"response": "It is so."})


async def test_json_that_was_asked_for_without_a_schema_is_kept(llama, openai_server):
    openai_server.will(says('{"response": "It is so."}'))

    (whole,) = await ask(llama, request(response_mime_type="application/json"), stream=False)

    assert whole.text == '{"response": "It is so."}'


# -- where and how it asks


@pytest.mark.parametrize("stream", [False, True])
async def test_where_a_request_goes_and_with_which_key(llama, openai_server, stream):
    openai_server.will(says("Yes."))
    asked = request()
    asked.model = "llama/org/large"

    await ask(llama, asked, stream=stream)

    (received,) = openai_server.received
    assert (received.method, received.path, received.query) == ("POST", "/chat/completions", "")
    assert (received.body["model"], received.body["stream"]) == ("org/large", stream)
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.body["max_tokens"] == 2048


async def test_what_was_typed_is_read_at_each_call(monkeypatch, openai_server):
    monkeypatch.setenv("LLAMA_BASE_URL", openai_server.url + "/")
    monkeypatch.delenv("LLAMA_API_KEY", raising=False)
    openai_server.will(says("a"), says("b"))
    model = Llama()

    await ask(model)
    monkeypatch.setenv("LLAMA_API_KEY", "from-the-environment")
    await ask(model)
    await model.aclose()

    assert [received.headers.get("authorization") for received in openai_server.received] == [
        None,
        "Bearer from-the-environment",
    ]


async def test_models_are_listed_as_the_registry_takes_them(monkeypatch, openai_server):
    monkeypatch.setenv("LLAMA_BASE_URL", openai_server.url)

    assert await Llama.list_models() == ["llama/small", "llama/large"]
    openai_server.key = "another"
    with pytest.raises(ApiKeyError, match="Settings page"):
        await Llama.list_models()
    await Llama().aclose()


def test_one_model_serves_several_event_loops(openai_server):
    model = Llama(base_url=openai_server.url)

    async def once():
        openai_server.will(says("Yes."))
        said = (await ask(model, stream=True))[-1].text
        await model.aclose()
        return said

    assert [asyncio.run(once()) for _ in range(2)] == ["Yes.", "Yes."]


async def test_concurrent_answers_do_not_mix(llama, openai_server):
    openai_server.will(*(says(f"{n} ", f"{n} ", f"{n}") for n in range(8)))

    answers = await asyncio.gather(*(ask(llama, stream=True) for _ in range(8)))

    assert sorted(answer[-1].text for answer in answers) == [f"{n} {n} {n}" for n in range(8)]


# -- how tools are offered


@pytest.mark.parametrize(("owner", "native"), [("llamacpp", False), ("vllm", True)])
async def test_a_server_is_asked_once_who_it_is(llama, openai_server, owner, native):
    openai_server.owner = owner
    openai_server.will(says("{}"), says("{}"))

    for _ in range(2):
        await ask(llama, request(functions=[look]))

    assert [received.path for received in openai_server.received] == ["/models", "/chat/completions", "/chat/completions"]
    assert ["tools" in received.body for received in chats(openai_server)] == [native] * 2
    assert ["response_format" in received.body for received in chats(openai_server)] == [not native] * 2


async def test_it_is_not_asked_where_that_makes_no_difference(llama, openai_server):
    openai_server.will(says("Yes."), says("Yes."))

    await ask(llama)
    await ask(llama.model_copy(update={"tool_protocol": "native"}), request(functions=[look]))

    assert [received.path for received in openai_server.received] == ["/chat/completions"] * 2


async def test_not_to_say_who_one_is_is_no_failure(llama, openai_server):
    openai_server.lists = fails(404, "not_found_error", "File Not Found")
    openai_server.will(says("Yes."))

    assert (await ask(llama, request(functions=[look])))[-1].text == "Yes."
    assert "tools" in chats(openai_server)[0].body


@pytest.mark.parametrize("stream", [False, True])
async def test_a_server_that_refuses_tools_is_asked_in_words_from_then_on(llama, openai_server, stream):
    call = json.dumps({"tool_call": {"name": "look", "arguments": {"at": "sea"}}})
    openai_server.will(refuses_tools(), says(call), says(call))
    asked, observer = request(functions=[look]), Observer()
    asked.observer = observer

    for _ in range(2):
        (*_, whole) = await ask(llama, asked, stream=stream)
        assert [(made.name, made.args) for made in whole.get_function_calls()] == [("look", {"at": "sea"})]

    assert ["tools" in received.body for received in chats(openai_server)] == [True, False, False]
    ((kind, data),) = observer.notes
    assert (kind, data["model"], data["protocol"]) == ("tool_protocol", "llama/small", "json")
    assert "--jinja" in data["reason"]


async def test_a_server_that_cannot_hold_to_a_schema_is_asked_without(llama, openai_server):
    openai_server.owner = "llamacpp"
    openai_server.will(fails(400, "invalid_request_error", "failed to parse grammar"), says('{"response": "Yes."}'))

    assert (await ask(llama, request(functions=[look])))[-1].text == "Yes."
    assert ["response_format" in received.body for received in chats(openai_server)] == [True, False]


@pytest.mark.parametrize("owner", ["openai", "llamacpp"])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_server_that_calls_the_limit_otherwise_is_told_so_from_then_on(llama, openai_server, stream, owner):
    openai_server.owner = owner
    openai_server.will(refuses_max_tokens(), *[says('{"response": "Yes."}')] * 2)
    asked, observer = request(functions=[look]), Observer()
    asked.config.max_output_tokens = 7
    asked.observer = observer

    for _ in range(2):
        assert "Yes." in (await ask(llama, asked, stream=stream))[-1].text

    limits = [
        {name: received.body.get(name) for name in ("max_tokens", "max_completion_tokens")}
        for received in chats(openai_server)
    ]
    refused, *others = limits
    assert refused == {"max_tokens": 7, "max_completion_tokens": None}
    assert others == [{"max_tokens": None, "max_completion_tokens": 7}] * 2
    assert [kind for kind, _ in observer.notes if kind != "limits"] == []


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "registry.ollama.ai/library/small does not support tools"),
        (400, "This model doesn't support function calling."),
        (400, "Tool use is not supported by this model."),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (404, 'No endpoints found that support tool use. Try disabling "look".'),
        (422, "Unknown field: 'tools'"),
        (500, "tools param requires --jinja flag"),
    ],
)
async def test_an_error_that_says_that_there_are_no_tools_counts(llama, openai_server, status, said):
    openai_server.will(fails(status, "error", said), says('{"response": "Yes."}'))

    assert (await ask(llama, request(functions=[look])))[-1].text == "Yes."
    assert ["tools" in received.body for received in chats(openai_server)] == [True, False]


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "tools[0].function.parameters: the keyword 'pattern' is not supported"),
        (400, "Invalid schema for function 'look': 'oneOf' is not supported"),
        (400, "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"),
        (500, "Failed to run the tool parser: look is broken"),
        (400, "Unknown parameter: 'tools[0].strict'"),
        (500, "The tool server is overloaded"),
        (400, "tool_choice 'required' is not supported"),
        (400, "Too many tools: 200 given, 128 supported"),
    ],
)
async def test_an_error_that_only_mentions_tools_does_not(llama, openai_server, status, said):
    openai_server.will(fails(status, "error", said), calls(("look", {"at": "sea"})))

    with pytest.raises(ProviderError):
        await ask(llama, request(functions=[look]))
    await ask(llama, request(functions=[look]))

    assert ["tools" in received.body for received in chats(openai_server)] == [True, True]
    assert [lesson for lesson in lessons() if lesson.address == openai_server.url] == []


async def test_what_was_learnt_is_shown_is_of_one_model_can_be_forgotten_and_is_so_in_time(
    llama, openai_server, monkeypatch
):
    def tools_sent():
        return ["tools" in received.body for received in chats(openai_server)]

    async def asks(model="llama/small"):
        asked = request(functions=[look])
        asked.model = model
        await ask(llama, asked)

    clock = learnt.now()
    monkeypatch.setattr(learnt, "now", lambda: clock)
    openai_server.will(refuses_tools(), says('{"response": "Yes."}'))
    await asks()
    (lesson,) = [lesson for lesson in lessons() if lesson.address == openai_server.url]
    assert (lesson.model, "--jinja" in lesson.words, KEY in lesson.words) == ("llama/small", True, False)

    openai_server.will(*[calls(("look", {"at": "sea"}))] * 3)
    await asks("llama/large")
    assert tools_sent() == [True, False, True]
    forget_lessons("llama/small")
    await asks()
    assert tools_sent() == [True, False, True, True]

    openai_server.reset()
    openai_server.will(refuses_tools(), says('{"response": "Yes."}'), calls(("look", {"at": "sea"})))
    llama.base_url = openai_server.url
    await asks()
    clock += learnt.KEPT_SECONDS
    await asks()
    assert tools_sent() == [True, False, True]
    assert [lesson for lesson in lessons() if lesson.address == openai_server.url] == []


@pytest.mark.parametrize(("owner", "bounded"), [("llamacpp", True), ("vllm", False), (None, False)])
async def test_a_schema_is_changed_only_for_the_grammar_of_llama_cpp(llama, openai_server, owner, bounded):
    openai_server.owner = owner
    openai_server.will(says('{"response": "Yes."}'))
    asked = request(response_schema=Answered)
    asked.observer = observer = Observer()

    await ask(llama, asked)

    assert observer.notes == ([("limits", {"characters": 2000})] if bounded else [])
    schema = chats(openai_server)[0].body["response_format"]["json_schema"]["schema"]
    assert ("maxLength" in schema["properties"]["response"]) == bounded
    assert bounded or schema == Answered.model_json_schema()


async def test_who_wants_native_tools_is_told_that_they_are_refused(llama, openai_server):
    openai_server.will(refuses_tools())

    with pytest.raises(ProviderError, match="--jinja"):
        await ask(llama.model_copy(update={"tool_protocol": "native"}), request(functions=[look]))


@pytest.mark.parametrize("answer", [too_long(), fails(500, "server_error", "Out of memory")])
async def test_other_refusals_change_nothing(llama, openai_server, answer):
    openai_server.will(answer, calls(("look", {"at": "sea"})))

    with pytest.raises(ProviderError):
        await ask(llama, request(functions=[look]))
    await ask(llama, request(functions=[look]))

    assert ["tools" in received.body for received in chats(openai_server)] == [True, True]


async def test_ids_are_needed_unless_tools_are_told_in_words(llama):
    assert llama.pairs_calls_by_id
    assert not llama.model_copy(update={"tool_protocol": "json"}).pairs_calls_by_id


async def test_ids_of_calls_come_back_with_their_results(llama, openai_server):
    openai_server.will(calls(("look", {"at": "sea"}), ("look", {"at": "sky"})), says("Both."))
    asked = request(functions=[look])
    (*_, whole) = await ask(llama, asked, stream=True)
    made = whole.get_function_calls()
    results = [types.FunctionResponse(id=one.id, name="look", response={}) for one in made]
    asked.contents += [
        whole.content,
        types.Content(role="user", parts=[types.Part(function_response=one) for one in results]),
    ]

    await ask(llama, asked)

    *_, told, first, second = chats(openai_server)[-1].body["messages"]
    assert (
        [one["id"] for one in told["tool_calls"]] == [first["tool_call_id"], second["tool_call_id"]] == ["call_1", "call_2"]
    )


# -- what goes wrong


async def test_nobody_there_is_told_with_the_way_to_start_it(llama):
    unreachable = llama.model_copy(update={"base_url": "http://127.0.0.1:9/v1"})

    with pytest.raises(ProviderError, match=r"127\.0\.0\.1:9/v1.*llama-server.*--port 9.*Settings page") as raised:
        await ask(unreachable)

    assert (raised.value.code, raised.value.retryable) == ("CONNECTION_FAILED", True)


async def test_an_address_with_a_password_is_shown_without(llama):
    unreachable = llama.model_copy(update={"base_url": "http://me:hidden@127.0.0.1:9/v1"})

    with pytest.raises(ProviderError) as raised:
        await ask(unreachable)

    assert "hidden" not in f"{raised.value}{raised.value.__cause__!r}"


@pytest.mark.parametrize(
    ("answer", "code", "retryable", "words"),
    [
        (loading(), "503", True, "still loading its model"),
        (too_long(), "400", False, "too long for llama/small.*9000 tokens.*larger context"),
        (unknown_model(), "404", False, "knows no model 'small'"),
        (fails(404, "not_found_error", "File Not Found"), "404", False, "usually ends in /v1"),
        (fails(400, "invalid_request_error", "The model 'small' does not exist"), "404", False, "knows no model"),
        (fails(400, "invalid_request_error", "temperature must be less than 2"), "400", False, "Change what it objects to"),
        (fails(429, "insufficient_quota", "You exceeded your quota"), "429", False, "quota"),
        (fails(403, "x", "no"), "403", False, "did not accept the API key"),
        (Answer((b"<html>Bad gateway</html>",), 502), "502", True, "Bad gateway"),
        (Answer((b"",), 301, (("location", "http://elsewhere"),)), "301", False, "elsewhere"),
        (Answer((b"<html>Hello</html>",)), "BAD_RESPONSE", True, "not JSON"),
        (Answer((b"[1]",)), "BAD_RESPONSE", True, "another program"),
    ],
)
async def test_what_a_server_refuses_for_is_told(llama, openai_server, answer, code, retryable, words):
    openai_server.will(answer)

    with pytest.raises(ProviderError, match=words) as raised:
        await ask(llama)

    assert (raised.value.code, raised.value.retryable) == (code, retryable)
    assert openai_server.url in str(raised.value)


@pytest.mark.parametrize(
    ("answer", "seconds"),
    [
        (fails(429, "rate_limit", "Slow down.", retry_after="3"), 3.0),
        (fails(429, "rate_limit", "Please try again in 7.66s."), 7.66),
        (fails(429, "rate_limit", "Please try again in 1m2.5s."), 62.5),
        (fails(429, "rate_limit", "Please try again in 850ms."), 0.85),
        (fails(429, "rate_limit", "Slow down."), None),
        (fails(503, "unavailable_error", "Busy.", retry_after="2"), 2.0),
    ],
)
async def test_the_delay_that_a_server_asks_for_is_told(llama, openai_server, answer, seconds):
    openai_server.will(answer)

    with pytest.raises(ProviderError) as raised:
        await ask(llama)

    assert raised.value.retry_after == seconds


async def test_a_key_that_is_missing_is_asked_for(monkeypatch, llama, openai_server):
    monkeypatch.delenv("LLAMA_API_KEY", raising=False)
    openai_server.will(fails(401, "authentication_error", "Invalid API Key"))

    with pytest.raises(ApiKeyError, match="wants an API key and there is none") as raised:
        await ask(llama.model_copy(update={"api_key": None}))

    assert raised.value.code == "API_KEY_MISSING"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"error": {"code": 503, "message": "Overloaded", "type": "x"}}, "503"),
        ({"error": {"message": "Too many", "type": "rate_limit_error", "code": "rate_limit_exceeded"}}, "429"),
        ({"error": "the runner has died"}, "500"),
    ],
)
async def test_an_error_in_mid_stream_is_raised_after_what_was_said(llama, openai_server, error, code):
    openai_server.will(Answer((chunk(content="Once"), error)))
    responses = llama.generate_content_async(request(), stream=True)

    assert (await anext(responses)).text == "Once"
    with pytest.raises(ProviderError) as raised:
        await anext(responses)

    assert (raised.value.code, raised.value.retryable) == (code, True)


async def test_a_stream_that_ends_without_an_end_was_cut(llama, openai_server):
    event = b"data: " + json.dumps(chunk(content="Once")).encode() + b"\n\n"
    openai_server.on_wire = lambda answer, received: ("text/event-stream", [event])
    try:
        openai_server.will(says())
        with pytest.raises(ProviderError, match="cut before the answer was whole"):
            await ask(llama, stream=True)
    finally:
        del openai_server.on_wire


async def test_an_end_mark_without_a_reason_ends_an_answer(llama, openai_server):
    openai_server.will(Answer((chunk(content="Once"),)))

    (*_, whole) = await ask(llama, stream=True)

    assert (whole.text, whole.stop_reason) == ("Once", "end_turn")


@pytest.mark.parametrize("stream", [False, True])
async def test_a_tool_is_not_run_with_arguments_that_were_cut_off_and_the_model_may_try_again(llama, openai_server, stream):
    paid: list[tuple[str, int]] = []

    def pay(to: str, amount: int) -> str:
        """Pays."""
        paid.append((to, amount))
        return "paid"

    def asks_for(arguments: str) -> Answer:
        made = {"index": 0, "id": "c", "type": "function", "function": {"name": "pay", "arguments": arguments}}
        return Answer((chunk(tool_calls=[made]), chunk("tool_calls")))

    openai_server.will(asks_for('{"to": "Ann", "amount": 10'), asks_for('{"to": "Ann", "amount": 1000}'), says("Done."))
    config = RunConfig(streaming_mode=StreamingMode.SSE if stream else StreamingMode.NONE)

    played = await play(LlmAgent(name="a", model=llama, tools=[pay]), config=config)

    assert (played.error, paid) == (None, [("Ann", 1000)])
    told = chats(openai_server)[1].body["messages"]
    assert '{\\"to\\": \\"Ann\\", \\"amount\\": 10' in told[-2]["tool_calls"][0]["function"]["arguments"]
    assert "cannot be read: it ends too early" in told[-1]["content"]


async def test_an_answer_that_is_only_a_thought_is_empty(llama, openai_server):
    openai_server.will(thinks_and_says("Hm."))

    played = await play(LlmAgent(name="a", model=llama))

    assert isinstance(played.error, EmptyResponseError)


@pytest.mark.parametrize(
    "answer",
    [
        fails(429, "insufficient_quota", "You exceeded your current quota."),
        fails(429, "rate_limit_exceeded", "Rate limit reached on tokens per day (TPD).", retry_after="3"),
        fails(429, "rate_limit", "Rate limit exceeded: free-models-per-day."),
    ],
)
async def test_a_quota_that_is_used_up_is_not_asked_again_and_says_so(llama, openai_server, answer):
    openai_server.will(answer)

    with pytest.raises(ProviderError, match="quota is used up") as raised:
        await ask(llama)

    assert (raised.value.retryable, raised.value.retry_after) == (False, None)


async def test_comments_events_and_late_ends_are_read_as_they_are_meant(llama, openai_server):
    data = json.dumps(says("Once ", "more.").steps[1]).encode()
    raw = b": ping\n\nevent: message\nid: 7\ndata:" + data + b"\r\n\r\n"
    openai_server.on_wire = lambda answer, received: ("text/event-stream", [raw[:9], raw[9:30], raw[30:], *_lines("more.")])
    try:
        openai_server.will(says())
        (*_, whole) = await ask(llama, stream=True)
    finally:
        del openai_server.on_wire

    assert whole.text == "Once more."


def _lines(text):
    return [b"data: " + json.dumps(step).encode() + b"\n" for step in says(text).steps[1:]]


async def test_a_server_that_does_not_stream_is_read_whole(llama, openai_server):
    whole = {"choices": [{"message": {"content": "All."}, "finish_reason": "stop"}]}
    openai_server.on_wire = lambda answer, received: ("application/json", [json.dumps(whole).encode()])
    try:
        openai_server.will(says())
        *pieces, last = await ask(llama, stream=True)
    finally:
        del openai_server.on_wire

    assert ([piece.text for piece in pieces], last.text) == (["All."], "All.")


async def test_a_late_first_byte_is_waited_for(llama, openai_server):
    openai_server.will(pauses(then=says("late")))
    asked = asyncio.create_task(ask(llama, stream=True))
    assert await asyncio.to_thread(openai_server.paused.wait, 10)
    assert not asked.done()

    openai_server.release()

    assert (await asked)[-1].text == "late"


async def test_silence_in_mid_stream_ends_the_call_and_the_connection(llama, openai_server):
    openai_server.will(pauses("Once "))
    responses = llama.generate_content_async(request(), stream=True)
    assert (await anext(responses)).text == "Once "

    llama.timeout = 0.05
    with pytest.raises(ModelTimeoutError, match=r"silent for 0\.05 seconds"):
        await anext(responses)

    assert await asyncio.to_thread(openai_server.disconnected.wait, 10)


@pytest.mark.parametrize("echoed", [f"The key {KEY} is bad.", f"x{KEY}y"])
async def test_the_key_is_in_no_error_log_or_repr(llama, openai_server, caplog, echoed):
    caplog.set_level(logging.DEBUG)
    openai_server.will(fails(400, "invalid_request_error", echoed), says("Yes."))

    with pytest.raises(ProviderError) as raised:
        await ask(llama)
    await ask(llama, stream=True)

    error = raised.value
    assert KEY not in f"{error}{error!r}{error.__cause__!r}{error.__context__!r}{llama!r}{llama.model_dump_json()}"
    assert KEY not in "".join(record.getMessage() for record in caplog.records if "httpcore" not in record.name)


@pytest.mark.parametrize("key", ["key-that-nobody\nmay-see", "kéy-that-nobody-may-see"])
async def test_what_cannot_be_a_key_is_not_quoted(llama, key):
    with pytest.raises(ApiKeyError, match="Copy it again") as raised:
        await ask(llama.model_copy(update={"api_key": SecretStr(key)}))

    assert "nobody" not in f"{raised.value!r}{raised.value.__cause__!r}{raised.value.__context__!r}"


async def test_white_space_around_a_key_is_not_sent(llama, openai_server):
    openai_server.will(says("Yes."))

    await ask(llama.model_copy(update={"api_key": SecretStr(f"{KEY}\n")}))

    assert openai_server.received[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_typed_key_wins_over_the_environment(monkeypatch, openai_server):
    monkeypatch.setenv("LLAMA_BASE_URL", openai_server.url)
    monkeypatch.setenv("LLAMA_API_KEY", "from-the-environment")
    openai_server.will(says("a"))
    connections.use_key("llama", "typed-by-a-person")
    model = Llama()
    await ask(model)
    await model.aclose()

    assert openai_server.received[0].headers["authorization"] == "Bearer typed-by-a-person"


def test_an_error_object_of_any_shape_is_quoted():
    server = Server("llama/small", "http://127.0.0.1:1/v1")
    for error in ({"error": {}}, {"error": None}, {"choices": []}):
        assert refusal_in(error) is None
    for error in ({"error": ["x"]}, {"error": {"detail": "x"}}, {"error": {"code": 7, "x": {}}}, {"error": 5}):
        refusal = refusal_in(error)
        assert refusal is not None
        assert str(as_error(refusal, server)).endswith(".")
