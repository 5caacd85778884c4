"""`PostgresSessionDatabase`: jobs on a PostgreSQL database, for callers in event loops, who do not wait in their thread."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from agents.errors import DatabaseError
from agents.session import SessionListener
from agents.storage.postgres.connection import shown
from agents.storage.postgres.pool import Pool
from agents.storage.postgres.watch import Watch
from agents.storage.sqlite.worker import Worker, WorkerClosedError
from agents.storage.tables.connection import Job
from agents.storage.tables.session_tables import Change, Name

T = TypeVar("T")

READERS, WRITERS = 3, 4
"""Threads that read and write. What writes to one session has one thread: jobs of a session follow one another."""


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

    async def open(self) -> None:
        await self.read(lambda _: None)

    async def read(self, job: Job[T], /) -> T:
        reader = min(self._readers, key=lambda reader: reader.pending)
        return await self._run(reader, job, writes=False)

    async def write(
        self,
        job: Job[T],
        committed: Callable[[T], Sequence[Change]],
        then: Callable[[T], None] | None = None,
        *,
        of: Name | None = None,
        brief: Job[T] | None = None,
    ) -> T:
        writer = self._writers[zlib.crc32("\n".join(of or ()).encode(errors="replace")) % WRITERS]

        def stored(result: T) -> T:
            for name, last_seq in committed(result):
                self._watch.tell(name, last_seq)
                self._changed(*name, last_seq)
            return result

        return await self._run(writer, job, writes=True, stored=stored, then=then)

    async def _run(
        self,
        worker: Worker,
        job: Job[T],
        *,
        writes: bool,
        stored: Callable[[T], T] | None = None,
        then: Callable[[T], None] | None = None,
    ) -> T:
        is_unwanted = [False]

        def work() -> T:
            result = self._pool.run(job, writes=writes, gives_up=lambda: is_unwanted[0])
            return result if stored is None else stored(result)

        try:
            if not _is_in_event_loop():
                return worker.run_here(work)
            return await worker.run(work, then, cancelled=partial(is_unwanted.__setitem__, 0, True))
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
        for worker in (*self._writers, *self._readers):
            with suppress(WorkerClosedError):
                await worker.run(lambda: None)
            worker.close()
        self._watch.close()
        self._pool.close()


def _is_in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
