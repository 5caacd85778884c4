"""Stores the user's preferences beside the sessions, one row for each that was ever set.

Keys are not preferences and are never written.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from agents.storage.preferences import Preferences
from agents.storage.sqlite.database import WAIT_SECONDS, Connection, explained, transaction
from agents.storage.sqlite.migrations import PREFERENCES

T = TypeVar("T")


class PreferenceStore:
    """The preferences in a database. For any thread.

    Args:
        path: The database; None keeps them in memory.
        busy_timeout: How long to wait for other processes that write, in seconds.
    """

    def __init__(self, path: Path | None, *, busy_timeout: float = WAIT_SECONDS) -> None:
        self._path = path
        self._busy_timeout = busy_timeout
        self._lock = threading.Lock()
        self._file = None if path is None else Connection(path, busy_timeout, takes_another=True)
        self._memory: sqlite3.Connection | None = None

    def read(self) -> Preferences:
        """The preferences. A stored value that cannot be read, e.g. of a later version, is left alone; its default is used.

        Raises:
            DatabaseError: The database cannot be used.
        """
        return self._with_connection(_read)

    def change(self, changes: Mapping[str, Any]) -> Preferences:
        """Sets some preferences, all of them or none; concurrent changes of others stay.

        Args:
            changes: Values by the names of the fields.

        Raises:
            ValidationError: A value is not valid for its preference.
            DatabaseError: The database cannot be used.
        """

        def work(conn: sqlite3.Connection) -> Preferences:
            checked = Preferences.model_validate({**_read(conn).model_dump(), **changes})
            stored = json.loads(checked.model_dump_json(include=set(changes)))
            rows = [(name, json.dumps(value, ensure_ascii=False)) for name, value in stored.items()]
            with transaction(conn):
                conn.executemany("INSERT OR REPLACE INTO preferences (name, value) VALUES (?, ?)", rows)
            return checked

        return self._with_connection(work)

    def close(self) -> None:
        """Closes the database."""
        with self._lock:
            for held in (self._file, self._memory):
                if held is not None:
                    held.close()

    def _with_connection(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock:
            if self._file is None or self._path is None:
                if self._memory is None:
                    self._memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
                    self._memory.executescript(PREFERENCES)
                return work(self._memory)
            try:
                return work(self._file.get())
            except sqlite3.Error as error:
                raise explained(error, self._path, self._busy_timeout) from error


def _read(conn: sqlite3.Connection) -> Preferences:
    found: dict[str, Any] = {}
    for name, text in conn.execute("SELECT name, value FROM preferences"):
        try:
            value = json.loads(text)
            Preferences.model_validate({name: value})
        except (ValueError, RecursionError, ValidationError):
            continue
        found[name] = value
    return Preferences.model_validate(found)
