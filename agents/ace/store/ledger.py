"""`Ledger`: commits deltas to a repository, and folds them into playbooks, starting from snapshots.

Folds are cached; the mark of each delta, a random number, tells whether the cache still matches the repository.
"""

from __future__ import annotations

import json
import secrets
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
from agents.ace.store import deltas, snapshots
from agents.playbook import JudgedAnswer, PlaybookInfo, PlaybookTransaction, StoredDelta
from agents.storage.reducer import Origin

KEPT = 8
"""Newest revisions of a playbook in memory: a reader's snapshot may be a little old."""
SNAPSHOT_EVERY = 200
"""Changes between snapshots, besides a quarter of the number of bullets: a large snapshot takes longer to write."""

FROZEN = "The playbook is frozen: nothing in it changes until a user unfreezes it."
AGENT = "agent"
"""The submitter of a playbook that was written as a whole."""
_MARK_BITS = 62
NOBODY = Origin("", "", "", 0, 0.0)
"""The origin of what is from no session."""


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
    """Reads and writes the playbooks of one repository. May be used by several threads, each in its own transaction."""

    def __init__(self) -> None:
        self._known: dict[int, deque[_Known]] = {}
        self._lock = threading.Lock()

    def load(self, playbooks: PlaybookTransaction, name: str) -> Playbook | None:
        """The newest revision of a playbook; None if there is none of that name."""
        info = playbooks.find(name)
        return None if info is None else self._fold(playbooks, info, info.revision)

    def at(self, playbooks: PlaybookTransaction, name: str, revision: int) -> Playbook:
        """A playbook at a revision.

        Raises:
            PlaybookNotFoundError: There is no such playbook or revision.
        """
        info = playbooks.must_find(name)
        deltas.check_revision(info, revision)
        return self._fold(playbooks, info, revision)

    def commit(
        self, playbooks: PlaybookTransaction, name: str, batch: DeltaBatch, origin: Origin
    ) -> tuple[Commit, Playbook]:
        """Applies a batch to the newest revision of a playbook; creates a missing one.

        An empty batch makes no revision, nor does any batch on a frozen playbook.
        """
        at = origin.at or time.time()
        info = playbooks.find_or_create(name, at)
        playbook = self._fold(playbooks, info, info.revision)
        if (judged := batch.judgement) is not None:
            place = info.revision, at, origin.app_name, origin.session_id, judged.answer_seq
            playbooks.add_answer(info.key, JudgedAnswer(*place, judged.question, judged.right, judged.feedback))
        if info.frozen:
            return _refused(name, playbook, batch), playbook
        playbook, applied, rejected = apply_batch(playbook, batch, at=at)
        if not applied and not rejected:
            return Commit(playbook=name, revision=info.revision, reasoning=batch.reasoning, by=batch.by), playbook
        commit = Commit(
            playbook=name,
            revision=info.revision + 1,
            applied=applied,
            rejected=rejected,
            reasoning=batch.reasoning,
            by=batch.by,
            cited=batch.cited,
        )
        planned = Planned.of(Base(playbook, pending=info.pending), commit, playbook, at)
        self._write(playbooks, info, planned, origin)
        return commit, planned.playbook

    def commit_dictionary(
        self, playbooks: PlaybookTransaction, name: str, value: Mapping[str, Any], origin: Origin
    ) -> Commit:
        """Commits the difference between the stored playbook and one in the dictionary form.

        Raises:
            PlaybookFormatError: It has another shape; the message says where.
        """
        at = origin.at or time.time()
        info = playbooks.find_or_create(name, at)
        playbook = self._fold(playbooks, info, info.revision)
        found = difference_from(playbook, value, by=AGENT, at=at)
        applied, rejected = found.applied, found.rejected
        if info.frozen:
            applied, rejected = [], [*rejected, *({"operation": change, "reason": FROZEN} for change in applied)]
        revision = info.revision + bool(not info.frozen and (applied or rejected))
        commit = Commit(playbook=name, revision=revision, applied=applied, rejected=rejected, reasoning=REASONING, by=AGENT)
        if revision > info.revision:
            planned = Planned.of(Base(playbook, pending=info.pending), commit, found.playbook, at)
            self._write(playbooks, info, planned, origin)
        return commit

    def base(self, playbooks: PlaybookTransaction, name: str) -> Base:
        """The newest revision of a playbook, to plan a delta for; the empty one if there is none of that name."""
        info = playbooks.find(name)
        if info is None:
            return Base(Playbook(name=name))
        playbook = self._fold(playbooks, info, info.revision)
        return Base(playbook, playbooks.mark(info.key, info.revision), info.pending)

    def store(self, playbooks: PlaybookTransaction, name: str, planned: Planned) -> bool:
        """Stores a planned delta; creates a missing playbook. Returns False if the playbook is not its base any more."""
        info = playbooks.find_or_create(name)
        base = planned.base
        if (info.revision, playbooks.mark(info.key, info.revision)) != (base.playbook.revision, base.mark):
            return False
        if planned.commit.revision > info.revision:
            self._write(playbooks, info, planned, NOBODY)
        return True

    def _write(self, playbooks: PlaybookTransaction, info: PlaybookInfo, planned: Planned, origin: Origin) -> None:
        commit, playbook = planned.commit, planned.playbook
        delta = delta_of(commit, planned.body, origin, planned.at, playbook)
        pending = 0 if planned.snapshot is not None else info.pending + len(commit.applied)
        playbooks.append(info.key, delta, updated_at=planned.at, pending=pending, snapshot=planned.snapshot)
        self._keep(info.key, _Known(commit.revision, delta.mark, playbook))

    def _keep(self, key: int, found: _Known) -> None:
        with self._lock:
            kept = self._known.setdefault(key, deque(maxlen=KEPT))
            newest = kept[-1].revision if kept else 0
            if found.revision <= newest:  # another history, or an older state of the database
                kept.clear()
            kept.append(found)

    def _fold(self, playbooks: PlaybookTransaction, info: PlaybookInfo, revision: int) -> Playbook:
        """The playbook at a revision, from the cache or a snapshot, and the deltas since."""
        playbook, mark = self._newest_kept(playbooks, info.key, revision), 0
        if playbook is not None and playbook.revision == revision:
            return playbook
        if playbook is None:
            snapshot = playbooks.snapshot(info.key, revision)
            playbook, mark = (Playbook(), 0) if snapshot is None else (snapshots.playbook_of(snapshot), snapshot.mark)
        for delta in playbooks.deltas(info.key, after=playbook.revision, upto=revision):
            playbook = apply_all(playbook, deltas.record(delta).applied, by=delta.by, at=delta.committed_at)
            playbook = playbook.replace(revision=delta.revision, totals=playbook.totals._replace(tokens=delta.tokens))
            mark = delta.mark
        playbook = playbook.replace(name=info.name)
        if mark and revision == info.revision:
            self._keep(info.key, _Known(revision, mark, playbook))
        return playbook

    def _newest_kept(self, playbooks: PlaybookTransaction, key: int, revision: int) -> Playbook | None:
        """The newest cached fold up to a revision that the repository still has, by its mark."""
        with self._lock:
            kept = [found for found in reversed(self._known.get(key, ())) if found.revision <= revision]
        return next((one.playbook for one in kept if playbooks.mark(key, one.revision) == one.mark), None)


