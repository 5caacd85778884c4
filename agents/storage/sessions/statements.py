"""The SQL of sessions, for SQLite and PostgreSQL: functions over a connection, called inside a transaction or snapshot.

Plain SQL on purpose: these run once or more per event. sqlite-utils, which creates SQLite's schema, spends several times
their cost on describing tables and takes seconds to import.

A transaction that writes reads the session's row first. In PostgreSQL that locks it, so that no other transaction appends to
it, claims it or ends its run meanwhile.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from agents.access import shares_app_state
from agents.event import Event
from agents.log import EVENT_KIND, LogEntry
from agents.session import GetSessionConfig, Session, session_not_found
from agents.state import State
from agents.storage.playbooks.stored import StoredPlaybookTransaction
from agents.storage.reducer import Reducers
from agents.storage.sessions.columns import COLUMNS, SessionColumns
from agents.storage.sessions.copies import EntryCopy
from agents.storage.sessions.incoming import Incoming, size_of, storable, to_json
from agents.storage.tables.connection import Connection
from agents.storage.tables.session_tables import Name
from agents.storage.tables.use import add_use
from agents.storage.use.store import spent

_ROW = ", ".join((*COLUMNS, "key", "last_seq", "bytes"))
_FIND = f"SELECT {_ROW} FROM sessions"  # noqa: S608  names of fields
NAMED = f"SELECT app_name, user_id, id, created_at, {_ROW} FROM sessions"  # noqa: S608  names of fields
"""Reads sessions: name, time of creation, and the fields of a `SessionRow`."""
_INSERT = "INSERT INTO log (session, seq, kind, timestamp, body) VALUES (?, ?, ?, ?, ?)"
_ENTRIES = "SELECT seq, kind, body FROM log WHERE session = ? AND seq > ?"
_OF_KIND = f"{_ENTRIES} AND kind = ?"
_OF_RECORDS = f"{_OF_KIND} AND kind != 'event'"  # said in the words of the index, which is used then
_RECENT = "SELECT seq, body FROM log WHERE session = ? AND kind = 'event' AND timestamp >= ? ORDER BY seq DESC LIMIT ?"
_MISSED = "SELECT seq, body FROM log WHERE session = ? AND seq > ? AND kind = 'event' ORDER BY seq"
_UP_TO = "SELECT count(*) FROM log WHERE session = ? AND seq <= ?"
_COUNT = f"SELECT ({_UP_TO}) - ({_UP_TO} AND kind != 'event')"
_SET = ", ".join(f"{name} = ?" for name in (*COLUMNS, "last_seq", "bytes"))
_VALUE = "DO UPDATE SET value = excluded.value"
_SET_SESSION = "INSERT INTO session_state (session, key, value) VALUES (?, ?, ?) ON CONFLICT (session, key) " + _VALUE  # noqa: S608  of ours
_SET_USER = (
    "INSERT INTO user_state (app_name, user_id, key, value) VALUES (?, ?, ?, ?) ON CONFLICT (app_name, user_id, key) "
    "DO UPDATE SET value = excluded.value"
)
_SET_APP = "INSERT INTO app_state (app_name, key, value) VALUES (?, ?, ?) ON CONFLICT (app_name, key) " + _VALUE  # noqa: S608  of ours
_ADD_TEXT = "INSERT INTO texts VALUES (?, ?) ON CONFLICT (hash) DO NOTHING"
_NO_LIMIT = 2**63 - 1

_values_of = attrgetter(*COLUMNS, "last_seq", "bytes", "key")


@cache
def _update(next_entry: str) -> str:
    return f"UPDATE sessions SET {_SET}, last_entry = {next_entry} WHERE key = ?"  # noqa: S608  names of fields


class Reducing(NamedTuple):
    """The reducers and the state for operations.

    Attributes:
        reducers: The service's.
        state: The session's state; kept up to date with each entry.
    """

    reducers: Reducers
    state: dict[str, Any]


@dataclass(slots=True)
class SessionRow(SessionColumns):
    """A session as its row has it; what an append changes. `bytes` is the size of its log."""

    key: int = 0
    last_seq: int = 0
    bytes: int = 0


def find(conn: Connection, name: Name) -> SessionRow:
    """A session that is not deleted.

    Raises:
        SessionNotFoundError: There is none of that name.
    """
    row = look_up(conn, name)
    if row is None:
        raise session_not_found(*name)
    return row


def look_up(conn: Connection, name: Name) -> SessionRow | None:
    """A session that is not deleted, or None."""
    where = " WHERE app_name = ? AND user_id = ? AND id = ? AND deleted_at IS NULL"
    row = conn.execute(_FIND + where + conn.lock, name).fetchone()
    return None if row is None else SessionRow(*row)


def purge(conn: Connection, name: Name, key: int) -> None:
    """Removes a session and all that is derived from it, for good."""
    for statement in (
        "DELETE FROM log WHERE session = ?",
        "DELETE FROM session_state WHERE session = ?",
        "DELETE FROM runs WHERE session = ?",
        "DELETE FROM session_texts WHERE session = ?",
        "DELETE FROM session_sizes WHERE session = ?",
        "DELETE FROM session_tags WHERE session = ?",
        "DELETE FROM sessions WHERE key = ?",
    ):
        conn.execute(statement, (key,))
    conn.execute("DELETE FROM artifacts WHERE app_name = ? AND user_id = ? AND session_id = ?", name)
    app_name, _, session_id = name
    if conn.execute("SELECT 1 FROM sessions WHERE app_name = ? AND id = ?", (app_name, session_id)).fetchone() is None:
        StoredPlaybookTransaction(conn).forget_session(app_name, session_id)


def append(
    conn: Connection,
    name: Name,
    row: SessionRow,
    entries: Sequence[Incoming | None],
    reducing: Reducing | None = None,
) -> list[int]:
    """Writes entries, applies their deltas and brings `row` and the session's row up to date.

    Args:
        conn: In a write transaction.
        name: The session.
        row: Its row.
        entries: What to write.
        reducing: What operations are applied with; None if there are none.

    Returns:
        The `seq` of each entry, 0 where it is None.
    """
    seqs: list[int] = []
    state: dict[str, Any] = {}
    for entry in entries:
        if entry is None:
            seqs.append(0)
            continue
        if entry.delta and reducing is not None:
            reducing.state.update(entry.delta)
        if entry.reduced and reducing is not None:
            playbooks = StoredPlaybookTransaction(conn)
            entry.reduce(reducing.reducers, playbooks, reducing.state, (name[0], name[2]), row.last_seq + 1)
            entry.write_out()
        add_entry(conn, row, entry.kind, entry.timestamp, entry.body)
        entry.seq = row.last_seq
        seqs.append(entry.seq)
        row.title = row.title or entry.title
        if entry.delta:
            state.update(entry.delta)
    if state:
        write_state(conn, name, row, state)
    stored = [entry.entry for entry in entries if entry is not None]
    row.fold(stored)
    conn.execute(_update(conn.next_entry), _values_of(row))
    add_use(conn, spent(name[1], stored))
    return seqs


def add_entry(conn: Connection, row: SessionRow, kind: str, timestamp: float, body: str) -> None:
    """Writes the session's next entry. `row` is brought up to date; the stored one is not."""
    row.last_seq += 1
    row.bytes += size_of(body)
    conn.execute(_INSERT, (row.key, row.last_seq, kind, timestamp, body))


