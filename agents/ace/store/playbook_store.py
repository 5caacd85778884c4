"""`PlaybookStore`: one named playbook of a database, for any thread and any number of processes. Its methods block.

Each commit is one transaction against the playbook stored at that moment, so none is lost. `ledger` has the SQL.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from agents.access import OWNER, Action, User, require
from agents.ace.bullet import StoredBullet
from agents.ace.changes import apply_all
from agents.ace.operations import BY_USER, Change, Commit, DeltaBatch, Rejection
from agents.ace.playbook import Playbook
from agents.ace.resolution import Resolved, import_changes
from agents.ace.store import answers, deltas, rows
from agents.ace.store.answers import JudgedAnswer
from agents.ace.store.deltas import DeltaRecord, GrowthPoint
from agents.ace.store.ledger import Base, Ledger, Planned
from agents.ace.store.rows import PlaybookInfo
from agents.ace.undo import Difference, difference, inverse, towards
from agents.errors import PlaybookFrozenError
from agents.storage.playbook_tables import PlaybookTables
from agents.storage.reducer import Origin
from agents.storage.sqlite.database import WAIT_SECONDS
from agents.storage.sqlite.playbook_file import PlaybookFile

T = TypeVar("T")
TRIES = 3
"""How often a large delta is worked out anew because the playbook was changed meanwhile; then others wait."""
MOST_NAMED = 50
"""Most changes that are listed when a delta was undone already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Commit):
    """The result of an undo.

    Attributes:
        dependent: Later revisions that depend on the undone one; their other changes stay.
    """

    dependent: list[int] = field(default_factory=list[int])

    @classmethod
    def of(cls, commit: Commit, dependent: list[int]) -> Self:
        """The result with a commit's fields."""
        return cls(**{one.name: getattr(commit, one.name) for one in fields(commit)}, dependent=dependent)


