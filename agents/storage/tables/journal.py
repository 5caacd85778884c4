"""`JournalTable`: a journal beside the sessions, one row for each entry."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from agents.storage.journal import Journal, JournalEntry
from agents.storage.tables.database import Tables, hold

_NO_END = 2**63 - 1


class JournalTable(Journal):
    """Keeps its lists in a database.

    Args:
        database: The database.
    """

    def __init__(self, database: Tables) -> None:
        self._database = database

    def append(self, name: str, body: Mapping[str, Any]) -> JournalEntry:
        text = json.dumps(body)  # as ASCII: half of a surrogate pair cannot be stored otherwise
        with self._database.writing() as conn:
            hold(conn, "journal", name)
            at = time.time()
            [last] = conn.execute("SELECT coalesce(max(seq), 0) FROM journals WHERE name = ?", (name,)).fetchone()
            conn.execute("INSERT INTO journals (name, seq, at, body) VALUES (?, ?, ?, ?)", (name, last + 1, at, text))
        return JournalEntry(last + 1, at, json.loads(text))

    def entries(
        self, name: str, *, after: int = 0, before: int | None = None, limit: int | None = None, newest: bool = False
    ) -> list[JournalEntry]:
        query = "SELECT seq, at, body FROM journals WHERE name = ? AND seq > ? AND seq < ? ORDER BY seq"
        values = (name, after, _NO_END if before is None else before, _NO_END if limit is None else limit)
        with self._database.reading() as conn:
            rows = conn.execute(f"{query}{' DESC' if newest else ''} LIMIT ?", values).fetchall()
        return [JournalEntry(seq, at, json.loads(body)) for seq, at, body in (reversed(rows) if newest else rows)]

    def names(self, prefix: str = "") -> list[str]:
        query = "SELECT DISTINCT name FROM journals WHERE substr(name, 1, ?) = ? ORDER BY name"
        with self._database.reading() as conn:
            return [name for (name,) in conn.execute(query, (len(prefix), prefix)).fetchall()]

    def close(self) -> None:
        self._database.close()
