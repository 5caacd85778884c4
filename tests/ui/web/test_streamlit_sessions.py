"""Sessions of tabs that are gone: closed in time, also when no other tab comes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.session_manager import SessionInfo

from ui.web.streamlit_sessions import TabSessions, close_gone_tabs

pytestmark = pytest.mark.anyio


class Session:
    """As much of Streamlit's session as is used."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.closed = asyncio.Event()

    def shutdown(self) -> None:
        self.closed.set()


def saved(storage: TabSessions, id: str) -> Session:
    session: Any = Session(id)
    storage.save(SessionInfo(client=None, session=session))
    return session


async def closed(session: Session) -> None:
    async with asyncio.timeout(20):
        await session.closed.wait()


async def test_a_session_is_closed_when_its_time_is_over():
    storage = TabSessions(seconds=0)
    session = saved(storage, "a")
    assert [found.session for found in storage.list()] == [session]
    await closed(session)
    assert storage.list() == []
    assert storage.get("a") is None


async def test_a_session_whose_tab_is_back_is_not_closed():
    storage = TabSessions(seconds=0)
    back, gone = saved(storage, "back"), saved(storage, "gone")
    assert storage.get("back") is not None
    storage.delete("back")
    await closed(gone)
    assert not back.closed.is_set()


async def test_a_session_that_is_kept_again_has_its_whole_time_again():
    storage = TabSessions(seconds=60)
    again = saved(storage, "a")
    timer = storage._kept["a"][1]
    storage.save(SessionInfo(client=None, session=again))
    assert timer.cancelled()
    assert len(storage.list()) == 1


async def test_the_oldest_is_closed_for_one_more():
    storage = TabSessions(seconds=60, most=2)
    sessions = [saved(storage, name) for name in "abcd"]
    await closed(sessions[0])
    await closed(sessions[1])
    assert [found.session for found in storage.list()] == sessions[2:]


async def test_streamlit_uses_the_storage_that_it_is_given(tmp_path, monkeypatch):
    monkeypatch.setattr(Runtime, "_instance", None)  # there may be one in a process
    (tmp_path / "page.py").write_text("")
    app = st.App(tmp_path / "page.py")
    app._runtime = app._create_runtime()
    close_gone_tabs(app)
    manager: Any = app._runtime._session_mgr
    session = saved(manager._session_storage, "a")
    assert isinstance(manager._session_storage, TabSessions)
    assert manager.list_sessions() == manager._session_storage.list()
    manager.close_session("a")
    await closed(session)
    assert manager.list_sessions() == []
