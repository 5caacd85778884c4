"""`InMemoryJournal`: a journal that lasts until the process ends."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from typing import Any

from agents.storage.journal import Journal, JournalEntry


class InMemoryJournal(Journal):
    """Keeps its lists in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lists: dict[str, list[JournalEntry]] = {}

    def append(self, name: str, body: Mapping[str, Any]) -> JournalEntry:
        kept: dict[str, Any] = json.loads(json.dumps(body))
        with self._lock:
            entries = self._lists.setdefault(name, [])
            entries.append(entry := JournalEntry(len(entries) + 1, time.time(), kept))
            return entry

    def entries(
        self, name: str, *, after: int = 0, before: int | None = None, limit: int | None = None, newest: bool = False
    ) -> list[JournalEntry]:
        with self._lock:
            found = self._lists.get(name, [])[max(0, after) : None if before is None else max(0, before - 1)]
        if limit is None:
            return found
        return found[max(0, len(found) - limit) :] if newest else found[:limit]

    def names(self, prefix: str = "") -> list[str]:
        with self._lock:
            return sorted(name for name in self._lists if name.startswith(prefix))
