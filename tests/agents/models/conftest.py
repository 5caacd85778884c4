"""Providers and the servers that stand in for theirs."""

from __future__ import annotations

from pathlib import Path

import certifi
import pytest

from tests.agents.models.providers import PROVIDERS, provider_class
from tests.standins.gemini import GeminiStandIn
from tests.standins.ollama_server import OllamaStandIn
from tests.standins.openai_server import OpenAIStandIn


@pytest.fixture(scope="session", autouse=True)
def one_certificate(tmp_path_factory):
    """Nothing here is encrypted, and each client would take a tenth of a second to read all authorities there are."""
    first, end, _ = Path(certifi.where()).read_text(encoding="utf-8").partition("-----END CERTIFICATE-----\n")
    file = tmp_path_factory.mktemp("certificates") / "one.pem"
    file.write_text(first + end, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(file))
        yield


@pytest.fixture(scope="module")
def _gemini_server():
    with GeminiStandIn() as server:
        yield server


@pytest.fixture
def gemini_server(_gemini_server):
    _gemini_server.reset()
    return _gemini_server


@pytest.fixture(scope="module")
def _openai_server():
    with OpenAIStandIn() as server:
        yield server


@pytest.fixture
def openai_server(_openai_server):
    _openai_server.reset()
    return _openai_server


@pytest.fixture(scope="module")
def _ollama_server():
    with OllamaStandIn() as server:
        yield server


@pytest.fixture
def ollama_server(_ollama_server):
    _ollama_server.reset()
    return _ollama_server


@pytest.fixture(params=list(PROVIDERS))
async def provider(request):
    """Each provider in turn, see `providers.py`."""
    made = provider_class(request.param)(request.getfixturevalue)
    yield made
    await made.close()
