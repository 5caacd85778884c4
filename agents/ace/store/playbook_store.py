"""`PlaybookStore`: one named playbook of a repository, for any thread and any number of processes. Its methods block.

Each commit is one transaction against the playbook stored at that moment, so none is lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, fields
from types import TracebackType
from typing import Self, TypeVar

from agents.access import OWNER, Action, Activity, User, note, require
from agents.ace.bullet import StoredBullet
from agents.ace.changes import apply_all
from agents.ace.operations import BY_USER, Change, Commit, DeltaBatch, Rejection
from agents.ace.playbook import Playbook
from agents.ace.resolution import Resolved, import_changes
from agents.ace.store import deltas
from agents.ace.store.deltas import DeltaRecord
from agents.ace.store.ledger import NOBODY, Base, Ledger, Planned
from agents.ace.undo import Difference, difference, inverse, towards
from agents.errors import PlaybookFrozenError
from agents.playbook import (
    GrowthPoint,
    JudgedAnswer,
    PlaybookInfo,
    PlaybookRepository,
    PlaybookTransaction,
    check_playbook_name,
    taken,
)
from agents.storage.address import Database, parse_database
from agents.storage.stores import open_playbooks

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
        path: The database: a file, created if it is missing, or its address; or a repository.
        name: The playbook.
        busy_timeout: How long to wait for other processes that write to the file, in seconds; None for the usual time.
        ledger: A ledger of the same repository to share, so that nothing is folded and cached twice; by default its own.
    """

    def __init__(
        self,
        path: str | Database | PlaybookRepository,
        name: str = "default",
        *,
        busy_timeout: float | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        check_playbook_name(name)
        self.name = name
        self.ledger = Ledger() if ledger is None else ledger
        self._user, self._may_read = OWNER, _anybody
        if isinstance(path, PlaybookRepository):
            self._repository = path
        else:
            self._repository = open_playbooks(
                parse_database(path) if isinstance(path, str) else path, busy_timeout=busy_timeout
            )

    def commit(self, batch: DeltaBatch) -> Commit:
        """Applies a batch, as a whole, to the stored playbook.

        Returns:
            What was applied (an `ADD` with its new id), and what was rejected, each with its reason.
        """
        name = batch.playbook or self.name
        return self.write(lambda playbooks: self.ledger.commit(playbooks, name, batch, NOBODY)[0])

    def playbook(self) -> Playbook:
        """The newest revision; an empty playbook if there is none."""
        return self.read(self.newest)

    def at(self, revision: int) -> Playbook:
        """The playbook as it was; revision 0 is empty.

        Raises:
            PlaybookNotFoundError: There is no such revision.
        """
        return self.read(lambda playbooks: self._at(playbooks, revision))

    def _at(self, playbooks: PlaybookTransaction, revision: int) -> Playbook:
        if revision == 0 and playbooks.find(self.name) is None:
            return Playbook(name=self.name)
        return self.ledger.at(playbooks, self.name, revision)

    def undo(self, revision: int, *, by: str = BY_USER) -> Undone:
        """Undoes one delta by another one. Later deltas stay; those that depend on it are named.

        Raises:
            PlaybookNotFoundError: There is no such delta.
            PlaybookFrozenError: The playbook is frozen.
        """

        def look(playbooks: PlaybookTransaction) -> tuple[int, DeltaRecord, Sequence[Change]]:
            self._check_open(playbooks)
            info = playbooks.must_find(self.name)
            record = deltas.record_of(playbooks, info, revision)
            return info.revision, record, deltas.outstanding(playbooks, info.key, record)

        newest, record, left = self.read(look)
        why = f"Undo of revision {revision}."
        if record.applied and not left:
            reason = f"Revision {revision} was taken back already."
            rejected = [Rejection(operation=change, reason=reason) for change in record.applied[:MOST_NAMED]]
            done = Commit(playbook=self.name, revision=newest, rejected=rejected, reasoning=why, by=by)
            return Undone.of(done, self.dependents(revision))
        dependent: list[int] = []

        def outstanding(playbooks: PlaybookTransaction) -> Sequence[Change]:
            key = playbooks.must_find(self.name).key
            dependent[:] = deltas.dependents(playbooks, key, record)
            return deltas.outstanding(playbooks, key, record)

        return Undone.of(self._change(outstanding, inverse, why, by, undoes=revision), dependent)

    def dependents(self, revision: int) -> list[int]:
        """The later revisions that depend on a delta; an undo of it affects them.

        Raises:
            PlaybookNotFoundError: There is no such delta.
        """

        def work(playbooks: PlaybookTransaction) -> list[int]:
            info = playbooks.must_find(self.name)
            return deltas.dependents(playbooks, info.key, deltas.record_of(playbooks, info, revision))

        return self.read(work)

    def roll_back(self, revision: int, *, by: str = BY_USER) -> Commit:
        """Restores the playbook's contents and counts at a revision, by one more delta. It can be undone like any.

        Raises:
            PlaybookNotFoundError: There is no such revision.
            PlaybookFrozenError: The playbook is frozen.
        """
        why = f"Rolled back to revision {revision}."
        return self._change(lambda playbooks: self.ledger.at(playbooks, self.name, revision), _towards, why, by)

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

    def beside(self, name: str, *, user: User | None = None, may_read: Callable[[str], bool] | None = None) -> PlaybookStore:
        """Another playbook of the same database.

        Args:
            name: Its name.
            user: Who asks, if it is another user.
            may_read: Which playbooks they may read, by name, if that changes with them.
        """
        check_playbook_name(name)
        store = PlaybookStore.__new__(PlaybookStore)
        store.name, store.ledger, store._repository = name, self.ledger, self._repository
        store._user = self._user if user is None else user
        store._may_read = self._may_read if may_read is None else may_read
        return store

    def create(self, name: str) -> PlaybookStore:
        """Makes an empty playbook beside this one.

        Raises:
            PlaybookExistsError: The name is taken.
            ValueError: It cannot be a name.
        """
        self.write(lambda playbooks: playbooks.create(name, time.time()))
        return self.beside(name)

    def freeze(self, *, frozen: bool = True) -> None:
        """Makes the playbook read-only, or lets it grow again. A missing one is created."""
        self.write(lambda playbooks: playbooks.freeze(playbooks.find_or_create(self.name).key, frozen=frozen))

    def delete(self) -> None:
        """Deletes the playbook. Its name is free then; `restore` brings it back.

        Raises:
            PlaybookNotFoundError: There is none.
        """
        self.write(lambda playbooks: playbooks.delete(playbooks.must_find(self.name).key), activity=Activity.DELETE)

    def restore(self) -> bool:
        """Restores the playbook of this name that was deleted last; whether there was one.

        Raises:
            PlaybookExistsError: Another playbook has taken the name.
        """
        return self.write(lambda playbooks: playbooks.restore(self.name), activity=Activity.RESTORE)

    @property
    def frozen(self) -> bool:
        """Whether it is read-only."""
        return (info := self._info()) is not None and info.frozen

    @property
    def guard(self) -> str:
        """The folder of cases that guards it, see `agents.cases.CaseGate`; "" if none does."""
        return "" if (info := self._info()) is None else info.guard

    def guard_with(self, folder: str) -> None:
        """Guards the playbook with a folder of cases; "" ends that. A missing playbook is created."""
        self.write(lambda playbooks: playbooks.guard(playbooks.find_or_create(self.name).key, folder))

    def names(self) -> list[PlaybookInfo]:
        """All playbooks of the database that the user may read, last changed first."""
        with self._repository.reading() as playbooks:
            return [info for info in playbooks.infos() if self._may_read(info.name)]

    def history(self, *, limit: int | None = None, before: int | None = None) -> list[DeltaRecord]:
        """The deltas, newest first: at most `limit`, those before a revision. None of a playbook that is not there."""
        return self._listed(lambda playbooks, key: deltas.history(playbooks, key, limit, before))

    def lineage(self, bullet_id: str) -> list[DeltaRecord]:
        """All deltas of a bullet and of those that it was merged from, oldest first."""
        return self._listed(lambda playbooks, key: deltas.lineage(playbooks, key, bullet_id))

    def text_changes(self, *, after: int) -> list[DeltaRecord]:
        """The deltas of sessions after a revision, oldest first, without those that have no text in them, e.g. tags."""
        return self._listed(lambda playbooks, key: deltas.text_changes(playbooks, key, after))

    def growth(self) -> list[GrowthPoint]:
        """The playbook's totals at each revision, oldest first."""
        return self._listed(lambda playbooks, key: playbooks.growth(key))

    def answers(self) -> list[JudgedAnswer]:
        """The answers that were given with this playbook, oldest first, each with what feedback said of it last."""
        found: dict[tuple[str, str, int], JudgedAnswer] = {}
        for last in self._listed(lambda playbooks, key: playbooks.answers(key)):
            place = last.app_name, last.session_id, last.seq
            first = found.get(place, last)
            found[place] = last._replace(revision=first.revision, at=first.at)
        return list(found.values())

    def _info(self) -> PlaybookInfo | None:
        return self.read(lambda playbooks: playbooks.find(self.name))

    def _listed(self, look: Callable[[PlaybookTransaction, int], list[T]]) -> list[T]:
        """What is found by the playbook's key; nothing if there is no playbook."""

        def work(playbooks: PlaybookTransaction) -> list[T]:
            info = playbooks.find(self.name)
            return [] if info is None else look(playbooks, info.key)

        return self.read(work)

    def diff(self, before: int, after: int) -> Difference:
        """The difference between two revisions.

        Raises:
            PlaybookNotFoundError: There is no such revision.
        """
        return difference(self.at(before), self.at(after))

    def close(self) -> None:
        """Closes the file, also for the playbooks beside this one; the next use opens it again."""
        self._repository.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _change(
        self,
        look: Callable[[PlaybookTransaction], T],
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

        def read(playbooks: PlaybookTransaction) -> tuple[Base, T]:
            self._check_open(playbooks, new=new)
            return self.ledger.base(playbooks, self.name), look(playbooks)

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

        def store(playbooks: PlaybookTransaction, plan: Planned) -> bool:
            self._check_open(playbooks, new=new)
            return self.ledger.store(playbooks, self.name, plan)

        for _ in range(TRIES):
            plan = planned(*self.read(read))
            if self.write(lambda playbooks, plan=plan: store(playbooks, plan)):
                return plan.commit

        def at_once(playbooks: PlaybookTransaction) -> Commit:
            plan = planned(*read(playbooks))
            assert store(playbooks, plan)  # nobody else writes now
            return plan.commit

        return self.write(at_once)

    def newest(self, playbooks: PlaybookTransaction) -> Playbook:
        """The newest revision, inside a transaction."""
        found = self.ledger.load(playbooks, self.name)
        return Playbook(name=self.name) if found is None else found

    def _check_open(self, playbooks: PlaybookTransaction, *, new: bool = False) -> None:
        """Raises `PlaybookFrozenError` if it is frozen; `PlaybookExistsError` if it exists and has to be `new`."""
        info = playbooks.find(self.name)
        if new and info is not None:
            raise taken(self.name)
        if info is not None and info.frozen:
            raise PlaybookFrozenError(f"The playbook {self.name!r} is frozen. Unfreeze it to change it, or change a copy.")

    def write(self, work: Callable[[PlaybookTransaction], T], *, activity: Activity = Activity.PLAYBOOK) -> T:
        """Runs `work` in a write transaction.

        Args:
            work: What to do.
            activity: What the audit list calls it.

        Raises:
            NotPermittedError: The user of this store may not change playbooks.
        """
        require(self._user, Action.EDIT_PLAYBOOK)
        with self._repository.writing() as playbooks:
            done = work(playbooks)
        note(self._user, activity, f"the playbook {self.name}")
        return done

    def read(self, work: Callable[[PlaybookTransaction], T]) -> T:
        """Runs `work` on a snapshot of the repository.

        Raises:
            NotPermittedError: The user of this store may not read the playbook.
        """
        if not self._may_read(self.name):
            require(self._user, Action.READ_PLAYBOOK)
        with self._repository.reading() as playbooks:
            return work(playbooks)


def _anybody(_: str) -> bool:
    return True


def _towards(now: Playbook, target: Playbook) -> Resolved[Playbook]:
    return Resolved(now, towards(now, target), [])


def _imported(now: Playbook, bullets: Sequence[StoredBullet]) -> Resolved[Playbook]:
    return Resolved(now, import_changes(now, bullets), [])
