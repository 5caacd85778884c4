"""The contract of a playbook repository: it keeps the deltas that playbooks are made of, and says nothing of what they mean.

A playbook is what its deltas add up to. A delta is appended and never changed; a later one may undo it. What a delta does is
said in `agents.ace`, whose `PlaybookStore` loads, commits, undoes and lists revisions on any repository.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from secrets import token_hex
from typing import Literal, NamedTuple

from agents.errors import PlaybookExistsError, PlaybookNotFoundError, known

MAX_NAME = 80
"""Most characters of a playbook's name."""

FeedbackKind = Literal["ground truth", "person", "execution", "nothing"]
"""What said whether an answer is right."""


class PlaybookInfo(NamedTuple):
    """A playbook as a list of playbooks shows it, without its bullets.

    Attributes:
        name: Its name, which no other one has.
        revision: The revision of its last delta; 0 before the first one.
        bullets: How many it has.
        frozen: Whether it is read-only.
        created_at: Seconds since the epoch.
        updated_at: When its last delta was appended, in seconds since the epoch.
        guard: The folder of cases that guards it, "" for none.
        pending: Changes since its last snapshot.
        key: Names it in its repository for good, also while it is deleted and its name is another one's.
    """

    name: str
    revision: int
    bullets: int
    frozen: bool
    created_at: float
    updated_at: float
    guard: str = ""
    pending: int = 0
    key: int = 0


class StoredDelta(NamedTuple):
    """A delta as a repository keeps it.

    Attributes:
        revision: The playbook's revision after it.
        mark: A random number: a cached revision with the same mark is still the stored one.
        committed_at: Seconds since the epoch.
        by: The submitter.
        undoes: The revision that it undoes, or None.
        app_name: App of its session; "" if not from a session.
        session_id: Its session, or "".
        invocation_id: Its run, or "".
        seq: The log entry that carried it; 0 if there is none.
        bullets: The playbook's bullets after it; the numbers that follow are those of the playbook, too.
        helpful: Its helpful tags.
        harmful: Its harmful tags.
        tokens: Its tokens.
        body: The changes, as text.
    """

    revision: int
    mark: int
    committed_at: float
    by: str
    undoes: int | None
    app_name: str
    session_id: str
    invocation_id: str
    seq: int
    bullets: int
    helpful: int
    harmful: int
    tokens: int
    body: str


class StoredSnapshot(NamedTuple):
    """What the deltas up to a revision add up to, so that not all of them must be read.

    Attributes:
        revision: The revision.
        text: The playbook, as text.
        tokens: Its tokens.
        mark: The mark of the revision's delta.
    """

    revision: int
    text: str
    tokens: int
    mark: int


class GrowthPoint(NamedTuple):
    """A playbook's totals at one revision, for charts."""

    revision: int
    at: float
    bullets: int
    helpful: int
    harmful: int
    tokens: int


class JudgedAnswer(NamedTuple):
    """An answer that was given with a playbook, and what feedback said of it.

    Attributes:
        revision: The playbook's revision that the answer was judged at; its own delta comes after.
        at: When, in seconds since the epoch.
        app_name: The pipeline of its session.
        session_id: The session, which may have been deleted.
        seq: `seq` of the event with the answer.
        question: The question; "" for answers of versions that did not store it.
        right: Whether it is right; None if nothing said so.
        feedback: What said so.
    """

    revision: int
    at: float
    app_name: str
    session_id: str
    seq: int
    question: str
    right: bool | None
    feedback: FeedbackKind


