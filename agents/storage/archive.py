"""`Archive`: everything that a store keeps, as records that any other store can take; and the copy of one to another."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from agents.errors import DatabaseError

Kind = Literal[
    "texts", "files", "playbooks", "app state", "user state", "preferences", "lessons", "journals", "use", "sessions"
]

KINDS: tuple[Kind, ...] = (
    "texts", "files", "playbooks", "app state", "user state", "preferences", "lessons", "journals", "use", "sessions",
)  # fmt: skip
"""In the order in which they are copied: what sessions refer to comes before them."""

Name = tuple[str | int | float, ...]

Progress = Callable[[Kind, int, int], None]
"""Called with a kind of records, how many of them are done, and how many there are."""


class Record(NamedTuple):
    """One thing that a store keeps: a session with its log, a playbook with its history, a version of a file.

    Attributes:
        name: Names it among those of its kind. A session: app, user, id. A playbook: its name, and when it was deleted in
            seconds since the epoch or 0. A file: app, user, session or "", file name, version. A text: its hash. State:
            app, user if it is a user's, and key. A preference: its name. Of lessons: user, lesson and step. An entry of a
            journal: the list's name, and its number. Use of a model: day, user, model.
        fields: Its values by the names that the columns of `agents.storage.sqlite.migrations` have: text, numbers, bytes and
            None. What means something in one database alone is left out.
        parts: What belongs to it, by the names of the tables there, each in its order: a session's log, state and tags;
            a playbook's deltas, snapshots and answers.
    """

    name: Name
    fields: Mapping[str, Any]
    parts: Mapping[str, Sequence[Mapping[str, Any]]]

    @property
    def fingerprint(self) -> str:
        """SHA-256 of all of it, in hexadecimal digits."""
        return _sha256(json.dumps(self, default=_sha256, sort_keys=True).encode())

    @property
    def is_running(self) -> bool:
        """Whether it is a session that was being run."""
        return self.fields.get("status") == "running"


class Copied(NamedTuple):
    """What was copied of one kind.

    Attributes:
        kind: The kind.
        added: How many records were copied.
        found: How many were there before, with the same content.
        running: How many of them all are sessions that were being run.
    """

    kind: Kind
    added: int
    found: int
    running: int


class Archive(ABC):
    """All records of a store, deleted ones that can be restored included. Claims on sessions are none.

    Every method may raise `DatabaseError`.
    """

    @abstractmethod
    def names(self, kind: Kind) -> list[Name]:
        """The names of all records of a kind, in the order in which another store takes them: lists stay in order then."""

    @abstractmethod
    def read(self, kind: Kind, name: Name) -> Record:
        """The record of that name.

        Raises:
            KeyError: There is none.
        """

    @abstractmethod
    def add(self, kind: Kind, record: Record) -> None:
        """Stores a record, whose name is free, in one transaction."""


def copy_archive(source: Archive, target: Archive, progress: Progress) -> list[Copied]:
    """Copies what the target does not have, and reads back each record to compare its hash.

    Nothing is copied if the target has a record of the same name with other content. A copy that was interrupted leaves
    whole records, and the next one goes on.

    Args:
        source: What is copied; it is only read.
        target: Where it is copied to.
        progress: Called as it goes on.

    Returns:
        A count for each kind.

    Raises:
        DatabaseError: A store cannot be used, has other content of the same name, or has not kept what was copied.
    """
    found = {kind: _found(source, target, kind, progress) for kind in KINDS}
    return [_copy_kind(source, target, kind, found[kind], progress) for kind in KINDS]


def _found(source: Archive, target: Archive, kind: Kind, progress: Progress) -> dict[Name, bool]:
    """The names of the records that both have, and whether each is running."""
    there = set(target.names(kind))
    both = [name for name in source.names(kind) if name in there]
    found: dict[Name, bool] = {}
    for done, name in enumerate(both, 1):
        record = source.read(kind, name)
        if record.fingerprint != target.read(kind, name).fingerprint:
            raise DatabaseError(
                f"The database to copy to has other content under the same name, in its {kind}: {_shown(name)}. "
                "Nothing was copied now, and nothing was changed. Copy to a new database."
            )
        found[name] = record.is_running
        progress(kind, done, len(both))
    return found


def _copy_kind(source: Archive, target: Archive, kind: Kind, found: Mapping[Name, bool], progress: Progress) -> Copied:
    names = source.names(kind)
    running = sum(found.values())
    for done, name in enumerate(names, 1):
        if name not in found:
            record = source.read(kind, name)
            target.add(kind, record)
            if target.read(kind, name).fingerprint != record.fingerprint:
                raise DatabaseError(
                    f"What was copied is not what was read, in the {kind}: {_shown(name)}. "
                    "Check the disk, and copy again to a new database."
                )
            running += record.is_running
        progress(kind, done, len(names))
    return Copied(kind, len(names) - len(found), len(found), running)


def _shown(name: Name) -> str:
    return ", ".join(repr(part) for part in name if part != "")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
