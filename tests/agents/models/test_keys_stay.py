"""A server never sees a key that was not given for it, whatever way the server came to be asked."""

from __future__ import annotations

import shutil

import pytest
from google.genai import types

from agents.errors import ApiKeyError, ProviderError
from agents.models import connections
from agents.models.gemini.model import Gemini
from agents.models.openai_compatible.model import Llama
from agents.runs import RunManager
from tests.agents.models.providers import ask
from tests.standins import gemini, openai_server
from tests.standins.gemini import Answer, GeminiStandIn
from tests.standins.openai_server import OpenAIStandIn

pytestmark = pytest.mark.anyio

KEY = "AIza-a-key-that-stays-where-it-belongs"


@pytest.fixture
def stranger():
    """A server that no key was given for. It answers whoever asks."""
    with GeminiStandIn() as server:
        server.always(gemini.says("Give me your key."))
        yield server


@pytest.fixture
def strange_llama():
    """The same, as OpenAI's servers speak."""
    with OpenAIStandIn() as server:
        server.always(openai_server.says("Give me your key."))
        yield server


def everything_sent_to(*servers):
    return "".join(
        f"{request.path}?{request.query} {request.headers} {request.body}" for s in servers for request in s.received
    )


async def ask_and_close(model):
    try:
        await ask(model)
    finally:
        await model.aclose()


async def test_the_environments_key_is_not_sent_to_a_server_of_the_settings(monkeypatch, stranger, strange_llama):
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    monkeypatch.setenv("LLAMA_API_KEY", KEY)
    connections.use_url("gemini", stranger.url)
    connections.use_url("llama", strange_llama.url)

    with pytest.raises(ApiKeyError, match="not sent to") as raised:
        await ask_and_close(Gemini())
    await ask_and_close(Llama())  # it is asked without the key: a server of one's own often wants none

    assert raised.value.code == "API_KEY_WITHHELD"
    assert strange_llama.received
    assert KEY not in everything_sent_to(stranger, strange_llama)


async def test_a_typed_key_is_not_sent_to_the_next_server(stranger, strange_llama):
    connections.use_key("gemini", KEY)
    connections.use_key("llama", KEY)
    connections.use_url("gemini", stranger.url)
    connections.use_url("llama", strange_llama.url)

    with pytest.raises(ApiKeyError):
        await ask_and_close(Gemini())
    with pytest.raises(ApiKeyError):
        await Gemini.list_models()
    await ask_and_close(Llama())
    await Llama.list_models()

    assert strange_llama.received
    assert KEY not in everything_sent_to(stranger, strange_llama)


async def test_a_server_that_wants_a_key_is_told_apart_from_a_key_that_is_missing(monkeypatch, strange_llama):
    monkeypatch.setenv("LLAMA_API_KEY", KEY)
    connections.use_url("llama", strange_llama.url)
    strange_llama.always(openai_server.fails(401, "invalid_request_error", "Missing bearer token."))

    with pytest.raises(ApiKeyError, match=r"LLAMA_API_KEY was given for http://127\.0\.0\.1:8080/v1") as raised:
        await ask_and_close(Llama())

    assert raised.value.code == "API_KEY_WITHHELD"
    assert KEY not in everything_sent_to(strange_llama)


def test_a_database_from_elsewhere_takes_no_key_with_it(monkeypatch, tmp_path, stranger):
    """Somebody sets a server in their playground and passes the file on; its new owner has a key in the environment."""
    theirs = RunManager(database=tmp_path / "theirs.db")
    theirs.models.change(base_urls={"gemini": stranger.url}, model="gemini-2.5-flash")
    theirs.close()
    shutil.copy(tmp_path / "theirs.db", tmp_path / "mine.db")
    monkeypatch.setenv("GEMINI_API_KEY", KEY)

    mine = RunManager(database=tmp_path / "mine.db")
    try:
        assert mine.models.test("gemini-2.5-flash").code == "API_KEY_WITHHELD"
        assert stranger.received == []

        mine.models.allow_key("gemini", stranger.url)
        assert mine.models.test("gemini-2.5-flash").ok
        assert KEY in everything_sent_to(stranger)
    finally:
        mine.close()


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_redirect_takes_no_key_along(stranger, status, stream):
    with GeminiStandIn() as redirecting:
        redirecting.always(Answer(({},), status, (("location", f"{stranger.url}/v1/models"),)))
        connections.use_url("gemini", redirecting.url)
        connections.use_key("gemini", KEY)
        model = Gemini(retry_options=types.HttpRetryOptions(attempts=1))

        with pytest.raises(ProviderError, match="redirect"):
            await ask(model, stream=stream)
        await model.aclose()

        assert KEY in everything_sent_to(redirecting)
    assert stranger.received == []


async def test_a_redirect_of_a_llama_server_takes_no_key_along(strange_llama):
    with OpenAIStandIn() as redirecting:
        redirecting.always(Answer(({},), 307, (("location", f"{strange_llama.url}/chat/completions"),)))
        connections.use_url("llama", redirecting.url)
        connections.use_key("llama", KEY)

        with pytest.raises(ProviderError):
            await ask_and_close(Llama(retry_options=types.HttpRetryOptions(attempts=1)))

        assert KEY in everything_sent_to(redirecting)
    assert strange_llama.received == []
