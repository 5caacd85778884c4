"""Writes to a SQLite file: one transaction after the other, in a thread, so that the event loop waits for no lock or disk.

A short transaction that nothing blocks runs in the caller's thread instead: it takes less than a tenth of a millisecond,
and waking the thread and being woken would take longer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from agents.errors import DatabaseError
from agents.storage.sqlite.database import Connection, transaction
from agents.storage.sqlite.patience import ATTEMPT_SECONDS, Patience
from agents.storage.tables.connection import Job
from agents.storage.tables.worker import GiveUp, NotNowError, Worker, WorkerClosedError

MAKING = 12
"""How many times as long as for another lock opening waits while another process makes or upgrades the schema: where many
start at once, that one has little of the processor."""

T = TypeVar("T")
CHECKPOINT_EVERY = 250
"""Short transactions after which the thread moves the write-ahead log into the file, which waits for the disk."""


class Writer:
    """Writes to one file. May be used from several threads and event loops at once.

    Args:
        path: The file.
        busy_timeout: How long to wait for other processes that write, or for space on a full disk, in seconds.
        listener: Called when writes wait; see `Patience`.
    """

    def __init__(self, path: Path, busy_timeout: float, listener: Callable[[str | None], None] | None = None) -> None:
        self._patience = Patience(path, busy_timeout, listener, mark=self._mark)
        self._making = Patience(path, busy_timeout, listener, for_lock=MAKING * busy_timeout)
        self._connection = Connection(path, min(busy_timeout, ATTEMPT_SECONDS))
        self._impatient = Connection(path, 0, checkpoints=False)
        self._worker = Worker("sessions-write")
        self._may_be_brief = False
        self._brief_ones = 0

    async def open(self) -> None:
        """Opens the file; creates or upgrades it first, even if it existed and was deleted.

        Raises:
            DatabaseError: It cannot be used.
        """
        give_up = GiveUp()
        get = partial(self._connection.get, anew=True)
        await self._worker.run(partial(self._making.run, get, give_up), cancelled=give_up.now)

    async def write(
        self,
        job: Job[T],
        stored: Callable[[T], None],
        then: Callable[[T], None] | None = None,
        *,
        brief: Job[T] | None = None,
    ) -> T:
        """Runs `job` in a transaction.

        Args:
            job: What to do; all of it is stored, or nothing.
            stored: Called with the result once it is, in the thread that did it, before the next transaction.
            then: Called with the result in the caller's event loop, also when the caller was cancelled.
            brief: The same as `job`, if it is short enough to run at once. Raises `NotNowError` if it turns out not to be.

        Raises:
            DatabaseError: The file cannot be used, or not for too long. Nothing was stored. If the caller is cancelled while
                it waits, this is the cause of the `CancelledError`.
            WorkerClosedError: The writer is closed.
        """
        give_up = GiveUp()

        def attempt() -> T:
            with transaction(self._connection.get()) as conn:
                result = job(conn)
            if not self._may_be_brief:
                self._allow_brief()
            stored(result)
            return result

        def at_once() -> T:
            assert brief is not None
            try:
                with transaction(self._impatient.get()) as conn:
                    result = brief(conn)
            except (sqlite3.Error, DatabaseError) as error:  # nothing is stored; the thread may wait, and raises the error
                self._may_be_brief = False
                raise NotNowError from error
            self._brief_ones += 1
            if self._brief_ones % CHECKPOINT_EVERY == 0:
                self._worker.soon(self._checkpoint)
            stored(result)
            return result

        return await self._worker.run(
            partial(self._patience.run, attempt, give_up),
            then,
            brief=at_once if brief and self._may_be_brief else None,
            cancelled=give_up.now,
        )

    async def close(self) -> None:
        """Finishes pending jobs, then closes the file and ends the thread. Closing twice is no error.

        Jobs that wait for a lock or a full disk are given up.
        """
        self._patience.closed = self._making.closed = True
        with suppress(WorkerClosedError):
            await self._worker.run(self._close)
        self._worker.close()

    def _mark(self) -> int:
        """A number that changes when another connection has written; called in the thread."""
        with suppress(sqlite3.Error, DatabaseError):  # then nobody writes
            return self._connection.get().execute("PRAGMA data_version").fetchone()[0]
        return 0

    def _allow_brief(self) -> None:
        """Lets the next short job run at once. Called in the thread after a write: the file is ready then."""
        with suppress(sqlite3.Error, DatabaseError):  # locked at the moment; the thread's next write tries again
            self._impatient.get()
            self._may_be_brief = True

    def _checkpoint(self) -> None:
        with suppress(sqlite3.Error, DatabaseError):  # left to the next one
            self._connection.get().execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _close(self) -> None:
        self._may_be_brief = False
        self._impatient.close()
        self._connection.close()
