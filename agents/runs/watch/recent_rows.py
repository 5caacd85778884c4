"""Rows of sessions that have just changed, read once for all subscribers. Lives in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from agents.runs.values import SessionKey
from agents.session import SessionSummary

MOST = 1000
"""Rows that are kept."""


class RecentRows:
    """The rows of sessions as of their last change.

    Args:
        read: Reads the row of a session; None if it is not there.
    """

    def __init__(self, read: Callable[[SessionKey], Coroutine[Any, Any, SessionSummary | None]]) -> None:
        self._read = read
        self._known: dict[SessionKey, tuple[int, asyncio.Task[SessionSummary | None]]] = {}

    async def row(self, key: SessionKey, stamp: int) -> SessionSummary | None:
        """The row of a session.

        Args:
            key: The session.
            stamp: Of its last change, see `Watching.stamp`: what was read at another one is read again.
        """
        known = self._known.get(key)
        if known is None or known[0] != stamp:
            if len(self._known) >= MOST:
                self._known.clear()
            known = self._known[key] = (stamp, asyncio.create_task(self._read(key)))
        return await asyncio.shield(known[1])  # a subscriber that leaves does not end the read of the others
