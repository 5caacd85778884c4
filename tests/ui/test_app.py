"""The served app's parts: the feed's route and the manager's life."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace

import pytest
import streamlit as st

from ui import app as served
from ui.access.api_access import is_api_path
from ui.access.guard import Guard
from ui.access.identity import Identity
from ui.state import runs
from ui.web.base_path import BasePath
from ui.web.static_files import StaticFiles


@pytest.fixture(autouse=True)
def nothing_held(tmp_path):
    runs.configure(database=tmp_path / "playground.db")
    yield
    runs.close()
    runs.configure()


@pytest.fixture
def started():
    """As much of an app that is started as its lifespan uses."""
    return SimpleNamespace(_runtime=SimpleNamespace(_session_mgr=SimpleNamespace()))


def test_it_is_an_app_with_its_routes_behind_the_guard():
    assert isinstance(served.app, st.App)
    assert served.app.script_path.is_file()
    paths = [route.path for route in served.app._user_routes if not is_api_path(route.path)]
    routes = ["/api/log", "/api/sessions", "/api/artifact", "/api/playbook", "/api/collection", "/api/texts", "/api/code"]
    routes += ["/components/{file}", "/api/export"]
    documents = ["/llms.txt", "/help/{topic}.md"]
    pages = ["/", "/gallery", "/lessons", "/build", "/playbook", "/sessions", "/lab", "/settings", "/demo", "/help"]
    of_a_class = ["/api/class", "/join", "/wall", "/class", "/teacher"]
    sign_in = ["/shared/{text}", "/sign-in", "/sign-in/openid", "/sign-in/back", "/invitation", "/sign-out"]
    assert paths == [*routes, "/owner", *sign_in, *of_a_class, *documents, "/health", *pages, "/{path:path}"]
    assert [middleware.cls for middleware in served.app._user_middleware] == [BasePath, Guard, Identity, StaticFiles]


def test_the_feed_is_there_also_when_the_database_is_not(tmp_path):
    (tmp_path / "playground.db").write_text("no database at all " * 100)
    assert served._feed().path == "/api/log"
    assert not runs.is_ready()


@pytest.mark.anyio
async def test_the_manager_is_closed_at_the_end_after_what_warms_up(monkeypatch, started):
    begun, go, order = threading.Event(), threading.Event(), []

    def warm():
        begun.set()
        go.wait(10)
        order.append("warm")

    def start():
        thread = threading.Thread(target=warm)
        thread.start()
        return thread

    monkeypatch.setattr(served.warmup, "DELAY", 0)
    monkeypatch.setattr(served.warmup, "start", start)
    monkeypatch.setattr(runs, "close", lambda: order.append("closed"))
    async with served.lifespan(started):
        assert await asyncio.to_thread(begun.wait, 10)
        asyncio.get_running_loop().call_later(0.02, go.set)

    assert order == ["warm", "closed"]


@pytest.mark.anyio
async def test_the_manager_is_gone_when_the_server_is(monkeypatch, started):
    monkeypatch.setattr(served.warmup, "DELAY", 60)
    async with served.lifespan(started):
        runs.manager()
    assert not runs.is_ready()
