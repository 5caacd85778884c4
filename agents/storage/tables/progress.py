"""`ProgressTable`: the progress of learners beside the sessions."""

from __future__ import annotations

import time
from collections.abc import Callable

from agents.storage.lessons.progress import ProgressRow, ProgressStore
from agents.storage.tables.database import Tables, hold

_OF_LESSON = "user_id = ? AND lesson = ?"
_SET = (
    "INSERT INTO lesson_progress (user_id, lesson, step, changed_at, body) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (user_id, lesson, step) DO UPDATE SET changed_at = excluded.changed_at, body = excluded.body"
)


class ProgressTable(ProgressStore):
    """Keeps the progress of learners in a database.

    Args:
        database: The database.
    """

    def __init__(self, database: Tables) -> None:
        self._database = database

    def rows(self, *, user_id: str | None = None, lesson: str | None = None) -> list[ProgressRow]:
        asked = {name: value for name, value in (("user_id", user_id), ("lesson", lesson)) if value is not None}
        where = f" WHERE {' AND '.join(f'{name} = ?' for name in asked)}" if asked else ""
        columns = ", ".join(ProgressRow._fields)
        query = f"SELECT {columns} FROM lesson_progress{where} ORDER BY user_id, lesson, step"  # noqa: S608  names of ours
        with self._database.reading() as conn:
            return [ProgressRow(*row) for row in conn.execute(query, tuple(asked.values())).fetchall()]

    def change(self, user_id: str, lesson: str, step: str, update: Callable[[str | None], str]) -> str:
        key = (user_id, lesson, step)
        with self._database.writing() as conn:
            hold(conn, "lesson", *key)
            row = conn.execute(f"SELECT body FROM lesson_progress WHERE {_OF_LESSON} AND step = ?", key).fetchone()  # noqa: S608
            body = update(None if row is None else row[0])
            conn.execute(_SET, ProgressRow(*key, time.time(), body))
        return body

    def clear(self, user_id: str, lesson: str) -> None:
        with self._database.writing() as conn:
            conn.execute(f"DELETE FROM lesson_progress WHERE {_OF_LESSON}", (user_id, lesson))  # noqa: S608

    def close(self) -> None:
        self._database.close()
