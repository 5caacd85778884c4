"""`InMemoryProgressStore`: the progress of learners until the process ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from agents.storage.lessons.progress import ProgressRow, ProgressStore


class InMemoryProgressStore(ProgressStore):
    """Keeps the progress of learners in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[tuple[str, str, str], ProgressRow] = {}

    def rows(self, *, user_id: str | None = None, lesson: str | None = None) -> list[ProgressRow]:
        with self._lock:
            found = sorted(self._rows.values())
        return [row for row in found if user_id in (None, row.user_id) and lesson in (None, row.lesson)]

    def change(self, user_id: str, lesson: str, step: str, update: Callable[[str | None], str]) -> str:
        with self._lock:
            before = self._rows.get((user_id, lesson, step))
            body = update(before and before.body)
            self._rows[user_id, lesson, step] = ProgressRow(user_id, lesson, step, time.time(), body)
            return body

    def clear(self, user_id: str, lesson: str) -> None:
        with self._lock:
            self._rows = {key: row for key, row in self._rows.items() if key[:2] != (user_id, lesson)}
