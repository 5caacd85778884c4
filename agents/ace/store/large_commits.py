"""Commits too large for one short transaction: written in parts while others write, published all at once.

Nothing of them is visible before that, and a process that ends meanwhile leaves the playbook unchanged.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from agents.ace.changes import apply_all, bullet_from_plain
from agents.ace.operations import BY_USER, Change, Commit, Rejection
from agents.ace.playbook import Playbook
from agents.ace.resolution import import_changes
from agents.ace.store import bundles, deltas, rows, snapshots
from agents.ace.store.bundles import Bundle
from agents.ace.store.playbook_store import PlaybookStore, Undone
from agents.ace.undo import inverse
from agents.ace.value.totals import Totals
from agents.errors import PlaybookBusyError

ROOM = 1000
"""Numbers left free for deltas that others commit while an import is being written."""
TRIES = 5

Tell = Callable[[str, int, int], None]
"""Called after each part with the phase, the amount done, and the whole amount."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """Changes to be published, if they still fit the playbook then.

    Attributes:
        base: The playbook that they were computed for.
        changes: In order.
        commit: Reasoning, submitter and rejections; its revision and its changes are not used.
        totals: Totals of the bullets that an import adds; None if the changes fit `base` alone.
        first: The first number that an import uses.
    """

    base: Playbook
    changes: list[Change]
    commit: Commit
    totals: Totals | None = None
    first: int = 0

    def totals_on(self, now: Playbook) -> Totals | None:
        """The playbook's totals with the changes; None if they no longer fit it."""
        if self.totals is not None:
            return now.totals.plus(self.totals) if now.next_number <= self.first else None
        return self.after(now).totals if now.revision == self.base.revision else None

    def after(self, now: Playbook) -> Playbook:
        """The playbook with the changes."""
        return apply_all(now, self.changes, by=self.commit.by, at=0.0)  # bundled changes have no times


class LargeCommits:
    """Large changes of one playbook. After any error nothing is stored.

    Args:
        store: The playbook.
        tell: Called with the progress.
    """

    def __init__(self, store: PlaybookStore, tell: Tell) -> None:
        self._store, self._tell = store, tell

    def import_playbook(self, playbook: Playbook, *, new: bool) -> Commit:
        """As `PlaybookStore.import_playbook`.

        Args:
            playbook: The bullets.
            new: Whether to create the playbook for them.

        Raises:
            PlaybookFormatError: A bullet is beyond the limits, or there are too many.
            PlaybookFrozenError: The playbook is frozen.
            PlaybookExistsError: The playbook to create exists already.
        """

        def plan() -> _Plan:
            self._store.read(lambda conn: self._store.check_open(conn, new=new))
            base = self._store.playbook()
            room = ROOM if base.revision else 0
            changes = import_changes(base, playbook.bullets, room=room)
            commit = Commit(playbook=base.name, revision=0, reasoning="Imported.", by="import")
            bullets = [bullet_from_plain(change["bullet"]) for change in changes]
            return _Plan(base=base, changes=changes, commit=commit, totals=Totals.of(bullets), first=base.next_number + room)

        return self._commit(plan, new=new)

    def undo(self, revision: int) -> Undone:
        """As `PlaybookStore.undo`."""
        dependent: list[int] = []

        def plan() -> _Plan:
            def read(conn: sqlite3.Connection) -> tuple[Playbook, list[Change]]:
                self._store.check_open(conn)
                row = rows.must_find(conn, self._store.name)
                record = deltas.record_of(conn, row, self._store.name, revision)
                dependent[:] = deltas.dependents(conn, row, record)
                return self._store.newest(conn, writing=False), list(deltas.outstanding(conn, row, record))

            base, changes = self._store.read(read)
            back = inverse(base, changes)
            reason = f"Undo of revision {revision}."
            rejected: list[Rejection] = back.rejected
            commit = Commit(playbook=base.name, revision=0, rejected=rejected, reasoning=reason, by=BY_USER, undoes=revision)
            return _Plan(base=base, changes=back.applied, commit=commit)

        return Undone.of(self._commit(plan, new=False), dependent)

    def _commit(self, plan: Callable[[], _Plan], *, new: bool) -> Commit:
        discard_left_behind(self._store)
        for _ in range(TRIES):
            self._tell("checking", 0, 0)
            planned = plan()
            key = self._write_parts("storing", bundles.parts_of_changes(planned.changes), len(planned.changes))
            bundle = Bundle(key, bundles.kinds_of(planned.changes))
            try:
                done = self._store.write(partial(self._publish, planned, bundle, new))
            except BaseException:
                discard(self._store, key)
                raise
            if done is not None:
                commit, now = done
                self._write_snapshot(planned.after(now).replace(revision=commit.revision))
                return commit
            discard(self._store, key)
        raise PlaybookBusyError(
            f"The playbook {self._store.name!r} was changed by others each time before this could be stored. Nothing was "
            "stored. Wait until their runs are over, or use a copy."
        )

    def _publish(self, plan: _Plan, bundle: Bundle, new: bool, conn: sqlite3.Connection) -> tuple[Commit, Playbook] | None:
        self._store.check_open(conn, new=new)
        row = rows.find_or_create(conn, self._store.name)
        now = self._store.newest(conn)
        totals = plan.totals_on(now)
        if totals is None:
            return None
        commit = replace(plan.commit, revision=row.revision + 1)
        self._store.ledger.commit_bundle(conn, self._store.name, commit, bundle, totals)
        return commit, now

    def _write_parts(self, doing: str, parts: Iterable[tuple[int, str]], count: int) -> int:
        key = self._store.write(bundles.begin)
        self._tell("began", key, 0)
        try:
            for first, text in parts:
                self._store.write(lambda conn, first=first, text=text: bundles.add(conn, key, first, text))
                self._tell(doing, first, count)
        except BaseException:
            discard(self._store, key)
            raise
        return key

    def _write_snapshot(self, playbook: Playbook) -> None:
        """Writes a snapshot, so that readers need not read all the changes. If interrupted, they are read instead."""
        lines = list(snapshots.lines(playbook))
        key = self._write_parts("finishing", bundles.parts_of_lines(lines), len(lines))

        def publish(conn: sqlite3.Connection) -> None:
            row = rows.must_find(conn, self._store.name)
            snapshots.write_bundled(conn, row.key, playbook, key)

        self._store.write(publish)


def discard_left_behind(store: PlaybookStore) -> None:
    """Removes the unpublished bundles of processes that have ended."""
    for key in store.read(bundles.left_behind):
        discard(store, key)


def discard(store: PlaybookStore, key: int) -> None:
    """Removes an unpublished bundle, in short transactions."""
    while store.write(lambda conn: bundles.discard_some(conn, key)):
        pass
