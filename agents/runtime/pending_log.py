"""What an invocation has not yet written to the log: trace records, and the texts that they name.

Records are stored with the next event, or before the run waits for something.
"""

from __future__ import annotations

import asyncio

from agents.event import Event
from agents.log import TraceRecord
from agents.session import BaseSessionService, Session


class _Append:
    """One append under way. Costs almost nothing unless a task waits for it."""

    __slots__ = ("_result",)

    def __init__(self) -> None:
        self._result: asyncio.Future[bool] | None = None

    def result(self) -> asyncio.Future[bool]:
        """Whether it was stored, once that is known; any number of tasks may wait for it."""
        self._result = self._result or asyncio.get_running_loop().create_future()
        return asyncio.shield(self._result)

    def has_ended(self, *, is_stored: bool) -> None:
        """Wakes the waiting tasks."""
        if self._result is not None:
            self._result.set_result(is_stored)


class PendingLog:
    """The part of a session's log that is not stored yet. For one run, in one event loop.

    Its agents may run in parallel: a store for one of them includes the records of all.

    Args:
        session: Whose log.
        session_service: Where the log goes.
    """

    __slots__ = ("_flushing", "_is_due", "_records", "_service", "_session", "_soon", "_texts", "_under_way")

    def __init__(self, session: Session, session_service: BaseSessionService) -> None:
        self._session = session
        self._service = session_service
        self._records: list[TraceRecord] = []
        self._texts: dict[str, str] = {}
        self._soon: asyncio.Handle | None = None
        self._is_due = False
        self._flushing: asyncio.Task[None] | None = None
        self._under_way: set[_Append] = set()

    def add(self, record: TraceRecord) -> None:
        """Adds a record; the caller must not change it afterwards."""
        self._records.append(record)

    def add_text(self, text_hash: str, text: str) -> None:
        """Keeps a text that a record names by hash, to be stored with it."""
        self._texts[text_hash] = text

    def flush_soon(self) -> None:
        """Stores the records as soon as the run waits, or else with its next event.

        So watchers see what the run waits for, and a run that never waits costs one transaction per event.
        """
        self._is_due = True
        if self._soon is None and self._flushing is None:
            self._soon = asyncio.get_running_loop().call_soon(self._flush_now)

    async def flush(self) -> None:
        """Stores the records now, see `store`; also waits for an append under way."""
        if self._records or self._flushing is not None:
            await self.store()
        while self._under_way:
            results = await asyncio.gather(*[append.result() for append in self._under_way])
            if all(results):
                return
            await self.store()  # a failed append may have held our records

    async def store(self, event: Event | None = None) -> None:
        """Stores the records and then `event`, in one transaction; if that fails the records stay pending.

        Raises:
            Exception: Also the error of a background append (`flush_soon`).
        """
        if (flushing := self._flushing) is not None:
            try:
                await asyncio.shield(flushing)
            finally:
                if flushing.done() and self._flushing is flushing:
                    self._flushing = None
        self._is_due = False  # `_flush_now` finds nothing to do: that is cheaper than to cancel it with every event
        await self._append(event)

    def _flush_now(self) -> None:
        self._soon = None
        if self._is_due and self._records and self._flushing is None:
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
        self._under_way.add(append := _Append())
        is_stored = False
        try:
            await self._service.append(self._session, records if event is None else [*records, event], texts=texts)
            is_stored = True
        except BaseException as error:
            if not isinstance(error, asyncio.CancelledError) or error.__cause__ is not None:  # else it was stored
                self._records[:0] = records
                self._texts = {**texts, **self._texts}
            raise
        finally:
            self._under_way.discard(append)
            append.has_ended(is_stored=is_stored)
