"""Lists of sessions: SQL, for SQLite and PostgreSQL, over a connection, to be called inside a transaction or snapshot."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from agents.session_list import SessionFilter, SessionSummary, SummaryPage
from agents.storage.sessions.collections.texts import folded, words_of
from agents.storage.tables.connection import Connection
from agents.storage.tables.session_tables import Name

_SUMMARY = f"SELECT {', '.join(field.name for field in fields(SessionSummary))} FROM sessions"  # noqa: S608  names of fields
_FLAGS = [place for place, field in enumerate(fields(SessionSummary)) if field.type == "bool"]


def summaries(conn: Connection, app_name: str | None, user_id: str | None, *, deleted: bool = False) -> list[SessionSummary]:
    """Rows for a list of sessions, or of deleted ones, the last changed first."""
    where = (
        " WHERE (CAST(? AS TEXT) IS NULL OR app_name = ?) AND (CAST(? AS TEXT) IS NULL OR user_id = ?) "
        "AND (deleted_at IS NOT NULL) = ?"
    )
    rows = conn.execute(f"{_SUMMARY}{where} ORDER BY last_entry DESC", (app_name, app_name, user_id, user_id, deleted))
    return [_summary(list(row)) for row in rows]


def summary(conn: Connection, name: Name) -> SessionSummary | None:
    """The row of one session, or None."""
    where = " WHERE app_name = ? AND user_id = ? AND id = ? AND deleted_at IS NULL"
    row = conn.execute(_SUMMARY + where, name).fetchone()
    return None if row is None else _summary(list(row))


def page(conn: Connection, wanted: SessionFilter, limit: int, before: int | None) -> SummaryPage:
    """A page of a list of sessions, and how many there are; both from an index, but for words in titles."""
    where, values = _where(conn, wanted)
    if words := words_of(wanted.title):  # folded in Python: no two databases fold alike
        titles = conn.execute(f"SELECT last_entry, title FROM sessions{where} ORDER BY last_entry DESC", values)  # noqa: S608
        places = [place for place, title in titles if all(word in folded(title) for word in words)]
        found = len(places)
        wanted_ones = [[place] for place in places if before is None or place < before][: max(0, limit) + 1]
        where = f" WHERE last_entry IN (SELECT CAST(value ->> 0 AS BIGINT) FROM {conn.each})"  # noqa: S608  of ours
        values = [json.dumps(wanted_ones)]
    else:
        found = conn.execute(f"SELECT count(*) FROM sessions{where}", values).fetchone()[0]  # noqa: S608  no input in it
        if before is not None:
            where, values = f"{where} AND last_entry < ?", [*values, before]
    columns = _SUMMARY.replace(" FROM", ", last_entry FROM", 1)
    rows = conn.execute(f"{columns}{where} ORDER BY last_entry DESC LIMIT ?", [*values, max(0, limit) + 1]).fetchall()
    shown = rows[: max(0, limit)]
    more = shown[-1][-1] if shown and len(rows) > len(shown) else None
    return SummaryPage(rows=tuple(_summary(list(row[:-1])) for row in shown), found=found, next=more)


def _where(conn: Connection, wanted: SessionFilter) -> tuple[str, list[Any]]:
    """A filter in SQL: without what it does not ask for, so that an index is used."""
    terms, values = ["deleted_at IS NULL"], list[Any]()
    if wanted.user_ids:
        users = [f"user_id IN ({', '.join('?' * len(wanted.user_ids))})"]
        users += ["substr(user_id, 1, ?) = ?"] * len(wanted.user_prefixes)
        terms.append(f"({' OR '.join(users)})")
        values.extend(sorted(wanted.user_ids))
        values.extend(value for prefix in wanted.user_prefixes for value in (len(prefix), prefix))
    for column, value in (("app_name", wanted.app_name), ("id", wanted.session_id)):
        if value is not None:
            terms.append(f"{column} = ?")
            values.append(value)
    if wanted.statuses:
        terms.append(f"status IN ({', '.join('?' * len(wanted.statuses))})")
        values.extend(sorted(wanted.statuses))
    if wanted.among is not None:
        terms.append(f"(app_name, id) IN (SELECT value ->> 0, value ->> 1 FROM {conn.each})")  # noqa: S608  of ours
        values.append(json.dumps(sorted(wanted.among)))
    return f" WHERE {' AND '.join(terms)}", values


def _summary(values: list[Any]) -> SessionSummary:
    for place in _FLAGS:  # SQLite has no booleans
        values[place] = bool(values[place])
    return SessionSummary(*values)
