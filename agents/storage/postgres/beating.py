"""What renews the claims of a service on a PostgreSQL database: a connection that nothing else waits for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import psycopg

from agents.errors import DatabaseError
from agents.storage.postgres.connection import Connection
from agents.storage.postgres.pool import Pool
from agents.storage.tables.connection import Connection as TableConnection
from agents.storage.tables.heartbeat import Beating


class PostgresBeating(Beating):
    """A connection beside those of a pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._conn: Connection | None = None

    def do(self, job: Callable[[TableConnection], object]) -> None:
        for _ in range(2):  # a connection that was lost since the last beat is made anew
            is_new = self._conn is None
            try:
                conn = self._conn = self._conn or self._pool.connect()
                conn.begin(writes=True)
                job(conn)
                conn.end(commit=True)
            except (psycopg.Error, DatabaseError):
                self.close()
                if is_new:
                    return
            else:
                return

    def close(self) -> None:
        if self._conn is not None:
            with suppress(psycopg.Error):
                self._conn.raw.close()
            self._conn = None