def add_copies(conn: Connection, row: SessionRow, copies: Iterable[EntryCopy]) -> None:
    """Writes the first entries of a session, at least one. `row` is brought up to date; the stored one is not."""

    def values() -> Iterator[tuple[Any, ...]]:
        for seq, copy in enumerate(copies, 1):
            row.bytes += size_of(copy.body)
            yield row.key, seq, *copy

    row.last_seq = conn.executemany(_INSERT, values()).rowcount


def write_state(conn: Connection, name: Name, row: SessionRow, values: Mapping[str, Any]) -> None:
    """Sets state keys of every scope but `temp:`.

    A fork has all of them to itself, and a visitor's session what it writes under `app:`.
    """
    for key, value in sorted(values.items()):  # all in one order, or two transactions could wait for each other
        stored = (storable(key), to_json(value))
        match state_table(name, row, key):
            case "app_state":
                conn.execute(_SET_APP, (name[0], *stored))
            case "user_state":
                conn.execute(_SET_USER, (name[0], name[1], *stored))
            case _:
                conn.execute(_SET_SESSION, (row.key, *stored))


def state_table(name: Name, row: SessionRow, key: str) -> str:
    """The table that a key of a session's state belongs into."""
    if not row.origin:
        if key.startswith(State.APP_PREFIX) and shares_app_state(name[1]):
            return "app_state"
        if key.startswith(State.USER_PREFIX):
            return "user_state"
    return "session_state"


def write_texts(conn: Connection, texts: Mapping[str, str]) -> None:
    """Stores texts by hash, each once."""
    conn.executemany(_ADD_TEXT, [(key, storable(text)) for key, text in sorted(texts.items())])


def read_texts(conn: Connection, hashes: Iterable[str]) -> dict[str, str]:
    """Those of the texts that are there."""
    wanted = json.dumps([[key] for key in hashes])
    among = f"SELECT hash, text FROM texts WHERE hash IN (SELECT value ->> 0 FROM {conn.each})"  # noqa: S608  of ours
    return dict(conn.execute(among, (wanted,)).fetchall())


