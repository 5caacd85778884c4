"""Reads of one snapshot."""

from __future__ import annotations

import sqlite3

import pytest

from agents.storage.sqlite.database import snapshot


def test_an_error_that_ended_the_transaction_is_the_one_that_is_raised():
    def read(conn: sqlite3.Connection) -> None:
        with snapshot(conn):
            conn.execute("ROLLBACK")  # as SQLite does by itself after some errors
            raise sqlite3.OperationalError("disk I/O error")

    conn = sqlite3.connect(":memory:", isolation_level=None)
    with pytest.raises(sqlite3.OperationalError, match="disk I/O error"):
        read(conn)
    conn.close()
