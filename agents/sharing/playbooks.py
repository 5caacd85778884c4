"""The playbooks of a shared session: from the first revision that it read to the last one that it read or made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.ace.changes import apply_all, changed_ids
from agents.ace.operations import Change, Commit, Rejection
from agents.ace.playbook import Playbook
from agents.ace.store import snapshots
from agents.ace.store.deltas import DeltaRecord
from agents.ace.store.ledger import NOBODY, body_of, delta_of
from agents.ace.store.playbook_store import PlaybookStore
from agents.log import LogEntry
from agents.playbook import PlaybookTransaction
from agents.sharing.references import playbooks_in
from agents.storage.reducer import Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDelta:
    """One commit of a playbook.

    Attributes:
        revision: The playbook's revision after it.
        at: When, in seconds since the epoch.
        by: The submitter.
        undoes: The revision that it undoes, or None.
        reasoning: The reason for it.
        applied: The changes.
        rejected: The rejected operations, with reasons.
        cited: Ids of the bullets cited for the query that it counts, or None.
        invocation_id: The run of the shared session that made it; "" if another session did.
        entry: The entry that carried it, from 1; 0 for none, or one of another session.
    """

    revision: int
    at: float
    by: str
    undoes: int | None
    reasoning: str
    applied: Sequence[Change]
    rejected: Sequence[Rejection]
    cited: Sequence[str] | None
    invocation_id: str
    entry: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPlaybook:
    """A playbook as far as a session needs it.

    Attributes:
        name: Its name in the file.
        base: The first revision that the session read.
        deltas: The commits after it, in order.
    """

    name: str
    base: Playbook
    deltas: tuple[SharedDelta, ...]

    def revisions(self) -> Iterable[Playbook]:
        """The playbook at each of its revisions, the first one first."""
        playbook = self.base
        yield playbook
        for delta in self.deltas:
            playbook = apply_all(playbook, delta.applied, by=delta.by, at=delta.at).replace(revision=delta.revision)
            yield playbook


def cited_in(entries: Iterable[LogEntry]) -> dict[str, tuple[int, int]]:
    """The playbooks that a log reads or changes, each with the first and the last revision."""
    found: dict[str, tuple[int, int]] = {}
    for entry in entries:
        if '"playbook"' not in entry.body:
            continue
        for name, after, before in playbooks_in(entry.kind, entry.fields()):
            first, last = found.get(name, (before, after))
            found[name] = min(first, before), max(last, after)
    return found


def revisions_in(
    entries: Iterable[LogEntry], playbooks: Iterable[SharedPlaybook]
) -> dict[str, list[tuple[Playbook, frozenset[str]]]]:
    """The revisions that a log reads or makes, by name of the playbook, with the ids that the log names in any of them."""
    wanted: dict[str, set[int]] = {}
    named: dict[str, set[str]] = {}
    for entry in entries:
        body = entry.fields() if '"playbook"' in entry.body else {}
        for name, after, before in playbooks_in(entry.kind, body):
            wanted.setdefault(name, set()).update((after, before))
            named.setdefault(name, set()).update(body.get("bullet_ids") or ())
    found: dict[str, list[tuple[Playbook, frozenset[str]]]] = {}
    for shared in playbooks:
        ids = named.get(shared.name, set[str]())
        for delta in shared.deltas:
            ids |= {id_ for change in delta.applied for id_ in changed_ids(change)} | set(delta.cited or ())
        kept = (playbook for playbook in shared.revisions() if playbook.revision in wanted.get(shared.name, ()))
        found[shared.name] = [(playbook, frozenset(ids)) for playbook in kept]
    return found


def read_playbooks(
    store: PlaybookStore, cited: Mapping[str, tuple[int, int]], *, session: tuple[str, str], entry_at: Callable[[int], int]
) -> list[SharedPlaybook]:
    """The playbooks that a log cites, as far as they are still there. Blocks.

    Args:
        store: Any playbook of the database.
        cited: See `cited_in`.
        session: App and id of the session.
        entry_at: The number in the file of the session's entry with a `seq`.
    """
    found: list[SharedPlaybook] = []
    there = {info.name: info.revision for info in store.names()}
    for name, (first, last) in cited.items():
        if there.get(name, -1) < last:
            continue
        beside = store.beside(name)
        base = beside.at(first).replace(name="")
        later = [record for record in reversed(beside.history(before=last + 1)) if record.revision > first]
        deltas = (_delta(record, session, entry_at) for record in later)
        found.append(SharedPlaybook(name=name, base=base, deltas=tuple(deltas)))
    return found


def _delta(record: DeltaRecord, session: tuple[str, str], entry_at: Callable[[int], int]) -> SharedDelta:
    is_own = (record.app_name, record.session_id) == session
    return SharedDelta(
        revision=record.revision,
        at=record.committed_at,
        by=record.by,
        undoes=record.undoes,
        reasoning=record.reasoning,
        applied=list(record.applied),
        rejected=record.rejected,
        cited=record.cited,
        invocation_id=record.invocation_id if is_own else "",
        entry=entry_at(record.seq) if is_own else 0,
    )


def write_playbook(
    playbooks: PlaybookTransaction,
    shared: SharedPlaybook,
    name: str,
    *,
    session: tuple[str, str],
    at: float,
    seq_of: Callable[[int], int],
) -> None:
    """Adds a playbook under a new name.

    Args:
        playbooks: The playbooks, in the transaction that stores the session.
        shared: The playbook.
        name: Its new name.
        session: App and id of the imported session.
        at: The time, in seconds since the epoch.
        seq_of: The `seq` of an entry of the file.

    Raises:
        PlaybookExistsError: The name is taken.
    """
    key = playbooks.create(name, at).key
    for playbook, delta in zip(shared.revisions(), (None, *shared.deltas), strict=True):
        if delta is not None:
            commit, made_at = _commit_of(delta, name), delta.at
            origin = Origin(*session, delta.invocation_id, seq_of(delta.entry), at) if delta.invocation_id else NOBODY
            snapshot = None
        elif playbook.revision:
            why = "Imported with a session."
            commit, made_at = Commit(playbook=name, revision=playbook.revision, reasoning=why, by="import"), at
            origin, snapshot = NOBODY, snapshots.text_of(playbook)
        else:
            continue
        stored = delta_of(commit, body_of(commit), origin, made_at, playbook)
        playbooks.append(key, stored, updated_at=at, snapshot=snapshot)


def _commit_of(delta: SharedDelta, name: str) -> Commit:
    return Commit(
        playbook=name,
        revision=delta.revision,
        applied=list(delta.applied),
        rejected=list(delta.rejected),
        reasoning=delta.reasoning,
        by=delta.by,
        undoes=delta.undoes,
        cited=None if delta.cited is None else list(delta.cited),
    )


def base_to_json(playbook: Playbook) -> Any:
    """A playbook as plain JSON values."""
    return json.loads(playbook.to_json())