def missed_events(conn: Connection, row: SessionRow, known: int) -> list[Event]:
    """The events after `known`, for a caller that has read the log up to there."""
    if row.last_seq <= known:
        return []
    return [as_event(seq, body) for seq, body in conn.execute(_MISSED, (row.key, known))]


def read_log(
    conn: Connection, row: SessionRow, after: int, limit: int | None, *, newest: bool, kind: str | None = None
) -> list[LogEntry]:
    """Entries after a `seq`, in order; with `newest` the last of them, else the first. With `kind` those of one kind."""
    most = _NO_LIMIT if limit is None else max(0, limit)
    wanted = _ENTRIES if kind is None else _OF_KIND if kind == EVENT_KIND else _OF_RECORDS
    values = (row.key, after, most) if kind is None else (row.key, after, kind, most)
    rows = conn.execute(f"{wanted} ORDER BY seq{' DESC' if newest else ''} LIMIT ?", values)
    entries = [LogEntry(*fields) for fields in rows]
    return entries[::-1] if newest else entries


def count_events(conn: Connection, row: SessionRow, until: int) -> int:
    """How many events a session has up to a `seq`; read from indexes alone."""
    return conn.execute(_COUNT, (row.key, until) * 2).fetchone()[0]


def read_session(conn: Connection, name: Name, row: SessionRow, config: GetSessionConfig, reducers: Reducers) -> Session:
    """A session with its state, and the events that `config` asks for."""
    app_name, user_id, session_id = name
    state = _read_state(conn, name, row)
    reducers.read_into(state, StoredPlaybookTransaction(conn), app_name)
    session = Session(id=session_id, app_name=app_name, user_id=user_id, state=state, last_update_time=row.updated_at)
    session.note(row.last_seq)
    limit = _NO_LIMIT if config.num_recent_events is None else config.num_recent_events
    since = float("-inf") if config.after_timestamp is None else config.after_timestamp
    rows = conn.execute(_RECENT, (row.key, since, limit)).fetchall() if limit else []
    session.events = [as_event(seq, body) for seq, body in reversed(rows)]
    return session


def as_event(seq: int, body: str) -> Event:
    """An event from its entry."""
    event = Event.model_validate_json(body)
    event.stored_as(seq)
    return event


_OWN_STATE = "SELECT key, value FROM session_state WHERE session = ?"
_SHARED_STATE = (
    "SELECT key, value FROM user_state WHERE app_name = ? AND user_id = ? "
    "UNION ALL SELECT key, value FROM app_state WHERE app_name = ?"
)


def _read_state(conn: Connection, name: Name, row: SessionRow) -> dict[str, Any]:
    is_fork = bool(row.origin)
    found = {} if is_fork else dict(conn.execute(_SHARED_STATE, (*name[:2], name[0])).fetchall())
    found.update(conn.execute(_OWN_STATE, (row.key,)).fetchall())  # what a session has to itself wins
    return {key: json.loads(value) for key, value in found.items()}


def list_sessions(conn: Connection, app_name: str, user_id: str | None, reducers: Reducers) -> list[Session]:
    """The sessions of an app, or of one user in it, in the order of creation, without events."""
    where = (
        " WHERE app_name = ? AND (CAST(? AS TEXT) IS NULL OR user_id = ?) AND deleted_at IS NULL ORDER BY created_at, key"
    )
    rows = conn.execute(NAMED + where, (app_name, user_id, user_id)).fetchall()
    no_events = GetSessionConfig(num_recent_events=0)
    return [
        read_session(conn, (app, user, id_), SessionRow(*row), no_events, reducers)
        for app, user, id_, _created, *row in rows
    ]


def timestamps(conn: Connection, name: Name) -> dict[int, float]:
    """When each entry of a session's log was made, by its seq; in seconds since the epoch."""
    return dict(conn.execute("SELECT seq, timestamp FROM log WHERE session = ?", (find(conn, name).key,)).fetchall())


def set_deleted(conn: Connection, name: Name, *, deleted: bool) -> int | None:
    """Hides a session or brings it back; its `last_seq`, or None if there was nothing to do."""
    changed = conn.execute(
        "UPDATE sessions SET deleted_at = ? WHERE app_name = ? AND user_id = ? AND id = ? AND (deleted_at IS NULL) = ? "
        "RETURNING last_seq",
        (time.time() if deleted else None, *name, deleted),
    ).fetchall()
    return changed[0][0] if changed else None


def rename(conn: Connection, row: SessionRow, title: str) -> None:
    """Gives a session a title."""
    conn.execute("UPDATE sessions SET title = ? WHERE key = ?", (title, row.key))