class PlaybookStore:
    """One named playbook. It need not exist: the first commit creates it, and it is empty until then.

    Every method may raise `DatabaseError`; nothing is stored then.

    Args:
        path: The database file, created if it is missing; or the tables of a store.
        name: The playbook.
        busy_timeout: How long to wait for other processes that write, in seconds.
        ledger: A ledger of the same database to share, so that nothing is folded and cached twice; by default its own.
    """

    def __init__(
        self,
        path: str | Path | PlaybookTables,
        name: str = "default",
        *,
        busy_timeout: float = WAIT_SECONDS,
        ledger: Ledger | None = None,
    ) -> None:
        rows.check_playbook_name(name)
        self.name = name
        self.ledger = Ledger() if ledger is None else ledger
        self._user = OWNER
        if isinstance(path, PlaybookTables):
            self._tables = path
        else:
            self._tables = PlaybookFile(Path(path).expanduser(), busy_timeout=busy_timeout)

    def commit(self, batch: DeltaBatch) -> Commit:
        """Applies a batch, as a whole, to the stored playbook.

        Returns:
            What was applied (an `ADD` with its new id), and what was rejected, each with its reason.
        """

        def work(conn: sqlite3.Connection) -> Commit:
            origin = Origin("", "", "", 0, 0.0)
            return self.ledger.commit(conn, batch.playbook or self.name, batch, origin)[0]

        return self.write(work)

    def playbook(self) -> Playbook:
        """The newest revision; an empty playbook if there is none."""
        return self.read(self.newest)

    def at(self, revision: int) -> Playbook:
        """The playbook as it was; revision 0 is empty.

        Raises:
            PlaybookNotFoundError: There is no such revision.
        """
        return self.read(lambda conn: self._at(conn, revision))

    def _at(self, conn: sqlite3.Connection, revision: int) -> Playbook:
        if revision == 0 and rows.find(conn, self.name) is None:
            return Playbook(name=self.name)
        return self.ledger.at(conn, self.name, revision)

    def undo(self, revision: int, *, by: str = BY_USER) -> Undone:
        """Undoes one delta by another one. Later deltas stay; those that depend on it are named.

        Raises:
            PlaybookNotFoundError: There is no such delta.
            PlaybookFrozenError: The playbook is frozen.
        """

        def look(conn: sqlite3.Connection) -> tuple[int, DeltaRecord, Sequence[Change]]:
            self._check_open(conn)
            row = rows.must_find(conn, self.name)
            record = deltas.record_of(conn, row, self.name, revision)
            return row.revision, record, deltas.outstanding(conn, row, record)

        newest, record, left = self.read(look)
        why = f"Undo of revision {revision}."
        if record.applied and not left:
            reason = f"Revision {revision} was taken back already."
            rejected = [Rejection(operation=change, reason=reason) for change in record.applied[:MOST_NAMED]]
            done = Commit(playbook=self.name, revision=newest, rejected=rejected, reasoning=why, by=by)
            return Undone.of(done, self.dependents(revision))
        dependent: list[int] = []

        def outstanding(conn: sqlite3.Connection) -> Sequence[Change]:
            row = rows.must_find(conn, self.name)
            dependent[:] = deltas.dependents(conn, row, record)
            return deltas.outstanding(conn, row, record)

        return Undone.of(self._change(outstanding, inverse, why, by, undoes=revision), dependent)

    def dependents(self, revision: int) -> list[int]:
        """The later revisions that depend on a delta; an undo of it affects them.

        Raises:
            PlaybookNotFoundError: There is no such delta.
        """

        def work(conn: sqlite3.Connection) -> list[int]:
            row = rows.must_find(conn, self.name)
            return deltas.dependents(conn, row, deltas.record_of(conn, row, self.name, revision))

        return self.read(work)

    def roll_back(self, revision: int, *, by: str = BY_USER) -> Commit:
        """Restores the playbook's contents and counts at a revision, by one more delta. It can be undone like any.

        Raises:
            PlaybookNotFoundError: There is no such revision.
            PlaybookFrozenError: The playbook is frozen.
        """
        why = f"Rolled back to revision {revision}."
        return self._change(lambda conn: self.ledger.at(conn, self.name, revision), _towards, why, by)

    def import_playbook(
        self, playbook: Playbook, *, reasoning: str = "Imported.", by: str = "import", new: bool = False
    ) -> Commit:
        """Adds the bullets of another playbook, counters and all. Ids that this one has given out before are replaced.

        Args:
            playbook: The other one.
            reasoning: Why.
            by: Who submits it.
            new: Whether to create the playbook for them.

        Raises:
            PlaybookFormatError: A bullet is beyond the limits, or there are too many; nothing is stored then.
            PlaybookFrozenError: The playbook is frozen.
            PlaybookExistsError: The playbook to create exists already.
        """
        return self._change(lambda _: playbook.bullets, _imported, reasoning, by, new=new)

    def copy_to(self, name: str, *, revision: int | None = None, without: Container[str] = ()) -> PlaybookStore:
        """Copies a revision into a new playbook; its history stays here.

        Args:
            name: The new playbook's name.
            revision: Which one; the newest by default. A playbook that does not exist has an empty one.
            without: Ids of bullets to leave out.

        Raises:
            PlaybookExistsError: The name is taken.
            PlaybookNotFoundError: There is no such revision.
        """
        now = self.playbook() if revision is None else self.at(revision)
        bullets = [bullet for bullet in now.bullets if bullet.id not in without]
        copy = self.beside(name)
        why = f"Copied from {self.name}, revision {now.revision}."
        copy._change(lambda _: bullets, _imported, why, BY_USER, new=True)
        return copy

    def beside(self, name: str, *, user: User | None = None) -> PlaybookStore:
        """Another playbook of the same database; for another user if one is given."""
        rows.check_playbook_name(name)
        store = PlaybookStore.__new__(PlaybookStore)
        store.name, store.ledger, store._tables = name, self.ledger, self._tables
        store._user = self._user if user is None else user
        return store

    def create(self, name: str) -> PlaybookStore:
        """Makes an empty playbook beside this one.

        Raises:
            PlaybookExistsError: The name is taken.
            ValueError: It cannot be a name.
        """
        self.write(lambda conn: rows.create(conn, name, time.time()))
        return self.beside(name)

    def freeze(self, *, frozen: bool = True) -> None:
        """Makes the playbook read-only, or lets it grow again. A missing one is created."""

        def work(conn: sqlite3.Connection) -> None:
            rows.find_or_create(conn, self.name)
            rows.freeze(conn, self.name, frozen=frozen)

        self.write(work)

    def delete(self) -> None:
        """Deletes the playbook. Its name is free then; `restore` brings it back.

        Raises:
            PlaybookNotFoundError: There is none.
        """
        self.write(lambda conn: rows.delete(conn, self.name))

    def restore(self) -> bool:
        """Restores the playbook of this name that was deleted last; whether there was one.

        Raises:
            PlaybookExistsError: Another playbook has taken the name.
        """
        return self.write(lambda conn: rows.restore(conn, self.name))

    @property
    def frozen(self) -> bool:
        """Whether it is read-only."""
        return self.read(lambda conn: (row := rows.find(conn, self.name)) is not None and row.frozen)

    @property
    def guard(self) -> str:
        """The folder of cases that guards it, see `agents.cases.CaseGate`; "" if none does."""
        return self.read(lambda conn: rows.guard(conn, self.name))

    def guard_with(self, folder: str) -> None:
        """Guards the playbook with a folder of cases; "" ends that. A missing playbook is created."""

        def work(conn: sqlite3.Connection) -> None:
            rows.find_or_create(conn, self.name)
            rows.set_guard(conn, self.name, folder)

        self.write(work)

    def names(self) -> list[PlaybookInfo]:
        """All playbooks of the database, last changed first."""
        return self.read(rows.infos)

    def history(self, *, limit: int | None = None, before: int | None = None) -> list[DeltaRecord]:
        """The deltas, newest first: at most `limit`, those before a revision. None of a playbook that is not there."""
        return self.read(lambda conn: deltas.history(conn, self.name, limit, before))

    def lineage(self, bullet_id: str) -> list[DeltaRecord]:
        """All deltas of a bullet and of those that it was merged from, oldest first."""
        return self.read(lambda conn: deltas.lineage(conn, self.name, bullet_id))

    def text_changes(self, *, after: int) -> list[DeltaRecord]:
        """The deltas of sessions after a revision, oldest first, without those that have no text in them, e.g. tags."""
        return self.read(lambda conn: deltas.text_changes(conn, self.name, after))

    def growth(self) -> list[GrowthPoint]:
        """The playbook's totals at each revision, oldest first."""
        return self.read(lambda conn: deltas.growth(conn, self.name))

    def answers(self) -> list[JudgedAnswer]:
        """The answers that were given with this playbook, oldest first, each with what feedback said of it last."""
        return self.read(lambda conn: answers.judged(conn, self.name))

    def diff(self, before: int, after: int) -> Difference:
        """The difference between two revisions.

        Raises:
            PlaybookNotFoundError: There is no such revision.
        """
        return difference(self.at(before), self.at(after))

    def close(self) -> None:
        """Closes the file, also for the playbooks beside this one; the next use opens it again."""
        self._tables.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _change(
        self,
        look: Callable[[sqlite3.Connection], T],
        resolved: Callable[[Playbook, T], Resolved[Playbook]],
        reasoning: str,
        by: str,
        *,
        new: bool = False,
        undoes: int | None = None,
    ) -> Commit:
        """Makes a delta, which may be a large one. It is worked out in no transaction, so nobody waits for it meanwhile.

        Args:
            look: What is read for it.
            resolved: The changes, from the newest revision and what was read; their playbook is not used, it has no times.
            reasoning: Why.
            by: Who submits it.
            new: Whether to create the playbook.
            undoes: The revision that it undoes.
        """

        def read(conn: sqlite3.Connection) -> tuple[Base, T]:
            self._check_open(conn, new=new)
            return self.ledger.base(conn, self.name), look(conn)

        def planned(base: Base, found: T) -> Planned:
            at, (_, applied, rejected) = time.time(), resolved(base.playbook, found)
            commit = Commit(
                playbook=self.name,
                revision=base.playbook.revision + bool(applied or rejected),
                applied=applied,
                rejected=rejected,
                reasoning=reasoning,
                by=by,
                undoes=undoes,
            )
            return Planned.of(base, commit, apply_all(base.playbook, applied, by=by, at=at), at)

        def store(conn: sqlite3.Connection, plan: Planned) -> bool:
            self._check_open(conn, new=new)
            return self.ledger.store(conn, self.name, plan)

        for _ in range(TRIES):
            plan = planned(*self.read(read))
            if self.write(lambda conn, plan=plan: store(conn, plan)):
                return plan.commit

        def at_once(conn: sqlite3.Connection) -> Commit:
            plan = planned(*read(conn))
            assert store(conn, plan)  # nobody else writes now
            return plan.commit

        return self.write(at_once)

    def newest(self, conn: sqlite3.Connection) -> Playbook:
        """The newest revision, inside a transaction."""
        found = self.ledger.load(conn, self.name)
        return Playbook(name=self.name) if found is None else found

    def _check_open(self, conn: sqlite3.Connection, *, new: bool = False) -> None:
        """Raises `PlaybookFrozenError` if it is frozen; `PlaybookExistsError` if it exists and has to be `new`."""
        row = rows.find(conn, self.name)
        if new and row is not None:
            raise rows.taken(self.name)
        if row is not None and row.frozen:
            raise PlaybookFrozenError(f"The playbook {self.name!r} is frozen. Unfreeze it to change it, or change a copy.")

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` in a write transaction.

        Raises:
            NotPermittedError: The user of this store may not change playbooks.
        """
        require(self._user, Action.EDIT_PLAYBOOK)
        with self._tables.writing() as conn:
            return work(conn)

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` on a snapshot of the database."""
        with self._tables.reading() as conn:
            return work(conn)


def _towards(now: Playbook, target: Playbook) -> Resolved[Playbook]:
    return Resolved(now, towards(now, target), [])


def _imported(now: Playbook, bullets: Sequence[StoredBullet]) -> Resolved[Playbook]:
    return Resolved(now, import_changes(now, bullets), [])
