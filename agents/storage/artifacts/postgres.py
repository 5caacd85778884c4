"""`PostgresArtifactService`: artifacts in a PostgreSQL database, shared by any number of servers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from agents.artifact import VersionWriter
from agents.storage.artifacts.tables import ArtifactTable, T, write_versions
from agents.storage.postgres.pool import Pool
from agents.storage.tables.database import Connection


class PostgresArtifactService(ArtifactTable):
    """Keeps artifacts in a PostgreSQL database.

    Args:
        pool: Its connections.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def writer_beside(self, sessions: object) -> VersionWriter | None:
        from agents.storage.postgres.sessions import PostgresSessionService

        is_one = isinstance(sessions, PostgresSessionService) and sessions.address == self._pool.address
        return write_versions if is_one else None

    async def close(self) -> None:
        """Closes the connections that are not in use."""
        self._pool.close()

    async def _run(self, job: Callable[[Connection], T], *, writes: bool) -> T:
        return await asyncio.to_thread(self._pool.run, job, writes=writes)
