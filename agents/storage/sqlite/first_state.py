"""A session's first state in keys that have a reducer: what their tables hold already, or what its operations make of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from agents.state import REDUCED
from agents.storage.reducer import CHOOSING, Origin, Reducers

_STORED = {"app:playbook": "SELECT 1 FROM playbooks WHERE name = ? AND revision > 0"}
"""Queries the stored value for a session that never wrote the key: of the chosen name, else of the app's name."""


def first_state(
    reducers: Reducers, conn: sqlite3.Connection, name: tuple[str, str, str], seq: int, at: float, state: Mapping[str, Any]
) -> dict[str, Any]:
    """A session's first state, once the operations in it were applied: with what came of them in their place.

    Without operations, it has references to the values that are stored already.

    Args:
        reducers: The service's.
        conn: The database, in a write transaction.
        name: The session's app, user and id.
        seq: Of the session's first log entry.
        at: When, in seconds since the epoch.
        state: The state that the session is created with.
    """
    app_name, _, session_id = name
    if REDUCED.isdisjoint(state):
        there = (key for key in REDUCED if _is_stored(key, conn, app_name, state))
        return {**state, **{key: reducers.for_key(key).read(conn, app_name, state).as_reference() for key in there}}
    origin = Origin(app_name, session_id, "", seq, at)
    done = {key: reducers.for_key(key).commit(conn, state[key], state, origin) for key in REDUCED & state.keys()}
    return {**state, **done}


def _is_stored(key: str, conn: sqlite3.Connection, app_name: str, state: Mapping[str, Any]) -> bool:
    chosen = next((state[name] for name in CHOOSING if isinstance(state.get(name), str) and state[name].strip()), app_name)
    return conn.execute(_STORED[key], (chosen,)).fetchone() is not None
