"""What renews the claims of a service on a SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from agents.errors import DatabaseError
from agents.storage.sqlite.database import Connection, transaction
from agents.storage.tables.connection import Connection as TableConnection
from agents.storage.tables.heartbeat import Beating


class SqliteBeating(Beating):
    """A connection to a file.

    Args:
        path: The file.
        seconds: How long a beat waits for other processes that write.
    """

    def __init__(self, path: Path, seconds: float) -> None:
        self._connection = Connection(path, seconds, checkpoints=False, takes_another=True)

    def do(self, job: Callable[[TableConnection], object]) -> None:
        with suppress(sqlite3.Error, DatabaseError), transaction(self._connection.get()) as conn:
            job(conn)

    def close(self) -> None:
        self._connection.close()
