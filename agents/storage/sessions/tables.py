"""The tables of a service that keeps nothing on disk: an in-memory database, created when it is first needed.

Deltas are folded in SQL, so the code is the same with a file and without.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager

from agents.storage.playbook_tables import PlaybookTables
from agents.storage.sqlite.database import transaction
from agents.storage.sqlite.migrations import PLAYBOOKS


class MemoryTables(PlaybookTables):
    """A database in memory, for one thread at a time."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._conn: sqlite3.Connection | None = None

    @property
    def are_used(self) -> bool:
        """Whether anything was ever written or read."""
        return self._conn is not None

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection, None, None]:
        """One transaction at a time; a thread that is in one stays in it."""
        with self._lock:
            if self._conn is None:
                self._conn = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
                self._conn.executescript(PLAYBOOKS)
            if self._conn.in_transaction:
                yield self._conn
            else:
                with transaction(self._conn) as conn:
                    yield conn
