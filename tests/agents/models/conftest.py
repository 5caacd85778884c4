"""Providers and the servers that stand in for theirs."""

from __future__ import annotations

import pytest

from tests.agents.models.providers import PROVIDERS
from tests.standins.gemini import GeminiStandIn


@pytest.fixture(scope="module")
def _gemini_server():
    with GeminiStandIn() as server:
        yield server


@pytest.fixture
def gemini_server(_gemini_server):
    _gemini_server.reset()
    return _gemini_server


@pytest.fixture(params=list(PROVIDERS))
async def provider(request):
    """Each provider in turn, see `providers.py`."""
    made = PROVIDERS[request.param](request.getfixturevalue)
    yield made
    await made.close()
