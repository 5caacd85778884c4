"""The served app's parts: the feed's route and the manager's life."""

from __future__ import annotations

import pytest
import streamlit as st

from ui import app as served
from ui import runs
from ui.guard import Guard


@pytest.fixture(autouse=True)
def nothing_held(tmp_path):
    runs.configure(database=tmp_path / "playground.db")
    yield
    runs.close()
    runs.configure()


def test_it_is_an_app_with_the_feed_behind_the_guard():
    assert isinstance(served.app, st.App)
    assert served.app.script_path.is_file()
    assert [route.path for route in served.app._user_routes] == ["/api/log"]
    assert [middleware.cls for middleware in served.app._user_middleware] == [Guard]


def test_the_feed_is_there_also_when_the_database_is_not(tmp_path):
    (tmp_path / "playground.db").write_text("no database at all " * 100)
    assert served._feed().path == "/api/log"
    assert not runs.is_ready()


@pytest.mark.anyio
async def test_the_manager_is_made_after_start_up_and_closed_at_the_end(monkeypatch):
    started = []
    monkeypatch.setattr(served.warmup, "DELAY", 0)
    monkeypatch.setattr(served.warmup, "start", lambda: started.append(True))
    async with served.lifespan(served.app):
        assert not started
        runs.manager()
    assert not runs.is_ready()
