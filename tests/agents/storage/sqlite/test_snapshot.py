"""Reads of one snapshot, and the opening of a file."""

from __future__ import annotations

import sqlite3

import pytest

from agents.storage.sqlite import database
from agents.storage.sqlite.database import Connection, snapshot
from agents.storage.sqlite.session_database import Reader

pytestmark = pytest.mark.anyio


def test_an_error_that_ended_the_transaction_is_the_one_that_is_raised():
    def read(conn: sqlite3.Connection) -> None:
        with snapshot(conn):
            conn.execute("ROLLBACK")  # as SQLite does by itself after some errors
            raise sqlite3.OperationalError("disk I/O error")

    conn = sqlite3.connect(":memory:", isolation_level=None)
    with pytest.raises(sqlite3.OperationalError, match="disk I/O error"):
        read(conn)
    conn.close()


def test_a_file_that_was_replaced_while_it_was_opened_is_opened_again(tmp_path, monkeypatch):
    """SQLite then finds the index of the other file, and fails once with SQLITE_IOERR."""
    first = Connection(tmp_path / "test.db", 1)
    first.get()
    first.close()
    real, left = database._version, [sqlite3.SQLITE_IOERR_SHORT_READ]

    def version(conn):
        if left:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = left.pop()
            raise error
        return real(conn)

    monkeypatch.setattr(database, "_version", version)
    reader = Connection(tmp_path / "test.db", 1, read_only=True)
    assert reader.get().execute("SELECT 1").fetchone() == (1,)
    assert left == []
    reader.close()
    left += [sqlite3.SQLITE_IOERR_SHORT_READ] * 2  # it stays so
    with pytest.raises(sqlite3.OperationalError, match="disk I/O error"):
        Connection(tmp_path / "test.db", 1, read_only=True).get()


async def test_a_read_of_a_file_that_was_replaced_meanwhile_is_done_again(tmp_path):
    Connection(tmp_path / "test.db", 1).get()
    reader, left = Reader(tmp_path / "test.db", 1, 1), [sqlite3.SQLITE_IOERR_SHORT_READ]

    def job(conn):
        if left:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = left.pop()
            raise error
        return conn.execute("SELECT 1").fetchone()

    assert await reader.read(job) == (1,)
    left += [sqlite3.SQLITE_IOERR_SHORT_READ] * 2  # it stays so
    with pytest.raises(sqlite3.OperationalError, match="disk I/O error"):
        await reader.read(job)
    await reader.close()
