"""Where Gemini is asked, with which key, and that nobody sees it."""

from __future__ import annotations

import asyncio
import logging
import pickle
import traceback

import pytest
from google.genai import types
from pydantic import SecretStr

from agents.errors import ApiKeyError, ModelTimeoutError, ProviderError
from agents.models import connections
from agents.models.gemini import model as module
from agents.models.gemini.model import Gemini, GeminiClients
from agents.scope import current_scope
from tests.agents.models.providers import ask
from tests.standins.gemini import Answer, bad_key, chunk, fails, overloaded, pauses, says, unknown_model

pytestmark = pytest.mark.anyio

KEY = "key-that-nobody-may-see"


@pytest.fixture(autouse=True)
def nothing_is_known(monkeypatch):
    """No key and no server, neither typed nor in the environment."""
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


async def asked_and_closed(model: Gemini) -> None:
    try:
        await ask(model)
    finally:
        await model.aclose()


def seen(error: BaseException | None) -> str:
    """All that can be seen of an error, and of what it came from."""
    if error is None:
        return ""
    shown = f"{error} {error!r} {error.args} {vars(error)} {''.join(traceback.format_exception(error))}"
    return shown + seen(error.__cause__) + seen(error.__context__)


# -- which key, which server


async def test_without_a_key_it_says_where_one_may_be_given():
    with pytest.raises(ApiKeyError, match=r"Settings page.*GEMINI_API_KEY.*simulated") as raised:
        await ask(Gemini())

    assert (raised.value.code, raised.value.retryable) == ("API_KEY_MISSING", False)


async def test_a_wrong_key_says_where_another_may_be_given(gemini_server):
    gemini_server.key = "the-right-one"

    with pytest.raises(ApiKeyError, match=r"Settings page.*GEMINI_API_KEY.*simulated") as raised:
        await asked_and_closed(Gemini(api_key=SecretStr(KEY), base_url=gemini_server.url))

    assert (raised.value.code, raised.value.retryable) == ("API_KEY_INVALID", False)


async def test_all_places_of_a_key_and_a_server_are_read_at_each_call(monkeypatch, gemini_server):
    gemini_server.always(says("Yes."))
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", gemini_server.url)
    model = Gemini()

    for name, value in [("GEMINI_API_KEY", "first"), ("GEMINI_API_KEY", "second"), ("GOOGLE_API_KEY", "before-gemini")]:
        monkeypatch.setenv(name, value)
        await asked_and_closed(model)
    await asked_and_closed(Gemini(api_key=SecretStr("of-the-model-itself")))
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:9")
    connections.use_url("gemini", gemini_server.url)
    connections.use_key("gemini", "typed-by-a-person")
    await asked_and_closed(model)

    keys = [received.headers["x-goog-api-key"] for received in gemini_server.received]
    assert keys == ["first", "second", "before-gemini", "of-the-model-itself", "typed-by-a-person"]


async def test_a_key_that_was_read_from_a_file_may_end_with_a_line_end(monkeypatch, gemini_server):
    monkeypatch.setenv("GEMINI_API_KEY", f" {KEY}\n")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", gemini_server.url)
    gemini_server.will(says("Yes."), fails(400, "INVALID_ARGUMENT", f"The key {KEY} is bad."))
    model = Gemini(base_url=gemini_server.url)

    await ask(model)
    with pytest.raises(ProviderError) as raised:
        await asked_and_closed(model)

    assert gemini_server.received[0].headers["x-goog-api-key"] == KEY
    assert KEY not in seen(raised.value)


@pytest.mark.parametrize("key", [f"{KEY}\nX-Other: header", f"{KEY}é", f"{KEY}\x00"])
async def test_what_cannot_be_a_key_is_not_sent(gemini_server, key):
    with pytest.raises(ApiKeyError, match=r"cannot be one.*Settings page") as raised:
        await ask(Gemini(api_key=SecretStr(key), base_url=gemini_server.url))

    assert gemini_server.received == []
    assert KEY not in seen(raised.value)


async def test_a_models_own_server_is_asked_whatever_was_typed(gemini_server):
    gemini_server.will(says("Yes."))
    connections.use_url("gemini", "http://127.0.0.1:9")

    await asked_and_closed(Gemini(api_key=SecretStr(KEY), base_url=gemini_server.url))

    assert len(gemini_server.received) == 1


async def test_agents_with_one_key_share_one_connection(gemini_server):
    first, second = (Gemini(model=name, api_key=SecretStr(KEY), base_url=gemini_server.url) for name in ("a", "b"))
    gemini_server.will(says("one"), says("two"))

    await ask(first)
    await ask(second)

    assert len(current_scope().part(GeminiClients)._open[asyncio.get_running_loop()]) == 1
    await first.aclose()


