"""`SessionDatabase`: a session database for callers in event loops, who wait for no disk and no lock in their own thread."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from agents.errors import DatabaseError, DatabaseLostError
from agents.session import SessionListener, WaitingListener
from agents.storage.sqlite.database import Connection, explained, primary_code, snapshot
from agents.storage.sqlite.writer import Writer
from agents.storage.tables.connection import Job
from agents.storage.tables.session_tables import Change, Name
from agents.storage.tables.worker import Worker, WorkerClosedError

T = TypeVar("T")


READERS = 3
"""Threads that read, each with a connection of its own."""


class Reader:
    """A thread that reads, with its connection.

    Attributes:
        worker: The thread.
        connection: The connection; for one who has the turn of `worker`.

    Args:
        path: The file.
        busy_timeout: See `Connection`.
        number: Tells it from the others.
    """

    def __init__(self, path: Path, busy_timeout: float, number: int) -> None:
        self.worker = Worker(f"sessions-read-{number}")
        self.connection = Connection(path, busy_timeout, read_only=True)

    async def read(self, job: Job[T]) -> T:
        """Runs a job on a snapshot of the database: in the thread, or in that of a caller without an event loop."""

        def once() -> T:
            with snapshot(self.connection.get()) as conn:
                return job(conn)

        def work() -> T:
            try:
                return once()
            except sqlite3.OperationalError as error:
                if primary_code(error) != sqlite3.SQLITE_IOERR:
                    raise
                self.connection.close()  # the file was replaced at this moment: the index was the other one's
                return once()

        return await self.worker.run(work) if _is_in_event_loop() else self.worker.run_here(work)

    async def close(self) -> None:
        """Finishes its jobs and closes the connection."""
        with suppress(WorkerClosedError):
            await self.worker.run(self.connection.close)
        self.worker.close()


def _is_in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class SessionDatabase:
    """Runs jobs on one file: functions of a connection. May be used from several threads and event loops at once.

    Jobs run in threads, some that read and one that writes (see `writer`), so that the event loop never waits for a disk
    and a long read holds up neither an append nor other reads. The file is opened, created or upgraded when it is first
    needed.
    Every method but `change_mark` may raise `DatabaseError`; the database works again once the cause is gone.

    Args:
        path: The file; its folder is made if it is missing.
        busy_timeout: How long to wait for other processes that write, or for space on a full disk, in seconds.
        changed: Called after each commit with each session that it changed, see `BaseSessionService.add_listener`.
        waiting: Called when writes wait, see `BaseSessionService.add_waiting_listener`.
    """

    def __init__(self, path: Path, busy_timeout: float, *, changed: SessionListener, waiting: WaitingListener) -> None:
        self._path = path
        self._busy_timeout = busy_timeout
        self._changed = changed
        self._writer = Writer(path, busy_timeout, waiting)
        self._readers = [Reader(path, busy_timeout, number) for number in range(READERS)]
        self._polling = Connection(path, 0, read_only=True)
        self._ready = False
        self._mark = 0
        self._mark_lock = threading.Lock()

    async def open(self) -> None:
        """Opens the file now, so that its errors show early; creates it if it is missing or was deleted.

        Raises:
            DatabaseError: It cannot be used; the message says why and what to do.
        """
        try:
            await self._writer.open()
        except (sqlite3.Error, WorkerClosedError) as error:
            raise self._explained(error) from error
        self._ready = True

    async def read(self, job: Job[T]) -> T:
        """Runs `job` on a snapshot of the database, with the reader that has least to do; see `Reader.read`."""
        if not self._ready:
            await self.open()
        reader = min(self._readers, key=lambda reader: reader.worker.pending)
        try:
            return await reader.read(job)
        except (sqlite3.Error, WorkerClosedError) as error:
            raise self._explained(error) from error

    async def write(
        self,
        job: Job[T],
        committed: Callable[[T], Sequence[Change]],
        then: Callable[[T], None] | None = None,
        *,
        of: Name | None = None,
        brief: Job[T] | None = None,
    ) -> T:
        """See `SessionTables` and `Writer.write`: all jobs follow one another."""

        def stored(result: T) -> None:
            self._ready = True
            for name, last_seq in committed(result):
                self._changed(*name, last_seq)

        try:
            return await self._writer.write(job, stored, then, brief=brief)
        except (sqlite3.Error, WorkerClosedError) as error:
            raise self._explained(error) from error

    def change_mark(self) -> int:
        """See `BaseSessionService`. Also differs after this process wrote, and while the file is not there.

        Does not wait, raises nothing.
        """
        with self._mark_lock:
            if self._ready:
                try:
                    self._mark = self._polling.get().execute("PRAGMA data_version").fetchone()[0]
                except DatabaseLostError:
                    self._mark = -1  # the next reader gets the error
                except (sqlite3.Error, DatabaseError):
                    self._polling.close()  # the error shows at the next read or write
            return self._mark

    async def close(self) -> None:
        """Finishes pending jobs, then closes the file and ends the threads. Closing twice is no error."""
        await self._writer.close()
        for reader in self._readers:
            await reader.close()
        with self._mark_lock:
            self._ready = False
            self._polling.close()

    def _explained(self, error: sqlite3.Error | WorkerClosedError) -> DatabaseError:
        if isinstance(error, sqlite3.Error):
            return explained(error, self._path, self._busy_timeout)
        return DatabaseError(
            f"The session database {self._path} was closed by close(). Make a new SqliteSessionService to go on."
        )
