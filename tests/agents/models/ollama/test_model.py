"""What is Ollama's own; what it has in common with other providers is in `test_conformance.py`."""

from __future__ import annotations

import asyncio
import json

import pytest
from google.genai import types
from pydantic import SecretStr

from agents.errors import ApiKeyError, ModelTimeoutError, ProviderError
from agents.models.ollama.format import LEAST_CONTEXT, ollama_body
from agents.models.ollama.model import Ollama
from tests.agents.models.providers import ask, request
from tests.standins.ollama_server import Answer, calls, chunk, fails, pauses, refuses_tools, says, unknown_model

pytestmark = pytest.mark.anyio


def look(at: str) -> dict[str, str]:
    """Looks."""
    return {"at": at}


@pytest.fixture
async def ollama(ollama_server):
    model = Ollama(model="ollama/small:7b", base_url=ollama_server.url)
    yield model
    await model.aclose()


def image() -> types.Part:
    return types.Part(inline_data=types.Blob(data=b"\x89PNG", mime_type="image/png"))


# -- requests


async def test_what_is_sent(ollama, ollama_server):
    ollama_server.will(says("Yes."))
    asked = request(
        "Where?", functions=[look], temperature=0.5, top_k=40, seed=7, stop_sequences=["END"], max_output_tokens=99
    )

    await ask(ollama, asked, stream=True)

    (received,) = ollama_server.chats
    body = received.body
    assert (body["model"], body["stream"], body["think"], body["truncate"]) == ("small:7b", True, True, False)
    assert body["messages"] == [{"role": "system", "content": "Answer."}, {"role": "user", "content": "Where?"}]
    assert body["tools"][0]["function"]["name"] == "look"
    assert body["options"] == {
        "temperature": 0.5,
        "top_k": 40,
        "seed": 7,
        "stop": ["END"],
        "num_predict": 99,
        "num_ctx": LEAST_CONTEXT,
    }
    assert "authorization" not in received.headers


async def test_results_are_named_and_arguments_are_objects(ollama, ollama_server):
    ollama_server.will(calls(("look", {"at": "sea"})), says("A ship."))
    asked = request("Where?", functions=[look])
    (*_, whole) = await ask(ollama, asked)
    whole.get_function_calls()[0].id = "adk-1"
    result = types.FunctionResponse(id="adk-1", name="look", response={"seen": "ship"})
    asked.contents += [whole.content, types.Content(role="user", parts=[types.Part(function_response=result)])]

    await ask(ollama, asked)

    assert ollama_server.chats[-1].body["messages"][2:] == [
        {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "look", "arguments": {"at": "sea"}}}]},
        {"role": "tool", "content": '{"seen": "ship"}', "tool_name": "look"},
    ]


@pytest.mark.parametrize("sees", [True, False])
def test_images_go_to_models_that_see(sees):
    asked = request("See:")
    asked.contents[0].parts.append(image())

    sent = ollama_body(asked, model="m", stream=False, max_output_tokens=9, sees=sees)["messages"][-1]

    assert sent.get("images", []) == (["iVBORw=="] if sees else [])
    assert sent["content"].startswith("See:")
    assert ("left out" in sent["content"]) == (not sees)


@pytest.mark.parametrize(
    ("characters", "longest", "context"),
    [(0, None, 4096), (9000, None, 8192), (100_000, None, 65536), (100_000, 32768, 32768), (0, 2048, 2048)],
)
def test_the_context_holds_the_request_and_the_answer(characters, longest, context):
    body = ollama_body(request("x" * characters), model="m", stream=False, max_output_tokens=2048, longest_context=longest)

    assert body["options"]["num_ctx"] == context


def test_thinking_is_asked_for_where_there_is_any_and_can_be_forbidden():
    off = types.ThinkingConfig(thinking_budget=0)

    def think(asked, *, thinks):
        return ollama_body(asked, model="m", stream=False, max_output_tokens=9, thinks=thinks).get("think")

    assert think(request(), thinks=True) is True
    assert think(request(thinking_config=off), thinks=True) is False
    assert think(request(thinking_config=off), thinks=False) is None


def test_a_schema_is_the_format():
    schema = {"type": "object", "properties": {"stars": {"type": "integer"}}}
    asked = request(response_mime_type="application/json", response_json_schema=schema)

    def form(asked, **more):
        return ollama_body(asked, model="m", stream=False, max_output_tokens=9, **more).get("format")

    assert form(asked) == schema
    assert form(asked, constrained=False) is None
    assert form(request(response_mime_type="application/json")) == "json"
    assert len(form(request(functions=[look]), protocol="json")["anyOf"]) == 2


