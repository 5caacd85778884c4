"""How sessions come into the session database: created, forked, or imported; each in one transaction."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agents.session import RoomCheck, SessionImport
from agents.storage.playbooks.sqlite import SqlitePlaybookTransaction
from agents.storage.reducer import Reducers
from agents.storage.sessions import statements
from agents.storage.sessions.columns import Name
from agents.storage.sessions.copies import EntryCopy, imported_copies
from agents.storage.sessions.incoming import Incoming, as_title, checked_state, prepare, session_exists
from agents.storage.sessions.statements import SessionRow

_COUNT = "SELECT count(*) FROM sessions WHERE deleted_at IS NULL"
_COUNT_OWN = f"{_COUNT} AND user_id = ?"


def check_room(conn: sqlite3.Connection, name: Name, check: RoomCheck | None) -> None:
    """Calls the check of `BaseSessionService.check_room`, in the transaction that makes a session."""
    if check is not None:
        own, every = (_COUNT_OWN, (name[1],)), (_COUNT, ())
        check(name[1], lambda is_own: conn.execute(*(own if is_own else every)).fetchone()[0])


def create(
    conn: sqlite3.Connection, name: Name, first: Incoming, state: Mapping[str, Any], reducers: Reducers
) -> SessionRow:
    """Makes a session. A deleted one of the same name gives way for good.

    Raises:
        SessionExistsError: The name is taken.
    """
    created = _new_row(conn, name, first.timestamp)
    statements.append(conn, name, created, [first])
    values = reducers.first_state(SqlitePlaybookTransaction(conn), name, created.last_seq, first.timestamp, state)
    statements.write_state(conn, name, created, values)
    return created


def fork(
    conn: sqlite3.Connection, origin: Name, name: Name, copies: Sequence[EntryCopy], more: Sequence[Incoming], at: float
) -> SessionRow:
    """Makes a session whose log begins with copies of another one's entries; its state is written by the caller.

    Raises:
        SessionNotFoundError: The origin is not there.
        SessionExistsError: The name is taken.
    """
    return _begin(conn, name, copies, more, title=statements.find(conn, origin).title, at=at)


def add_import(conn: sqlite3.Connection, name: Name, imported: SessionImport) -> SessionRow:
    """Adds the session with everything that belongs to it.

    Raises:
        SessionExistsError: The name is taken.
        StateValueError: JSON cannot hold a value of its state.
    """
    found = imported.log
    more = [entry for entry in prepare(found.records) if entry is not None]
    for entry in more:
        entry.write_out()
    row = _begin(conn, name, imported_copies(found), more, title=as_title(imported.title), at=time.time())
    statements.write_state(conn, name, row, checked_state(found.state))
    statements.write_texts(conn, imported.texts)
    imported.beside(SqlitePlaybookTransaction(conn))
    return row


def _begin(
    conn: sqlite3.Connection, name: Name, copies: Iterable[EntryCopy], more: Sequence[Incoming], *, title: str, at: float
) -> SessionRow:
    """Makes a session whose log begins with copies; its state is written by the caller.

    Raises:
        SessionExistsError: The name is taken.
    """
    row = _new_row(conn, name, at)
    statements.add_copies(conn, row, row.fold_copies(copies))
    row.title = title
    statements.append(conn, name, row, more)
    return row


def _new_row(conn: sqlite3.Connection, name: Name, at: float) -> SessionRow:
    old = conn.execute("SELECT key, deleted_at FROM sessions WHERE app_name = ? AND user_id = ? AND id = ?", name)
    if (row := old.fetchone()) is not None:
        if row[1] is None:
            raise session_exists(*name)
        statements.purge(conn, name, row[0])
    insert = "INSERT INTO sessions (app_name, user_id, id, created_at, updated_at) VALUES (?, ?, ?, ?, ?)"
    key = conn.execute(insert, (*name, at, at)).lastrowid
    assert key is not None
    return SessionRow(key=key)
