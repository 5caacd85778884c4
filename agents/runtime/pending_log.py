"""What an invocation has not yet written to the log: trace records, and the texts that they name.

Records are stored with the next event, or before the run waits for something.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from agents.event import Event
from agents.log import TraceRecord
from agents.session import BaseSessionService, Session


class PendingLog:
    """The part of a session's log that is not stored yet. For one run, in one event loop.

    Its agents may run in parallel: a store for one of them includes the records of all.

    Attributes:
        records: Where records are added, in order; they must not change afterwards.
        texts: The texts that records name by hash, to be stored with them.
    """

    __slots__ = ("_appends", "_flushing", "_is_due", "_service", "_session", "_soon", "_under_way", "records", "texts")

    def __init__(self, session: Session, session_service: BaseSessionService) -> None:
        self._session = session
        self._service = session_service
        self.records: list[TraceRecord] = []
        self.texts: dict[str, str] = {}
        self._soon: asyncio.Handle | None = None
        self._is_due = False
        self._flushing: asyncio.Task[None] | None = None
        self._appends = 0
        self._under_way: dict[int, asyncio.Future[bool] | None] = {}  # a future only where a task waits for an append

    def flush_soon(self) -> None:
        """Stores the records as soon as the run waits, or else with its next event.

        So watchers see what the run waits for, and a run that never waits costs one transaction per event.
        """
        self._is_due = True
        if self._soon is None and self._flushing is None:
            self._soon = asyncio.get_running_loop().call_soon(self._flush_now)

    async def flush(self) -> None:
        """Stores the records now, see `store`; also waits for an append under way."""
        if self.records or self._flushing is not None:
            await self.store()
        while self._under_way:
            results = await asyncio.gather(*[self._result_of(append) for append in self._under_way])
            if all(results):
                return
            await self.store()  # a failed append may have held our records

    def _result_of(self, append: int) -> asyncio.Future[bool]:
        """Whether an append under way was stored, once that is known; any number of tasks may wait for it."""
        result = self._under_way[append] or asyncio.get_running_loop().create_future()
        self._under_way[append] = result
        return asyncio.shield(result)

    def store(self, event: Event | None = None) -> Awaitable[None]:
        """Stores the records and then `event`, in one transaction; if that fails the records stay pending.

        Raises:
            Exception: Also the error of a background append (`flush_soon`).
        """
        return self._append(event) if self._flushing is None else self._append_after(self._flushing, event)

    async def _append_after(self, flushing: asyncio.Task[None], event: Event | None) -> None:
        try:
            await asyncio.shield(flushing)
        finally:
            if flushing.done() and self._flushing is flushing:
                self._flushing = None
        await self._append(event)

    def _flush_now(self) -> None:
        self._soon = None
        if self._is_due and self.records and self._flushing is None:
            self._flushing = asyncio.create_task(self._append(None))
            self._flushing.add_done_callback(self._flushed)

    def _flushed(self, flushing: asyncio.Task[None]) -> None:
        if self._flushing is flushing and not flushing.cancelled() and flushing.exception() is None:
            self._flushing = None
            if self.records:
                self.flush_soon()

    async def _append(self, event: Event | None) -> None:
        self._is_due = False  # `_flush_now` finds nothing to do: that is cheaper than to cancel it with every event
        records, texts = self.records, self.texts
        self.records, self.texts = [], {}
        self._appends = append = self._appends + 1
        self._under_way[append] = None
        is_stored = False
        try:
            await self._service.append(self._session, records if event is None else [*records, event], texts=texts)
            is_stored = True
        except BaseException as error:
            if not isinstance(error, asyncio.CancelledError) or error.__cause__ is not None:  # else it was stored
                self.records[:0] = records
                self.texts = {**texts, **self.texts}
            raise
        finally:
            if (result := self._under_way.pop(append)) is not None:
                result.set_result(is_stored)
