"""Rows of sessions that have just changed, read once for all subscribers. Lives in one event loop."""

from __future__ import annotations

import asyncio

from agents.runs.values import SessionKey
from agents.session import BaseSessionService
from agents.session_list import SessionSummary

MOST = 1000
"""Rows that are kept."""


class RecentRows:
    """The rows of sessions as of their last change."""

    def __init__(self, service: BaseSessionService) -> None:
        self._service = service
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

    async def _read(self, key: SessionKey) -> SessionSummary | None:
        return await self._service.summary(**key.name)
