"""`PreferenceTable`: the user's preferences beside the sessions, one row for each that was ever set.

Keys are not preferences and are never written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from agents.storage.preferences import Preferences, PreferenceStore
from agents.storage.tables.connection import Connection
from agents.storage.tables.database import Tables, hold

_SET = "INSERT INTO preferences (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"


class PreferenceTable(PreferenceStore):
    """Keeps the preferences in a database.

    Args:
        database: The database.
    """

    def __init__(self, database: Tables) -> None:
        self._database = database

    def read(self) -> Preferences:
        with self._database.reading() as conn:
            return _read(conn)

    def change(self, changes: Mapping[str, Any]) -> Preferences:
        with self._database.writing() as conn:
            hold(conn, "preferences")
            checked = Preferences.model_validate({**_read(conn).model_dump(), **changes})
            stored = json.loads(checked.model_dump_json(include=set(changes)))
            conn.executemany(_SET, [(name, json.dumps(value, ensure_ascii=False)) for name, value in stored.items()])
        return checked

    def close(self) -> None:
        self._database.close()


def _read(conn: Connection) -> Preferences:
    found: dict[str, Any] = {}
    for name, text in conn.execute("SELECT name, value FROM preferences"):
        try:
            value = json.loads(text)
            Preferences.model_validate({name: value})
        except (ValueError, RecursionError, ValidationError):
            continue
        found[name] = value
    return Preferences.model_validate(found)
