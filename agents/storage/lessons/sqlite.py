"""`SqliteProgressStore`: the progress of learners beside the sessions."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable

from agents.storage.lessons.progress import ProgressRow, ProgressStore
from agents.storage.sqlite.blocking_database import OneConnection
from agents.storage.sqlite.database import transaction

_KEY = "user_id = ? AND lesson = ?"


class SqliteProgressStore(OneConnection, ProgressStore):
    """Keeps the progress of learners in a SQLite file."""

    def rows(self, *, user_id: str | None = None, lesson: str | None = None) -> list[ProgressRow]:
        asked = {name: value for name, value in (("user_id", user_id), ("lesson", lesson)) if value is not None}
        where = f" WHERE {' AND '.join(f'{name} = ?' for name in asked)}" if asked else ""
        columns = ", ".join(ProgressRow._fields)
        query = f"SELECT {columns} FROM lesson_progress{where} ORDER BY user_id, lesson, step"  # noqa: S608  names of ours
        found = self._use(lambda conn: conn.execute(query, tuple(asked.values())).fetchall())
        return [ProgressRow(*row) for row in found]

    def change(self, user_id: str, lesson: str, step: str, update: Callable[[str | None], str]) -> str:
        key = (user_id, lesson, step)

        def work(conn: sqlite3.Connection) -> str:
            with transaction(conn):
                row = conn.execute(f"SELECT body FROM lesson_progress WHERE {_KEY} AND step = ?", key).fetchone()  # noqa: S608
                body = update(None if row is None else row[0])
                values = ProgressRow(*key, time.time(), body)
                conn.execute("INSERT OR REPLACE INTO lesson_progress VALUES (?, ?, ?, ?, ?)", values)
            return body

        return self._use(work)

    def clear(self, user_id: str, lesson: str) -> None:
        def work(conn: sqlite3.Connection) -> None:
            with transaction(conn):
                conn.execute(f"DELETE FROM lesson_progress WHERE {_KEY}", (user_id, lesson))  # noqa: S608

        self._use(work)
