"""`SqliteJournal`: a journal beside the sessions, one row for each entry."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Mapping
from typing import Any

from agents.storage.journal import Journal, JournalEntry
from agents.storage.sqlite.blocking_database import OneConnection
from agents.storage.sqlite.database import transaction


class SqliteJournal(OneConnection, Journal):
    """Keeps its lists in a SQLite file."""

    def append(self, name: str, body: Mapping[str, Any]) -> JournalEntry:
        text, at = json.dumps(body), time.time()  # as ASCII: half of a surrogate pair cannot be stored otherwise

        def work(conn: sqlite3.Connection) -> int:
            with transaction(conn):
                (last,) = conn.execute("SELECT coalesce(max(seq), 0) FROM journals WHERE name = ?", (name,)).fetchone()
                conn.execute("INSERT INTO journals (name, seq, at, body) VALUES (?, ?, ?, ?)", (name, last + 1, at, text))
            return last + 1

        return JournalEntry(self._use(work), at, json.loads(text))

    def entries(self, name: str, *, after: int = 0) -> list[JournalEntry]:
        query = "SELECT seq, at, body FROM journals WHERE name = ? AND seq > ? ORDER BY seq"
        rows = self._use(lambda conn: conn.execute(query, (name, after)).fetchall())
        return [JournalEntry(seq, at, json.loads(body)) for seq, at, body in rows]

    def names(self, prefix: str = "") -> list[str]:
        query = "SELECT DISTINCT name FROM journals WHERE substr(name, 1, ?) = ? ORDER BY name"
        return [name for (name,) in self._use(lambda conn: conn.execute(query, (len(prefix), prefix)).fetchall())]
