"""`PostgresSessionDatabase`: jobs on a PostgreSQL database, for callers in event loops, who do not wait in their thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TypeVar

import psycopg

from agents.errors import DatabaseError
from agents.session import SessionListener
from agents.storage.postgres.connection import shown
from agents.storage.postgres.pool import Pool
from agents.storage.postgres.watch import Watch
from agents.storage.tables.connection import Job
from agents.storage.tables.session_tables import Change, Name
from agents.storage.tables.worker import GiveUp, NotNowError, Worker, WorkerClosedError

T = TypeVar("T")

READERS, WRITERS = 3, 8
"""Threads that read and write. Commits wait for the database's disk, which stores those of several connections at once."""


class PostgresSessionDatabase:
    """See `SessionTables`. May be used from several threads and event loops at once.

    Args:
        pool: The connections.
        changed: Called after each commit with each session that it changed, those of other servers included.
    """

    def __init__(self, pool: Pool, *, changed: SessionListener) -> None:
        self._pool, self._changed = pool, changed
        self._readers = [Worker(f"sessions-read-{number}", brief=0) for number in range(READERS)]
        self._writers = [Worker(f"sessions-write-{number}", brief=0) for number in range(WRITERS)]
        self._watch = Watch(pool, changed)
        self._lock = threading.Lock()
        self._busy: dict[Name | None, tuple[Worker, int]] = {}

    async def open(self) -> None:
        await self.read(lambda _: None)

    async def read(self, job: Job[T], /) -> T:
        reader = min(self._readers, key=lambda reader: reader.pending)
        return await self._run(reader, partial(self._pool.run, job, writes=False))

    async def write(
        self,
        job: Job[T],
        committed: Callable[[T], Sequence[Change]],
        then: Callable[[T], None] | None = None,
        *,
        of: Name | None = None,
        brief: Job[T] | None = None,
    ) -> T:
        """See `SessionTables`; `brief` is one statement, and is tried first."""
        give_up = GiveUp()

        def work() -> T:
            result = self._stored(job, brief, give_up)
            for name, last_seq in committed(result):
                self._watch.tell(name, last_seq)
                self._changed(*name, last_seq)
            return result

        with self._writer_for(of) as writer:
            return await self._run(writer, work, then, give_up)

    def _stored(self, job: Job[T], brief: Job[T] | None, give_up: GiveUp) -> T:
        if brief is not None:
            with suppress(NotNowError, psycopg.OperationalError, DatabaseError):  # the job says what is wrong
                return self._pool.at_once(brief)
        return self._pool.run(job, writes=True, gives_up=lambda: give_up.wanted)

    @contextmanager
    def _writer_for(self, name: Name | None) -> Generator[Worker, None, None]:
        """The writer of a session with pending jobs, which follow one another; else the one that has least to do."""
        with self._lock:
            writer, pending = self._busy.get(name) or (min(self._writers, key=lambda worker: worker.pending), 0)
            self._busy[name] = writer, pending + 1
        try:
            yield writer
        finally:
            with self._lock:
                writer, pending = self._busy.pop(name)
                if pending > 1:
                    self._busy[name] = writer, pending - 1

    async def _run(
        self, worker: Worker, work: Callable[[], T], then: Callable[[T], None] | None = None, give_up: GiveUp | None = None
    ) -> T:
        give_up = give_up or GiveUp()
        try:
            if not _is_in_event_loop():
                return worker.run_here(work)
            return await worker.run(work, then, cancelled=give_up.now)
        except WorkerClosedError as error:
            raise DatabaseError(
                f"The PostgreSQL database {shown(self._pool.address)} was closed by close(). Make a new "
                "PostgresSessionService to go on."
            ) from error

    def watch(self) -> None:
        """Reports the commits of other servers from now on."""
        self._watch.start()

    def change_mark(self) -> int:
        """See `BaseSessionService`. Also differs after this process wrote, and after the connection was lost."""
        return self._watch.mark()

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        for worker in (*self._writers, *self._readers):
            worker.close()
        self._watch.close()
        self._pool.close()


def _is_in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
