"""`SqlitePreferenceStore`: the user's preferences beside the sessions, one row for each that was ever set.

Keys are not preferences and are never written.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from agents.storage.preferences import Preferences, PreferenceStore
from agents.storage.sqlite.blocking_database import OneConnection
from agents.storage.sqlite.database import transaction


class SqlitePreferenceStore(OneConnection, PreferenceStore):
    """Keeps the preferences in a SQLite file."""

    def read(self) -> Preferences:
        return self._use(_read)

    def change(self, changes: Mapping[str, Any]) -> Preferences:
        def work(conn: sqlite3.Connection) -> Preferences:
            checked = Preferences.model_validate({**_read(conn).model_dump(), **changes})
            stored = json.loads(checked.model_dump_json(include=set(changes)))
            rows = [(name, json.dumps(value, ensure_ascii=False)) for name, value in stored.items()]
            with transaction(conn):
                conn.executemany("INSERT OR REPLACE INTO preferences (name, value) VALUES (?, ?)", rows)
            return checked

        return self._use(work)


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
