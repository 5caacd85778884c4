"""`Ledger`: commits deltas to the append-only table, and folds it into playbooks, starting from snapshots.

To be called inside a transaction or snapshot. Folds are cached; the mark in each row, a random number, tells whether the
cache still matches the database.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

from agents.ace.changes import apply_all
from agents.ace.dictionary_delta import REASONING, difference_from
from agents.ace.operations import Commit, DeltaBatch
from agents.ace.playbook import Playbook
from agents.ace.refine.application import apply_batch
from agents.ace.store import answers, deltas, rows, snapshots
from agents.ace.store.rows import Row
from agents.storage.reducer import Origin

KEPT = 8
"""Newest revisions of a playbook in memory: a reader's snapshot may be a little old."""
SNAPSHOT_EVERY = 200
"""Changes between snapshots, besides a quarter of the number of bullets: a large snapshot takes longer to write."""

FROZEN = "The playbook is frozen: nothing in it changes until a user unfreezes it."
AGENT = "agent"
"""The submitter of a playbook that was written as a whole."""
_MARK_BITS = 62
_NOBODY = Origin("", "", "", 0, 0.0)

_INSERT = (
    "INSERT INTO playbook_deltas (playbook, revision, mark, committed_at, by, undoes, app_name, session_id, invocation_id, "
    "seq, bullets, helpful, harmful, tokens, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
UPDATE = "UPDATE playbooks SET revision = ?, bullets = ?, updated_at = ?, pending = ? WHERE key = ?"


class _Known(NamedTuple):
    revision: int
    mark: int
    playbook: Playbook


class Base(NamedTuple):
    """A revision that a delta is planned for.

    Attributes:
        playbook: The playbook.
        mark: The mark of its last delta; None if there is none.
        pending: The changes since the last snapshot.
    """

    playbook: Playbook
    mark: int | None = None
    pending: int = 0


class Planned(NamedTuple):
    """A delta as it is to be stored.

    Attributes:
        base: What it was made for.
        commit: The delta.
        playbook: The playbook afterwards.
        at: When it was made, in seconds since the epoch.
        body: The text of the delta.
        snapshot: The text of a snapshot, if one is due.
    """

    base: Base
    commit: Commit
    playbook: Playbook
    at: float
    body: str
    snapshot: str | None

    @staticmethod
    def of(base: Base, commit: Commit, playbook: Playbook, at: float) -> Planned:
        """The delta with its texts."""
        playbook = playbook.replace(revision=commit.revision)
        is_due = base.pending + len(commit.applied) >= SNAPSHOT_EVERY + len(playbook) // 4
        snapshot = snapshots.text_of(playbook) if is_due else None
        return Planned(base, commit, playbook, at, body_of(commit), snapshot)


class Ledger:
    """Reads and writes the playbooks of one database. May be used by several threads, each in its own transaction."""

    def __init__(self) -> None:
        self._known: dict[int, deque[_Known]] = {}
        self._lock = threading.Lock()

    def load(self, conn: sqlite3.Connection, name: str) -> Playbook | None:
        """The newest revision of a playbook; None if there is none of that name."""
        row = rows.find(conn, name)
        return None if row is None else self._fold(conn, row, name, row.revision)

    def at(self, conn: sqlite3.Connection, name: str, revision: int) -> Playbook:
        """A playbook at a revision.

        Raises:
            PlaybookNotFoundError: There is no such playbook or revision.
        """
        row = rows.must_find(conn, name)
        deltas.check_revision(row, name, revision)
        return self._fold(conn, row, name, revision)

    def commit(self, conn: sqlite3.Connection, name: str, batch: DeltaBatch, origin: Origin) -> tuple[Commit, Playbook]:
        """Applies a batch to the newest revision of a playbook; creates a missing one.

        An empty batch makes no revision, nor does any batch on a frozen playbook.
        """
        at = origin.at or time.time()
        row = rows.find(conn, name) or rows.create(conn, name, at)
        playbook = self._fold(conn, row, name, row.revision)
        if batch.judgement is not None:
            answers.add(conn, row, batch.judgement, origin, at)
        if row.frozen:
            return _refused(name, playbook, batch), playbook
        playbook, applied, rejected = apply_batch(playbook, batch, at=at)
        if not applied and not rejected:
            return Commit(playbook=name, revision=row.revision, reasoning=batch.reasoning, by=batch.by), playbook
        commit = Commit(
            playbook=name,
            revision=row.revision + 1,
            applied=applied,
            rejected=rejected,
            reasoning=batch.reasoning,
            by=batch.by,
            cited=batch.cited,
        )
        planned = Planned.of(Base(playbook, pending=row.pending), commit, playbook, at)
        self._write(conn, row, planned, origin)
        return commit, planned.playbook

    def commit_dictionary(self, conn: sqlite3.Connection, name: str, value: Mapping[str, Any], origin: Origin) -> Commit:
        """Commits the difference between the stored playbook and one in the dictionary form.

        Raises:
            PlaybookFormatError: It has another shape; the message says where.
        """
        at = origin.at or time.time()
        row = rows.find(conn, name) or rows.create(conn, name, at)
        playbook = self._fold(conn, row, name, row.revision)
        found = difference_from(playbook, value, by=AGENT, at=at)
        applied, rejected = found.applied, found.rejected
        if row.frozen:
            applied, rejected = [], [*rejected, *({"operation": change, "reason": FROZEN} for change in applied)]
        revision = row.revision + bool(not row.frozen and (applied or rejected))
        commit = Commit(playbook=name, revision=revision, applied=applied, rejected=rejected, reasoning=REASONING, by=AGENT)
        if revision > row.revision:
            self._write(conn, row, Planned.of(Base(playbook, pending=row.pending), commit, found.playbook, at), origin)
        return commit

    def base(self, conn: sqlite3.Connection, name: str) -> Base:
        """The newest revision of a playbook, to plan a delta for; the empty one if there is none of that name."""
        row = rows.find(conn, name)
        if row is None:
            return Base(Playbook(name=name))
        playbook = self._fold(conn, row, name, row.revision)
        return Base(playbook, deltas.mark_at(conn, row.key, row.revision), row.pending)

    def store(self, conn: sqlite3.Connection, name: str, planned: Planned) -> bool:
        """Stores a planned delta; creates a missing playbook. Returns False if the playbook is not its base any more."""
        row = rows.find_or_create(conn, name)
        base = planned.base
        if (row.revision, deltas.mark_at(conn, row.key, row.revision)) != (base.playbook.revision, base.mark):
            return False
        if planned.commit.revision > row.revision:
            self._write(conn, row, planned, _NOBODY)
        return True

    def _write(self, conn: sqlite3.Connection, row: Row, planned: Planned, origin: Origin) -> None:
        commit, playbook = planned.commit, planned.playbook
        mark = insert_delta(conn, row, commit, planned.body, origin, planned.at, playbook)
        pending = row.pending + len(commit.applied)
        if planned.snapshot is not None:
            snapshots.write(conn, row.key, commit.revision, planned.snapshot)
            pending = 0
        conn.execute(UPDATE, (commit.revision, len(playbook), planned.at, pending, row.key))
        self._keep(row.key, _Known(commit.revision, mark, playbook))

    def _keep(self, key: int, found: _Known) -> None:
        with self._lock:
            kept = self._known.setdefault(key, deque(maxlen=KEPT))
            newest = kept[-1].revision if kept else 0
            if found.revision <= newest:  # another history, or an older state of the database
                kept.clear()
            kept.append(found)

    def _fold(self, conn: sqlite3.Connection, row: Row, name: str, revision: int) -> Playbook:
        """The playbook at a revision, from the cache or a snapshot, and the deltas since."""
        start = self._newest_kept(conn, row.key, revision)
        if start is not None and start.revision == revision:
            return start
        start, mark = (start, 0) if start is not None else snapshots.read(conn, row.key, revision)
        playbook, mark = _replayed(conn, row.key, start, mark, revision)
        playbook = playbook.replace(name=name)
        if mark and revision == row.revision:
            self._keep(row.key, _Known(revision, mark, playbook))
        return playbook

    def _newest_kept(self, conn: sqlite3.Connection, key: int, revision: int) -> Playbook | None:
        """The newest cached fold up to a revision that the database still has, by its mark."""
        with self._lock:
            kept = [found for found in reversed(self._known.get(key, ())) if found.revision <= revision]
        return next((one.playbook for one in kept if deltas.mark_at(conn, key, one.revision) == one.mark), None)


def _replayed(conn: sqlite3.Connection, key: int, start: Playbook, mark: int, upto: int) -> tuple[Playbook, int]:
    """A playbook after the later deltas up to a revision, and the mark of the last one."""
    playbook = start
    for record, found, tokens in deltas.records(conn, key, start.revision, upto):
        playbook = apply_all(playbook, record.applied, by=record.by, at=record.committed_at)
        playbook = playbook.replace(revision=record.revision, totals=playbook.totals._replace(tokens=tokens))
        mark = found
    return playbook, mark


def body_of(commit: Commit) -> str:
    """The text of a delta."""
    # Change by change: other threads stand still while a JSON text is written.
    applied = ",".join(json.dumps(change, ensure_ascii=False) for change in commit.applied)
    more: dict[str, Any] = {"rejected": commit.rejected} | ({} if commit.cited is None else {"cited": commit.cited})
    reasoning, rest = json.dumps(commit.reasoning, ensure_ascii=False), json.dumps(more, ensure_ascii=False)[1:]
    return f'{{"reasoning": {reasoning}, "applied": [{applied}], {rest}'.encode("utf-8", "replace").decode()


def insert_delta(
    conn: sqlite3.Connection, row: Row, commit: Commit, body: str, origin: Origin, at: float, playbook: Playbook
) -> int:
    """Appends a delta, as it is; its mark."""
    mark = secrets.randbits(_MARK_BITS)
    place = origin.app_name, origin.session_id, origin.invocation_id, origin.seq
    counts = len(playbook), playbook.helpful, playbook.harmful, playbook.tokens
    conn.execute(_INSERT, (row.key, commit.revision, mark, at, commit.by, commit.undoes, *place, *counts, body))
    return mark


def _refused(name: str, playbook: Playbook, batch: DeltaBatch) -> Commit:
    frozen = [{"operation": operation.model_dump(mode="json"), "reason": FROZEN} for operation in batch.operations]
    rejected = [*batch.rejected, *frozen]
    return Commit(playbook=name, revision=playbook.revision, rejected=rejected, reasoning=batch.reasoning, by=batch.by)
