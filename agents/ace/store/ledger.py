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
from dataclasses import replace
from typing import Any, NamedTuple

from agents.ace.changes import apply_all
from agents.ace.dictionary_delta import REASONING, difference_from
from agents.ace.operations import Commit, DeltaBatch, Rejection
from agents.ace.playbook import Playbook
from agents.ace.refine.application import apply_batch
from agents.ace.resolution import Resolved
from agents.ace.store import answers, deltas, rows, snapshots
from agents.ace.store.rows import Row
from agents.ace.undo import inverse
from agents.storage.reducer import Origin

KEPT = 8
"""Newest revisions of a playbook in memory: a reader's snapshot may be a little old."""
SNAPSHOT_EVERY = 200
"""Changes between snapshots, besides a quarter of the number of bullets: a large snapshot takes longer to write."""

MOST_NAMED = 50
"""Most changes that are listed when a delta was undone already."""

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
        return commit, self._write(conn, row, commit, playbook, origin, at)

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
            self._write(conn, row, commit, found.playbook, origin, at)
        return commit

    def commit_changes(self, conn: sqlite3.Connection, name: str, resolved: Resolved[Playbook], commit: Commit) -> Commit:
        """Stores resolved changes, e.g. an undo, as one commit by the user.

        Args:
            conn: The write transaction in which they were resolved.
            name: The playbook.
            resolved: The changes; its playbook is not used, since it has no times.
            commit: Reasoning and submitter.
        """
        at = time.time()
        row = rows.must_find(conn, name)
        playbook = self._fold(conn, row, name, row.revision)
        if not resolved.applied and not resolved.rejected:
            return replace(commit, revision=row.revision)
        playbook = apply_all(playbook, resolved.applied, by=commit.by, at=at)
        self._write(conn, row, commit, playbook, _NOBODY, at)
        return commit

    def _write(
        self, conn: sqlite3.Connection, row: Row, commit: Commit, playbook: Playbook, origin: Origin, at: float
    ) -> Playbook:
        playbook = playbook.replace(revision=commit.revision)
        body: dict[str, Any] = {"reasoning": commit.reasoning, "applied": commit.applied, "rejected": commit.rejected}
        if commit.cited is not None:
            body["cited"] = commit.cited
        mark = insert_delta(conn, row, commit, body, origin, at, playbook)
        pending = row.pending + len(commit.applied)
        if pending >= SNAPSHOT_EVERY + len(playbook) // 4:
            snapshots.write(conn, row.key, playbook)
            pending = 0
        conn.execute(UPDATE, (commit.revision, len(playbook), at, pending, row.key))
        self._keep(row.key, _Known(commit.revision, mark, playbook))
        return playbook

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

    def undo(self, conn: sqlite3.Connection, name: str, revision: int, by: str) -> tuple[Commit, list[int]]:
        """Undoes one delta; later changes of the same bullets stay.

        Returns:
            The commit, and the later revisions that depend on the undone one.

        Raises:
            PlaybookNotFoundError: There is no such delta.
        """
        row = rows.must_find(conn, name)
        record = deltas.record_of(conn, row, name, revision)
        playbook = self._fold(conn, row, name, row.revision)
        resting = deltas.dependents(conn, row, record)
        changes = deltas.outstanding(conn, row, record)
        back = inverse(playbook, changes)
        commit = Commit(
            playbook=name,
            revision=row.revision + bool(back.applied or back.rejected),
            applied=back.applied,
            rejected=back.rejected,
            reasoning=f"Undo of revision {revision}.",
            by=by,
            undoes=revision,
        )
        if record.applied and not changes:
            reason = f"Revision {revision} was taken back already."
            rejected: list[Rejection] = [{"operation": change, "reason": reason} for change in record.applied[:MOST_NAMED]]
            return replace(commit, rejected=rejected, undoes=None), resting
        return self.commit_changes(conn, name, back, commit), resting


def _replayed(conn: sqlite3.Connection, key: int, start: Playbook, mark: int, upto: int) -> tuple[Playbook, int]:
    """A playbook after the later deltas up to a revision, and the mark of the last one."""
    playbook = start
    for record, found, tokens in deltas.records(conn, key, start.revision, upto):
        playbook = apply_all(playbook, record.applied, by=record.by, at=record.committed_at)
        playbook = playbook.replace(revision=record.revision, totals=playbook.totals._replace(tokens=tokens))
        mark = found
    return playbook, mark


def insert_delta(
    conn: sqlite3.Connection, row: Row, commit: Commit, body: dict[str, Any], origin: Origin, at: float, playbook: Playbook
) -> int:
    """Appends a delta, as it is; its mark."""
    mark = secrets.randbits(_MARK_BITS)
    place = origin.app_name, origin.session_id, origin.invocation_id, origin.seq
    counts = len(playbook), playbook.helpful, playbook.harmful, playbook.tokens
    text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace").decode()
    conn.execute(_INSERT, (row.key, commit.revision, mark, at, commit.by, commit.undoes, *place, *counts, text))
    return mark


def _refused(name: str, playbook: Playbook, batch: DeltaBatch) -> Commit:
    frozen = [{"operation": operation.model_dump(mode="json"), "reason": FROZEN} for operation in batch.operations]
    rejected = [*batch.rejected, *frozen]
    return Commit(playbook=name, revision=playbook.revision, rejected=rejected, reasoning=batch.reasoning, by=batch.by)
