"""Playbooks that live as long as the process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TypeVar

from agents.playbook import (
    GrowthPoint,
    JudgedAnswer,
    PlaybookInfo,
    PlaybookRepository,
    PlaybookTransaction,
    StoredDelta,
    StoredSnapshot,
    taken,
)

R = TypeVar("R", StoredDelta, JudgedAnswer)


@dataclass(slots=True)
class _Kept:
    """A playbook with all that belongs to it."""

    info: PlaybookInfo
    deltas: dict[int, StoredDelta] = field(default_factory=dict[int, StoredDelta])
    snapshots: list[StoredSnapshot] = field(default_factory=list[StoredSnapshot])
    answers: list[JudgedAnswer] = field(default_factory=list[JudgedAnswer])


class _Transaction(PlaybookTransaction):
    """The playbooks, and how what was changed since the transaction began is taken back."""

    def __init__(self) -> None:
        self._kept: list[_Kept] = []
        """By key, from 1; deleted ones too."""
        self._by_name: dict[str, int] = {}
        self._deleted: list[int] = []
        self.undo: list[Callable[[], object]] = []

    def find(self, name: str) -> PlaybookInfo | None:
        key = self._by_name.get(name)
        return None if key is None else self._kept[key - 1].info

    def infos(self) -> list[PlaybookInfo]:
        found = (self._kept[key - 1].info for key in self._by_name.values())
        return sorted(found, key=lambda info: (info.updated_at, info.key), reverse=True)

    def _add(self, name: str, at: float) -> PlaybookInfo:
        key = len(self._kept) + 1
        info = PlaybookInfo(name, 0, 0, frozen=False, created_at=at, updated_at=at, key=key)
        self._kept.append(_Kept(info))
        self._by_name[name] = key
        self.undo += (self._kept.pop, lambda: self._by_name.pop(name))
        return info

    def freeze(self, key: int, *, frozen: bool) -> None:
        self._set(self._kept[key - 1], frozen=frozen)

    def guard(self, key: int, folder: str) -> None:
        self._set(self._kept[key - 1], guard=folder)

    def delete(self, key: int) -> None:
        name = self._kept[key - 1].info.name
        del self._by_name[name]
        self._deleted.append(key)
        self.undo += (self._deleted.pop, lambda: self._by_name.update({name: key}))

    def restore(self, name: str) -> bool:
        place = next((at for at in reversed(range(len(self._deleted))) if self._name(self._deleted[at]) == name), None)
        if place is None:
            return False
        if name in self._by_name:
            raise taken(name)
        self._by_name[name] = key = self._deleted.pop(place)
        self.undo += (lambda: self._deleted.insert(place, key), lambda: self._by_name.pop(name))
        return True

    def _name(self, key: int) -> str:
        return self._kept[key - 1].info.name

    def _set(self, kept: _Kept, **values: object) -> None:
        before = kept.info
        kept.info = before._replace(**values)
        self.undo.append(lambda: setattr(kept, "info", before))

    def append(
        self, key: int, delta: StoredDelta, *, updated_at: float, pending: int = 0, snapshot: str | None = None
    ) -> None:
        kept = self._kept[key - 1]
        kept.deltas[delta.revision] = delta
        self.undo.append(lambda: kept.deltas.pop(delta.revision))
        if snapshot is not None:
            kept.snapshots.append(StoredSnapshot(delta.revision, snapshot, delta.tokens, delta.mark))
            self.undo.append(kept.snapshots.pop)
        self._set(kept, revision=delta.revision, bullets=delta.bullets, updated_at=updated_at, pending=pending)

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
        deltas = self._kept[key - 1].deltas
        last = self._kept[key - 1].info.revision if upto is None else upto
        revisions = range(after + 1, last + 1)
        found = (deltas.get(revision) for revision in (reversed(revisions) if newest_first else revisions))
        return islice((delta for delta in found if delta is not None and containing in delta.body), limit)

    def mark(self, key: int, revision: int) -> int | None:
        found = self._kept[key - 1].deltas.get(revision)
        return None if found is None else found.mark

    def growth(self, key: int) -> list[GrowthPoint]:
        return [GrowthPoint(one.revision, one.committed_at, *one[-5:-1]) for one in self._kept[key - 1].deltas.values()]

    def snapshot(self, key: int, upto: int) -> StoredSnapshot | None:
        return next((one for one in reversed(self._kept[key - 1].snapshots) if one.revision <= upto), None)

    def add_answer(self, key: int, answer: JudgedAnswer) -> None:
        answers = self._kept[key - 1].answers
        answers.append(answer)
        self.undo.append(answers.pop)

    def answers(self, key: int) -> list[JudgedAnswer]:
        return [*self._kept[key - 1].answers]

    def _rename_session(self, app_name: str, session_id: str, new_id: str) -> None:
        for kept in self._kept:
            deltas, answers = kept.deltas, kept.answers
            kept.deltas = {revision: _renamed(one, app_name, session_id, new_id) for revision, one in deltas.items()}
            kept.answers = [_renamed(one, app_name, session_id, new_id) for one in answers]
            self.undo.append(partial(_set, kept, deltas, answers))


def _renamed(one: R, app_name: str, session_id: str, new_id: str) -> R:
    return one._replace(session_id=new_id) if (one.app_name, one.session_id) == (app_name, session_id) else one


def _set(kept: _Kept, deltas: dict[int, StoredDelta], answers: list[JudgedAnswer]) -> None:
    kept.deltas, kept.answers = deltas, answers


class InMemoryPlaybookRepository(PlaybookRepository):
    """Keeps playbooks in memory."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._transaction = _Transaction()

    @contextmanager
    def writing(self) -> Generator[PlaybookTransaction, None, None]:
        """See `PlaybookRepository`. A thread that is in a transaction stays in it."""
        with self._lock:
            undo = self._transaction.undo
            begun = len(undo)
            try:
                yield self._transaction
            except BaseException:
                while len(undo) > begun:
                    undo.pop()()
                raise
            finally:
                if not begun:
                    undo.clear()
