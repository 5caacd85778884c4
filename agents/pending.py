"""What an invocation has to tell the log and has not stored yet: trace records, and the texts that they name.

Records wait for the next event, or until the run itself waits for something. Knows of agents and models nothing.
"""

from __future__ import annotations

import asyncio

from agents.event import Event
from agents.log import TraceRecord
from agents.session import BaseSessionService, Session


class PendingLog:
    """The part of a session's log that is not stored yet. For one run, in one event loop.

    Args:
        session: Whose log.
        session_service: Where the log goes.
    """

    __slots__ = ("_flushing", "_records", "_service", "_session", "_soon", "_texts")

    def __init__(self, session: Session, session_service: BaseSessionService) -> None:
        self._session = session
        self._service = session_service
        self._records: list[TraceRecord] = []
        self._texts: dict[str, str] = {}
        self._soon: asyncio.Handle | None = None
        self._flushing: asyncio.Task[None] | None = None

    def add(self, record: TraceRecord) -> None:
        """Adds a record, which belongs to the log from here on: nobody may change what is in it."""
        self._records.append(record)

    def add_text(self, text_hash: str, text: str) -> None:
        """Keeps a text that a record names by hash, to be stored with it."""
        self._texts[text_hash] = text

    def flush_soon(self) -> None:
        """Has the records stored as soon as the run waits for anything, or else with its next event.

        So watchers see what is being waited for, and a run that never waits costs one transaction an event.
        """
        if self._soon is None and self._flushing is None:
            self._soon = asyncio.get_running_loop().call_soon(self._flush_now)

    async def flush(self) -> None:
        """Stores the records now; see `store`."""
        if self._records or self._flushing is not None:
            await self.store()

    async def store(self, event: Event | None = None) -> None:
        """Stores the records and then `event`, in one transaction; if that fails the records stay pending.

        Raises:
            Exception: Also what storing in the background (`flush_soon`) failed with.
        """
        if (flushing := self._flushing) is not None:
            try:
                await asyncio.shield(flushing)
            finally:
                if flushing.done() and self._flushing is flushing:
                    self._flushing = None
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        await self._append(event)

    def _flush_now(self) -> None:
        self._soon = None
        if self._records and self._flushing is None:
            self._flushing = asyncio.create_task(self._append(None))
            self._flushing.add_done_callback(self._flushed)

    def _flushed(self, flushing: asyncio.Task[None]) -> None:
        if self._flushing is flushing and not flushing.cancelled() and flushing.exception() is None:
            self._flushing = None
            if self._records:
                self.flush_soon()

    async def _append(self, event: Event | None) -> None:
        records, texts = self._records, self._texts
        self._records, self._texts = [], {}
        try:
            await self._service.append(self._session, records if event is None else [*records, event], texts=texts)
        except Exception:
            self._records[:0] = records
            self._texts = {**texts, **self._texts}
            raise
