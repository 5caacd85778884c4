"""What tables ask of a database whose callers may wait."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from typing import Protocol

from agents.storage.tables.connection import Connection

_HOLD = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))"
_HOLD_ONE = f"SELECT pg_advisory_xact_lock_shared(hashtextextended(?, 0)), {_HOLD.removeprefix('SELECT ')}"


class Tables(Protocol):
    """A database. Its methods may raise `DatabaseError`."""

    def writing(self) -> AbstractContextManager[Connection]:
        """A transaction: all of the block is stored, or nothing. In SQLite it blocks other writers."""
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """A snapshot to read from."""
        ...

    def close(self) -> None:
        """Releases connections; the next use opens them again."""
        ...


def hold(conn: Connection, kind: str, *name: str) -> None:
    """Blocks other writers of one thing, or of all of a kind, until the transaction ends.

    In SQLite a transaction that writes blocks all others anyway.

    Args:
        conn: The connection, in a transaction that writes.
        kind: What it is.
        name: Which one; none for all of the kind.
    """
    if not isinstance(conn, sqlite3.Connection):
        one = "\n".join((kind, *name))
        conn.execute(*((_HOLD_ONE, (kind, one)) if name else (_HOLD, (kind,))))