def body_of(commit: Commit) -> str:
    """The text of a delta."""
    # Change by change: other threads stand still while a JSON text is written.
    applied = ",".join(json.dumps(change, ensure_ascii=False) for change in commit.applied)
    more: dict[str, Any] = {"rejected": commit.rejected} | ({} if commit.cited is None else {"cited": commit.cited})
    reasoning, rest = json.dumps(commit.reasoning, ensure_ascii=False), json.dumps(more, ensure_ascii=False)[1:]
    return f'{{"reasoning": {reasoning}, "applied": [{applied}], {rest}'.encode("utf-8", "replace").decode()


def delta_of(commit: Commit, body: str, origin: Origin, at: float, playbook: Playbook) -> StoredDelta:
    """A delta as it is stored.

    Args:
        commit: The delta.
        body: Its text.
        origin: Where it comes from.
        at: When it was made, in seconds since the epoch.
        playbook: The playbook afterwards.
    """
    mark = secrets.randbits(_MARK_BITS)
    counts = len(playbook), playbook.helpful, playbook.harmful, playbook.tokens
    return StoredDelta(commit.revision, mark, at, commit.by, commit.undoes, *origin[:4], *counts, body)


def _refused(name: str, playbook: Playbook, batch: DeltaBatch) -> Commit:
    frozen = [{"operation": operation.model_dump(mode="json"), "reason": FROZEN} for operation in batch.operations]
    rejected = [*batch.rejected, *frozen]
    return Commit(playbook=name, revision=playbook.revision, rejected=rejected, reasoning=batch.reasoning, by=batch.by)
