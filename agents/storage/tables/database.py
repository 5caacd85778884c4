"""What tables ask of a database: transactions, and connections that take `?` for a value."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

_HOLD = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))"
_HOLD_ONE = f"SELECT pg_advisory_xact_lock_shared(hashtextextended(?, 0)), {_HOLD.removeprefix('SELECT ')}"


class Cursor(Protocol):
    """The rows of a statement."""

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection in a transaction: that of `sqlite3`, or one that speaks like it."""

    def execute(self, sql: str, values: Any = ..., /) -> Cursor: ...

    def executemany(self, sql: str, rows: Any, /) -> object: ...


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
