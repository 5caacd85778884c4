"""The rows of a playbook's deltas: history, lineage and growth. Functions over a connection.

`ledger` folds the deltas.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from agents.ace.changes import changed_ids
from agents.ace.operations import Change, Rejection
from agents.ace.store.rows import Row, key_of
from agents.ace.undo import depends
from agents.errors import PlaybookNotFoundError

_DELTA = "revision, committed_at, by, undoes, app_name, session_id, invocation_id, seq, body"


class DeltaRecord(NamedTuple):
    """One commit as it is stored.

    Attributes:
        revision: The playbook's revision after it.
        committed_at: Seconds since the epoch.
        by: The submitter.
        undoes: The revision that it undoes, or None.
        app_name: App of its session; "" if not from a session.
        session_id: Its session, or "".
        invocation_id: Its run, or "".
        seq: The log entry that carried it; 0 if there is none.
        reasoning: The reason for it.
        applied: The changes.
        rejected: The rejected operations, with reasons.
        cited: Ids of the bullets cited for the query that it counts, or None.
    """

    revision: int
    committed_at: float
    by: str
    undoes: int | None
    app_name: str
    session_id: str
    invocation_id: str
    seq: int
    reasoning: str
    applied: list[Change]
    rejected: list[Rejection]
    cited: list[str] | None


class GrowthPoint(NamedTuple):
    """A playbook's totals at one revision, for charts."""

    revision: int
    at: float
    bullets: int
    helpful: int
    harmful: int
    tokens: int


def history(conn: sqlite3.Connection, name: str, limit: int | None, before: int | None) -> list[DeltaRecord]:
    """The newest deltas first, at most `limit`, those before a revision."""
    rows = conn.execute(
        f"SELECT {_DELTA} FROM playbook_deltas WHERE playbook = ? AND (? IS NULL OR revision < ?) "  # noqa: S608  our own text
        "ORDER BY revision DESC LIMIT ?",
        (key_of(conn, name), before, before, -1 if limit is None else limit),
    )
    return [_record(row) for row in rows]


def record_of(conn: sqlite3.Connection, row: Row, name: str, revision: int) -> DeltaRecord:
    """The delta that made a revision.

    Raises:
        PlaybookNotFoundError: There is none.
    """
    check_revision(row, name, revision, least=1)
    return next(record for record, *_ in records(conn, row.key, revision - 1, revision))


def dependents(conn: sqlite3.Connection, row: Row, record: DeltaRecord) -> list[int]:
    """Later revisions that depend on a delta; undone ones do not count."""
    later = [found for found, *_ in records(conn, row.key, record.revision, row.revision)]
    over = _taken_back(later)
    mine = (found for found in later if found.undoes is None and found.revision not in over)
    return [found.revision for found in mine if depends(found.applied, record.applied)]


def outstanding(conn: sqlite3.Connection, row: Row, record: DeltaRecord) -> Sequence[Change]:
    """The changes of a delta that can still be undone: those without an undo in effect."""
    later = [found for found, *_ in records(conn, row.key, record.revision, row.revision)]
    undo = _taken_back(later).get(record.revision)
    return record.applied if undo is None else [rejection["operation"] for rejection in undo.rejected]


def _taken_back(later: Sequence[DeltaRecord]) -> dict[int, DeltaRecord]:
    """Undone revisions, each with the delta that undid it; an undone undo does not count."""
    found: dict[int, DeltaRecord] = {}
    for record in reversed(later):
        if record.undoes is not None and record.applied and record.revision not in found:
            found.setdefault(record.undoes, record)
    return found


def lineage(conn: sqlite3.Connection, name: str, bullet_id: str) -> list[DeltaRecord]:
    """All deltas of a bullet and of those it was merged from, oldest first."""
    key = key_of(conn, name)
    wanted, seen = [bullet_id], {bullet_id}
    found: dict[int, DeltaRecord] = {}
    while wanted:
        id_ = wanted.pop()
        for record, mine in _concerning(conn, key, id_):
            if mine:
                found[record.revision] = record
            for change in mine:
                if change["type"] == "MERGE" and change["bullet_id"] == id_:
                    wanted += [source for source in change["bullet_ids"] if source not in seen]
                    seen |= set(change["bullet_ids"])
    return [found[revision] for revision in sorted(found)]


def _concerning(conn: sqlite3.Connection, key: int, bullet_id: str) -> Iterator[tuple[DeltaRecord, list[Change]]]:
    """The deltas of a playbook whose text has an id, each with those of its changes that concern it."""
    for row in conn.execute(
        f"SELECT {_DELTA} FROM playbook_deltas WHERE playbook = ? AND instr(body, ?)",  # noqa: S608
        (key, json.dumps(bullet_id, ensure_ascii=False)),
    ):
        record = _record(row)
        yield record, [change for change in record.applied if bullet_id in changed_ids(change)]


def growth(conn: sqlite3.Connection, name: str) -> list[GrowthPoint]:
    """The playbook's totals at each revision."""
    rows = conn.execute(
        "SELECT revision, committed_at, bullets, helpful, harmful, tokens FROM playbook_deltas "
        "WHERE playbook = ? ORDER BY revision",
        (key_of(conn, name),),
    )
    return [GrowthPoint(*row) for row in rows]


def text_changes(conn: sqlite3.Connection, name: str, after: int) -> list[DeltaRecord]:
    """The deltas after a revision that agents may have changed texts with, oldest first: those that have texts in them."""
    rows = conn.execute(
        f"SELECT {_DELTA} FROM playbook_deltas WHERE playbook = ? AND revision > ? AND session_id != '' "  # noqa: S608
        "AND instr(body, '\"content\"') ORDER BY revision",
        (key_of(conn, name), after),
    )
    return [_record(row) for row in rows]


def check_revision(row: Row, name: str, revision: int, least: int = 0) -> None:
    """Raises `PlaybookNotFoundError` unless the playbook has had that revision."""
    if not least <= revision <= row.revision:
        raise PlaybookNotFoundError(
            f"The playbook {name!r} has no revision {revision}. It has {least} to {row.revision}."
            if row.revision >= least
            else f"The playbook {name!r} has no revisions yet."
        )


def mark_at(conn: sqlite3.Connection, key: int, revision: int) -> int | None:
    """The mark of a delta; None if there is none."""
    query = "SELECT mark FROM playbook_deltas WHERE playbook = ? AND revision = ?"
    row = conn.execute(query, (key, revision)).fetchone()
    return None if row is None else row[0]


def records(conn: sqlite3.Connection, key: int, after: int, upto: int) -> Iterator[tuple[DeltaRecord, int, int]]:
    """Deltas in order, after one revision up to another, each with its mark and the playbook's tokens after it."""
    rows = conn.execute(
        f"SELECT {_DELTA}, mark, tokens FROM playbook_deltas WHERE playbook = ? AND revision > ? AND revision <= ? "  # noqa: S608
        "ORDER BY revision",
        (key, after, upto),
    )
    for *row, mark, tokens in rows:
        yield _record(row), mark, tokens


def _record(row: Sequence[Any]) -> DeltaRecord:
    body = json.loads(row[-1])
    return DeltaRecord._make((*row[:-1], body["reasoning"], body["applied"], body["rejected"], body.get("cited")))