# -- what it learns of models


@pytest.mark.parametrize(
    ("can", "native"),
    [(("completion", "tools"), True), (("completion",), False), (None, True)],
    ids=["tools", "none", "old"],
)
async def test_a_model_is_asked_once_what_it_can(ollama, ollama_server, can, native):
    ollama_server.can = can
    ollama_server.will(says('{"response": "Yes."}'), says('{"response": "Yes."}'))

    for _ in range(2):
        await ask(ollama, request(functions=[look]))

    assert [received.path for received in ollama_server.received] == ["/api/show", "/api/chat", "/api/chat"]
    assert ollama_server.received[0].body == {"model": "small:7b"}
    assert ["tools" in received.body for received in ollama_server.chats] == [native] * 2
    assert ["think" in received.body for received in ollama_server.chats] == [False] * 2


async def test_a_model_that_turns_out_to_have_no_tools_is_asked_in_words(ollama, ollama_server):
    ollama_server.can = None
    ollama_server.will(refuses_tools(), says(json.dumps({"tool_call": {"name": "look", "arguments": {"at": "sea"}}})))

    (*_, whole) = await ask(ollama, request(functions=[look]), stream=True)

    assert [made.args for made in whole.get_function_calls()] == [{"at": "sea"}]


async def test_models_are_listed_as_the_registry_takes_them(monkeypatch, ollama_server):
    monkeypatch.setenv("OLLAMA_HOST", ollama_server.url)

    assert await Ollama.list_models() == ["ollama/small:latest", "ollama/large:7b"]
    await Ollama(model="ollama/x").aclose()


# -- answers and failures


async def test_calls_in_several_chunks_are_several_calls(ollama, ollama_server):
    ollama_server.will(calls(("look", {"at": "sea"}), ("look", {"at": "sky"})))

    (*_, whole) = await ask(ollama, stream=True)

    assert [(made.id, made.args) for made in whole.get_function_calls()] == [(None, {"at": "sea"}), (None, {"at": "sky"})]
    assert whole.model_version == "ollama/small"


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        (unknown_model(), "404", r"has no model 'small:7b'.*ollama pull small:7b"),
        (fails(400, "the input length exceeds the context length"), "400", "too long for ollama/small:7b"),
        (fails(500, "model requires more system memory (9 GiB) than is available"), "500", "more system memory"),
    ],
)
async def test_what_it_refuses_for_is_told(ollama, ollama_server, answer, code, words):
    ollama_server.will(answer)

    with pytest.raises(ProviderError, match=words) as raised:
        await ask(ollama)

    assert raised.value.code == code


async def test_nobody_there_is_told_with_the_way_to_start_it(ollama):
    with pytest.raises(ProviderError, match=r"Ollama at http://127\.0\.0\.1:9 .*`ollama serve`.*Settings page") as raised:
        await ask(ollama.model_copy(update={"base_url": "http://127.0.0.1:9"}))

    assert raised.value.code == "CONNECTION_FAILED"


async def test_an_error_in_mid_stream_is_raised_after_what_was_said(ollama, ollama_server):
    ollama_server.will(Answer((chunk(content="Once"), {"error": "an error was encountered while running the model"})))
    responses = ollama.generate_content_async(request(), stream=True)

    assert (await anext(responses)).text == "Once"
    with pytest.raises(ProviderError, match="while running the model"):
        await anext(responses)


async def test_silence_in_mid_stream_ends_the_call_and_the_connection(ollama, ollama_server):
    ollama_server.will(pauses("Once "))
    responses = ollama.generate_content_async(request(), stream=True)
    assert (await anext(responses)).text == "Once "

    ollama.timeout = 0.05
    with pytest.raises(ModelTimeoutError, match=r"silent for 0\.05 seconds"):
        await anext(responses)

    assert await asyncio.to_thread(ollama_server.disconnected.wait, 10)


@pytest.mark.parametrize("key", [None, SecretStr("not-the-right-one")])
async def test_a_key_is_given_where_the_model_is_made(ollama_server, key):
    """Only an Ollama behind a proxy wants one: no variable and no field of the Settings page holds it."""
    ollama_server.always(fails(401, "unauthorized"))
    model = Ollama(base_url=ollama_server.url, api_key=key, model="ollama/small")

    with pytest.raises(ApiKeyError, match="argument `api_key` of Ollama") as raised:
        await ask(model)

    assert "LLAMA_API_KEY" not in str(raised.value)