def test_one_model_serves_several_event_loops(gemini_server):
    model = Gemini(api_key=SecretStr(KEY), base_url=gemini_server.url)

    async def once():
        gemini_server.will(says("Yes."))
        text = (await ask(model, stream=True))[-1].text
        await model.aclose()
        return text

    assert [asyncio.run(once()) for _ in range(2)] == ["Yes.", "Yes."]


# -- nobody sees the key


@pytest.mark.parametrize("place", ["own", "typed", "environment"])
@pytest.mark.parametrize(
    ("answer", "stream"),
    [
        (fails(400, "INVALID_ARGUMENT", f"The key {KEY} is bad."), False),
        (fails(503, "UNAVAILABLE", f"x{KEY}y", {"reason": KEY}, retry_after=KEY), True),
        (Answer((f"<html>?key={KEY}</html>".encode(),), 502), False),
        (Answer((f'{{"candidates": "{KEY}'.encode(),)), False),
        (Answer((chunk({"text": "Once"}), f'{{"candidates": "{KEY}'.encode())), True),
    ],
    ids=["message", "everywhere", "page", "bad JSON", "bad chunk"],
)
async def test_a_key_that_is_echoed_is_in_no_error(monkeypatch, gemini_server, place, answer, stream):
    own = SecretStr(KEY) if place == "own" else None
    if place == "typed":
        connections.use_key("gemini", KEY)
    if place == "environment":
        monkeypatch.setenv("GEMINI_API_KEY", KEY)
    gemini_server.will(answer)
    model = Gemini(api_key=own, base_url=gemini_server.url)

    with pytest.raises(ProviderError) as raised:
        await ask(model, stream=stream)

    assert KEY not in seen(raised.value)
    assert KEY not in f"{model!r}{model}{model.model_dump()}{model.model_dump_json()}"
    assert KEY.encode() not in pickle.dumps(raised.value)
    await model.aclose()


async def test_an_error_that_echoes_nothing_keeps_its_cause(gemini_server):
    gemini_server.will(overloaded())
    model = Gemini(api_key=SecretStr(KEY), base_url=gemini_server.url)

    with pytest.raises(ProviderError) as raised:
        await asked_and_closed(model)

    assert type(raised.value.__cause__).__name__ == "ServerError"
    assert KEY not in seen(raised.value)


async def test_no_log_has_the_key(gemini_server, caplog):
    caplog.set_level(logging.DEBUG)
    gemini_server.will(fails(400, "INVALID_ARGUMENT", f"The key {KEY} is bad."), says("Yes."))
    model = Gemini(api_key=SecretStr(KEY), base_url=gemini_server.url)

    with pytest.raises(ProviderError, match=r"The key \[key\] is bad"):
        await ask(model)
    await asked_and_closed(model)

    assert caplog.records
    assert KEY not in caplog.text


# -- the models there are


async def test_the_models_are_those_that_generate_content_on_all_pages(gemini_server):
    connections.use_url("gemini", gemini_server.url)
    connections.use_key("gemini", KEY)

    assert await Gemini.list_models() == ["gemini-2.5-flash", "gemini-2.5-pro", "gemini-3-pro"]

    assert {received.headers["x-goog-api-key"] for received in gemini_server.received} == {KEY}
    assert KEY not in "".join(received.path + received.query for received in gemini_server.received)


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        (bad_key(), "API_KEY_INVALID", "did not accept the API key"),
        (overloaded(retry_after="3"), "503", "Gemini has trouble or is overloaded"),
        (unknown_model(), "404", "gives no list of models"),
        (Answer((b"<html>",), 502), "502", "<html>"),
    ],
)
async def test_a_list_that_cannot_be_had_is_a_provider_error(gemini_server, answer, code, said):
    connections.use_url("gemini", gemini_server.url)
    connections.use_key("gemini", KEY)
    gemini_server.will(answer)

    with pytest.raises(ProviderError, match=said) as raised:
        await Gemini.list_models()

    assert raised.value.code == code
    assert "None" not in str(raised.value)


async def test_there_is_no_list_without_a_key():
    with pytest.raises(ApiKeyError):
        await Gemini.list_models()


async def test_a_list_is_not_waited_for_for_long(gemini_server, monkeypatch):
    monkeypatch.setattr(module, "_LISTING_TIMEOUT", 0.05)
    connections.use_url("gemini", gemini_server.url)
    connections.use_key("gemini", KEY)
    gemini_server.will(Answer(pauses().steps, 503))

    with pytest.raises(ModelTimeoutError, match=r"silent for 0\.05 seconds.*Try again\.$"):
        await Gemini.list_models()


def test_options_for_retries_are_those_of_adk():
    options = types.HttpRetryOptions(initial_delay=1, attempts=2)
    assert Gemini(model="gemini-2.5-flash", retry_options=options).retry_options == options
    assert Gemini().retry_options is None