class PlaybookTransaction(ABC):
    """The playbooks of a repository, inside one transaction. For the thread that began it, until the transaction ends."""

    @abstractmethod
    def find(self, name: str) -> PlaybookInfo | None:
        """The playbook of that name, or None."""

    def must_find(self, name: str) -> PlaybookInfo:
        """The playbook of that name.

        Raises:
            PlaybookNotFoundError: There is none.
        """
        if (found := self.find(name)) is None:
            names = known(info.name for info in self.infos())
            raise PlaybookNotFoundError(f"There is no playbook {name!r}. There are: {names}.")
        return found

    @abstractmethod
    def infos(self) -> list[PlaybookInfo]:
        """All playbooks, last changed first."""

    def create(self, name: str, at: float) -> PlaybookInfo:
        """Creates an empty playbook.

        Args:
            name: Its name.
            at: The time, in seconds since the epoch.

        Raises:
            PlaybookExistsError: The name is taken.
            ValueError: The name is not valid.
        """
        check_playbook_name(name)
        if self.find(name) is not None:
            raise taken(name)
        return self._add(name, at)

    def find_or_create(self, name: str, at: float | None = None) -> PlaybookInfo:
        """The playbook of that name; an empty one if there is none. As `create`; the time is now by default."""
        return self.find(name) or self.create(name, time.time() if at is None else at)

    @abstractmethod
    def _add(self, name: str, at: float) -> PlaybookInfo:
        """Creates a playbook under a valid name that is free."""

    @abstractmethod
    def freeze(self, key: int, *, frozen: bool) -> None:
        """Makes a playbook read-only, or lets it grow again."""

    @abstractmethod
    def guard(self, key: int, folder: str) -> None:
        """Sets the folder of cases that guards a playbook; "" for none."""

    @abstractmethod
    def delete(self, key: int) -> None:
        """Deletes a playbook: its name is free, and `restore` brings it back."""

    @abstractmethod
    def restore(self, name: str) -> bool:
        """Restores the playbook of that name that was deleted last; whether there was one.

        Raises:
            PlaybookExistsError: Another playbook has taken the name.
        """

    @abstractmethod
    def append(
        self, key: int, delta: StoredDelta, *, updated_at: float, pending: int = 0, snapshot: str | None = None
    ) -> None:
        """Appends a delta, which becomes the playbook's newest revision.

        Args:
            key: The playbook.
            delta: The delta; its revision is above that of the last one.
            updated_at: The playbook's `updated_at`.
            pending: The playbook's `pending`.
            snapshot: The text of a snapshot of this revision, if there is to be one.
        """

    @abstractmethod
    def deltas(
        self,
        key: int,
        *,
        after: int = 0,
        upto: int | None = None,
        containing: str = "",
        limit: int | None = None,
        newest_first: bool = False,
    ) -> Iterator[StoredDelta]:
        """Deltas in the order of their revisions, read one by one.

        Args:
            key: The playbook.
            after: Only revisions above.
            upto: Only revisions up to this one; None for all.
            containing: Only those whose body has this text.
            limit: Most of them; None for all.
            newest_first: In reverse order.
        """

    @abstractmethod
    def mark(self, key: int, revision: int) -> int | None:
        """The mark of a revision's delta; None if there is none."""

    @abstractmethod
    def growth(self, key: int) -> list[GrowthPoint]:
        """The playbook's totals at each revision, oldest first."""

    @abstractmethod
    def snapshot(self, key: int, upto: int) -> StoredSnapshot | None:
        """The newest snapshot of a revision up to `upto`."""

    @abstractmethod
    def add_answer(self, key: int, answer: JudgedAnswer) -> None:
        """Stores a judgement of an answer. A later one of the same answer is one more."""

    @abstractmethod
    def answers(self, key: int) -> list[JudgedAnswer]:
        """All judgements, in the order in which they were stored."""

    def forget_session(self, app_name: str, session_id: str) -> None:
        """Gives a session that is gone for good another id in deltas and judgements: a new one may take its own."""
        self._rename_session(app_name, session_id, f"{session_id}\n{token_hex(8)}")  # a line break is in no session's id

    @abstractmethod
    def _rename_session(self, app_name: str, session_id: str, new_id: str) -> None: ...


class PlaybookRepository(ABC):
    """Keeps playbooks. For any thread; methods block, and may raise `DatabaseError`, after which nothing is stored.

    A repository belongs to a session service, see `agents.storage.stores.Store`: an event that changes a playbook, and the
    delta that it makes, are stored in one transaction, both or neither. So the service makes the `PlaybookTransaction` for
    the changes that events carry, and this class makes those of users.

    Whoever watches a playbook compares `PlaybookInfo.revision`, which grows with each delta.
    """

    @abstractmethod
    def writing(self) -> AbstractContextManager[PlaybookTransaction]:
        """A transaction that blocks other writers. If the block raises, nothing of it is stored."""

    def reading(self) -> AbstractContextManager[PlaybookTransaction]:
        """A snapshot to read from."""
        return self.writing()

    def close(self) -> None:
        """Releases files; the next transaction opens them again."""
        return


def taken(name: str) -> PlaybookExistsError:
    """The error for a name that is taken."""
    return PlaybookExistsError(f"There is a playbook {name!r} already. Choose another name, or switch to it.")


def check_playbook_name(name: str) -> None:
    """Raises `ValueError` unless `name` can name a playbook."""
    if not is_playbook_name(name):
        raise ValueError(
            f"{name[:MAX_NAME]!r} cannot name a playbook: use 1 to {MAX_NAME} printable characters, no space at the ends."
        )


def is_playbook_name(name: str) -> bool:
    """Whether it is a valid name of a playbook."""
    return bool(name.strip()) and name == name.strip() and len(name) <= MAX_NAME and name.isprintable()
