"""Storage of Streamlit's sessions of disconnected browser tabs: kept for a tab that reconnects, then closed.

Streamlit's own cache drops an expired session only when the next one is added, and holds up to 128; each has an event loop
with three descriptors. This storage closes each session when it expires, and holds fewer.
"""

from __future__ import annotations

import asyncio

import streamlit as st

from ui.dependencies.streamlit_private import SessionInfo, SessionStorage, set_session_storage

MOST = 16
"""Most sessions kept; the oldest is closed for a new one."""


class TabSessions(SessionStorage):
    """Sessions without a connection. For use in the event loop only, like Streamlit's session manager.

    Args:
        seconds: How long a session is kept.
        most: Most sessions kept.
    """

    def __init__(self, *, seconds: float, most: int = MOST) -> None:
        self._seconds = seconds
        self._most = most
        self._kept: dict[str, tuple[SessionInfo, asyncio.TimerHandle]] = {}

    def get(self, session_id: str) -> SessionInfo | None:
        """The session of a tab that reconnects; None if it is closed."""
        found = self._kept.get(session_id)
        return None if found is None else found[0]

    def save(self, session_info: SessionInfo) -> None:
        """Keeps the session of a tab that disconnected."""
        loop = asyncio.get_running_loop()
        found = session_info.session.id
        self.delete(found)
        self._kept[found] = session_info, loop.call_later(self._seconds, self._close, found)
        loop.call_soon(self._make_room)  # later: the caller holds a lock

    def delete(self, session_id: str) -> None:
        """Removes a session without closing it: its tab is back, or the caller closes it."""
        found = self._kept.pop(session_id, None)
        if found is not None:
            found[1].cancel()

    def list(self) -> list[SessionInfo]:
        """All kept sessions."""
        return [found for found, _ in self._kept.values()]

    def _make_room(self) -> None:
        while len(self._kept) > self._most:
            self._close(next(iter(self._kept)))

    def _close(self, session_id: str) -> None:
        found = self.get(session_id)
        if found is not None:
            self.delete(session_id)
            found.session.shutdown()


def close_gone_tabs(app: st.App) -> None:
    """Makes a started app close sessions of disconnected tabs after Streamlit's `server.disconnectedSessionTTL`."""
    set_session_storage(app, TabSessions(seconds=st.get_option("server.disconnectedSessionTTL")))
