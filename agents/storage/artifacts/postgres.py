"""`PostgresArtifactService`: artifacts in a PostgreSQL database, shared by any number of servers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from agents.artifact import VersionWriter
from agents.errors import DatabaseError
from agents.storage.artifacts.tables import ArtifactTable, T, write_versions
from agents.storage.postgres.connection import shown
from agents.storage.postgres.pool import Pool
from agents.storage.postgres.sessions import PostgresSessionService
from agents.storage.tables.connection import Connection
from agents.storage.tables.worker import GiveUp, Worker, WorkerClosedError


class PostgresArtifactService(ArtifactTable):
    """Keeps artifacts in a PostgreSQL database. For several threads and event loops.

    Args:
        pool: The connections to the database.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._worker = Worker("artifacts")

    def writer_beside(self, sessions: object) -> VersionWriter | None:
        is_one = isinstance(sessions, PostgresSessionService) and sessions.address == self._pool.address
        return write_versions if is_one else None

    async def close(self) -> None:
        """Finishes pending jobs, then ends the thread. Closing twice is no error."""
        with suppress(WorkerClosedError):
            await self._worker.run(self._pool.close)
        self._worker.close()

    async def _run(self, job: Callable[[Connection], T], *, writes: bool) -> T:
        give_up = GiveUp()
        work = partial(self._pool.run, job, writes=writes, gives_up=lambda: give_up.wanted)
        try:
            return await self._worker.run(work, cancelled=give_up.now)
        except WorkerClosedError as error:
            raise DatabaseError(
                f"The artifacts in {shown(self._pool.address)} were closed by close(). Make a new PostgresArtifactService "
                "to go on."
            ) from error
