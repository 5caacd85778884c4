"""The deltas of a playbook as records: history, lineage and what an undo concerns. `ledger` folds them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agents.ace.changes import changed_ids
from agents.ace.operations import Change, Rejection
from agents.ace.undo import depends
from agents.errors import PlaybookNotFoundError
from agents.playbook import PlaybookInfo, PlaybookTransaction, StoredDelta


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


def history(playbooks: PlaybookTransaction, key: int, limit: int | None, before: int | None) -> list[DeltaRecord]:
    """The newest deltas first, at most `limit`, those before a revision."""
    upto = None if before is None else before - 1
    return [*map(record, playbooks.deltas(key, upto=upto, limit=limit, newest_first=True))]


def record_of(playbooks: PlaybookTransaction, info: PlaybookInfo, revision: int) -> DeltaRecord:
    """The delta that made a revision.

    Raises:
        PlaybookNotFoundError: There is none.
    """
    check_revision(info, revision, least=1)
    return record(next(playbooks.deltas(info.key, after=revision - 1, upto=revision)))


def dependents(playbooks: PlaybookTransaction, key: int, delta: DeltaRecord) -> list[int]:
    """Later revisions that depend on a delta; undone ones do not count."""
    later = [*map(record, playbooks.deltas(key, after=delta.revision))]
    over = _taken_back(later)
    mine = (found for found in later if found.undoes is None and found.revision not in over)
    return [found.revision for found in mine if depends(found.applied, delta.applied)]


def outstanding(playbooks: PlaybookTransaction, key: int, delta: DeltaRecord) -> Sequence[Change]:
    """The changes of a delta that can still be undone: those without an undo in effect."""
    undo = _taken_back([*map(record, playbooks.deltas(key, after=delta.revision))]).get(delta.revision)
    return delta.applied if undo is None else [rejection["operation"] for rejection in undo.rejected]


def _taken_back(later: Sequence[DeltaRecord]) -> dict[int, DeltaRecord]:
    """Undone revisions, each with the delta that undid it; an undone undo does not count."""
    found: dict[int, DeltaRecord] = {}
    for delta in reversed(later):
        if delta.undoes is not None and delta.applied and delta.revision not in found:
            found.setdefault(delta.undoes, delta)
    return found


def lineage(playbooks: PlaybookTransaction, key: int, bullet_id: str) -> list[DeltaRecord]:
    """All deltas of a bullet and of those it was merged from, oldest first."""
    wanted, seen = [bullet_id], {bullet_id}
    found: dict[int, DeltaRecord] = {}
    while wanted:
        id_ = wanted.pop()
        for delta, mine in _concerning(playbooks, key, id_):
            if mine:
                found[delta.revision] = delta
            for change in mine:
                if change["type"] == "MERGE" and change["bullet_id"] == id_:
                    wanted += [source for source in change["bullet_ids"] if source not in seen]
                    seen |= set(change["bullet_ids"])
    return [found[revision] for revision in sorted(found)]


def _concerning(playbooks: PlaybookTransaction, key: int, bullet_id: str) -> Iterator[tuple[DeltaRecord, list[Change]]]:
    """The deltas of a playbook whose text has an id, each with those of its changes that concern it."""
    for delta in map(record, playbooks.deltas(key, containing=json.dumps(bullet_id, ensure_ascii=False))):
        yield delta, [change for change in delta.applied if bullet_id in changed_ids(change)]


def text_changes(playbooks: PlaybookTransaction, key: int, after: int) -> list[DeltaRecord]:
    """The deltas after a revision that agents may have changed texts with, oldest first: those that have texts in them."""
    return [record(delta) for delta in playbooks.deltas(key, after=after, containing='"content"') if delta.session_id]


def check_revision(info: PlaybookInfo, revision: int, least: int = 0) -> None:
    """Raises `PlaybookNotFoundError` unless the playbook has had that revision."""
    if not least <= revision <= info.revision:
        raise PlaybookNotFoundError(
            f"The playbook {info.name!r} has no revision {revision}. It has {least} to {info.revision}."
            if info.revision >= least
            else f"The playbook {info.name!r} has no revisions yet."
        )


def record(delta: StoredDelta) -> DeltaRecord:
    """A stored delta with its changes."""
    body = json.loads(delta.body)
    place = delta.app_name, delta.session_id, delta.invocation_id, delta.seq
    changes = body["reasoning"], body["applied"], body["rejected"], body.get("cited")
    return DeltaRecord(delta.revision, delta.committed_at, delta.by, delta.undoes, *place, *changes)
