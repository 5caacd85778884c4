"""Fixtures of the pages: no keys, answers at once, a manager of their own."""

from __future__ import annotations

import pytest

from agents.runs import RunManager
from tests.ui.stage import STAGES
from ui import runs


@pytest.fixture
def quiet_world(monkeypatch):
    """No keys, answers at once."""
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")


@pytest.fixture
def manager(quiet_world):
    runs.adopt(RunManager(database=None))
    yield runs.manager()
    runs.close()


@pytest.fixture
def stages(quiet_world):
    """A manager that has the pipelines of the stages too, e.g. one that asks before it pays."""
    runs.adopt(RunManager(database=None, agents_dir=STAGES))
    yield runs.manager()
    runs.close()


@pytest.fixture
def slow_manager(manager, monkeypatch):
    """Runs that take until somebody stops them."""
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0.01")
    return manager
