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

_NO_END, _NO_LIMIT = 2**63 - 1, -1


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

    def entries(
        self, name: str, *, after: int = 0, before: int | None = None, limit: int | None = None, newest: bool = False
    ) -> list[JournalEntry]:
        query = "SELECT seq, at, body FROM journals WHERE name = ? AND seq > ? AND seq < ? ORDER BY seq"
        values = (name, after, _NO_END if before is None else before, _NO_LIMIT if limit is None else limit)
        last_first = f"{query}{' DESC' if newest else ''} LIMIT ?"
        rows = self._use(lambda conn: conn.execute(last_first, values).fetchall())
        return [JournalEntry(seq, at, json.loads(body)) for seq, at, body in (reversed(rows) if newest else rows)]

    def names(self, prefix: str = "") -> list[str]:
        query = "SELECT DISTINCT name FROM journals WHERE substr(name, 1, ?) = ? ORDER BY name"
        return [name for (name,) in self._use(lambda conn: conn.execute(query, (len(prefix), prefix)).fetchall())]
