"""How sessions come into a database: created, forked, or imported; each in one transaction."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from agents.session import RoomCheck, SessionImport
from agents.storage.playbooks.stored import StoredPlaybookTransaction
from agents.storage.reducer import Reducers
from agents.storage.sessions import statements
from agents.storage.sessions.copies import EntryCopy, imported_copies
from agents.storage.sessions.incoming import Incoming, as_title, checked_state, prepare, session_exists
from agents.storage.sessions.statements import SessionRow
from agents.storage.tables.connection import Connection
from agents.storage.tables.database import hold
from agents.storage.tables.session_tables import Name

_COUNT = "SELECT count(*) FROM sessions WHERE deleted_at IS NULL"
_COUNT_OWN = f"{_COUNT} AND user_id = ?"


def check_room(conn: Connection, name: Name, check: RoomCheck | None) -> None:
    """Calls the check of `BaseSessionService.check_room`, in the transaction that makes a session."""
    if check is not None:
        check(name[1], partial(_count, conn, name[1]))


def _count(conn: Connection, user_id: str, is_own: bool) -> int:
    if is_own:
        hold(conn, "sessions of a user", user_id)
        return conn.execute(_COUNT_OWN, (user_id,)).fetchone()[0]
    hold(conn, "sessions of all")
    return conn.execute(_COUNT).fetchone()[0]


def create(conn: Connection, name: Name, first: Incoming, state: Mapping[str, Any], reducers: Reducers) -> SessionRow:
    """Makes a session. A deleted one of the same name gives way for good.

    Raises:
        SessionExistsError: The name is taken.
    """
    created = _new_row(conn, name, first.timestamp)
    statements.append(conn, name, created, [first])
    values = reducers.first_state(StoredPlaybookTransaction(conn), name, created.last_seq, first.timestamp, state)
    statements.write_state(conn, name, created, values)
    return created


def fork(
    conn: Connection, origin: Name, name: Name, copies: Sequence[EntryCopy], more: Sequence[Incoming], at: float
) -> SessionRow:
    """Makes a session whose log begins with copies of another one's entries; its state is written by the caller.

    Raises:
        SessionNotFoundError: The origin is not there.
        SessionExistsError: The name is taken.
    """
    return _begin(conn, name, copies, more, title=statements.find(conn, origin).title, at=at)


def add_import(conn: Connection, name: Name, imported: SessionImport) -> SessionRow:
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
    imported.beside(StoredPlaybookTransaction(conn))
    return row


def _begin(
    conn: Connection, name: Name, copies: Iterable[EntryCopy], more: Sequence[Incoming], *, title: str, at: float
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


def _new_row(conn: Connection, name: Name, at: float) -> SessionRow:
    if (key := _insert(conn, name, at)) is None:
        old = f"SELECT key, deleted_at FROM sessions WHERE app_name = ? AND user_id = ? AND id = ?{conn.lock}"  # noqa: S608
        row = conn.execute(old, name).fetchone()
        if row is not None and row[1] is None:
            raise session_exists(*name)
        if row is not None:
            statements.purge(conn, name, row[0])
        key = _insert(conn, name, at)
    if key is None:  # another process made it meanwhile
        raise session_exists(*name)
    return SessionRow(key=key)


def _insert(conn: Connection, name: Name, at: float) -> int | None:
    insert = (
        "INSERT INTO sessions (app_name, user_id, id, created_at, updated_at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (app_name, user_id, id) DO NOTHING RETURNING key"
    )
    row = conn.execute(insert, (*name, at, at)).fetchone()
    return None if row is None else row[0]
