"""Fixtures of the Settings page: no server anywhere, no model file, and none in memory."""

from __future__ import annotations

import pytest

from agents.errors import ProviderError
from agents.runs import model_desk


@pytest.fixture(autouse=True)
def no_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path / "models"))


@pytest.fixture(autouse=True)
def servers(monkeypatch):
    """Which models each provider has; without an entry nobody answers."""
    there: dict[str, list[str]] = {}

    def available(_desk, provider):
        if provider not in there:
            raise ProviderError(f"No server answers for {provider}. Start it.", code="CONNECTION_FAILED")
        return there[provider]

    monkeypatch.setattr(model_desk.ModelDesk, "available", available)
    return there


@pytest.fixture
def answers(monkeypatch):
    """What tests of models come to, by the model's name; others answer as they do."""
    given: dict[str, model_desk.ModelTest] = {}
    test = model_desk.ModelDesk.test
    monkeypatch.setattr(model_desk.ModelDesk, "test", lambda desk, name: given.get(name) or test(desk, name))
    return given
