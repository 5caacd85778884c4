"""The sessions in memory as a collection. A search reads all logs."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager

from agents.session import session_not_found
from agents.session_list import SessionSummary
from agents.storage.collection import SearchResult, SessionCollection, SessionKey, as_tag
from agents.storage.sessions.collections.texts import excerpt, folded, lines_of, text_of, words_of
from agents.storage.sessions.stored_session import StoredSession, StoredSessions


class MemoryCollection(SessionCollection):
    """The sessions of an `InMemorySessionService`.

    Args:
        lock: The service's lock.
        sessions: Its sessions.
        notify: Called after a change with app, user, session and last seq.
    """

    def __init__(
        self,
        lock: AbstractContextManager[object],
        sessions: StoredSessions,
        notify: Callable[[str, str, str, int], None],
    ) -> None:
        self._lock, self._sessions, self._notify = lock, sessions, notify

    async def users(self) -> list[str]:
        with self._lock:
            return sorted({user for _, user, _ in self._sessions.by_name})

    async def search(self, *, user_id: str, text: str) -> SearchResult:
        words = words_of(text)
        return SearchResult(tuple(_key(stored) for stored in self._of(user_id) if not words or _has_all(stored, words)))

    async def excerpts(self, *, user_id: str, text: str, sessions: Collection[SessionKey]) -> dict[SessionKey, str]:
        words = words_of(text)
        wanted = [stored for stored in self._of(user_id) if _key(stored) in sessions]
        return {_key(stored): said for stored in wanted if (said := excerpt(_text(stored), words))}

    async def tags(self, *, user_id: str) -> dict[SessionKey, tuple[str, ...]]:
        return {_key(stored): tuple(sorted(stored.tags)) for stored in self._of(user_id) if stored.tags}

    async def tag(
        self, *, app_name: str, user_id: str, session_id: str, add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> None:
        name = (app_name, user_id, session_id)
        with self._lock:
            stored = self._sessions.by_name.get(name)
            if stored is None or stored.deleted:
                raise session_not_found(*name)
            stored.tags.difference_update(map(as_tag, remove))
            stored.tags.update(tag for text in add if (tag := as_tag(text)))
        self._notify(*name, stored.last_seq)

    async def sizes(self, *, user_id: str) -> dict[SessionKey, int]:
        """See `SessionCollection`. Files are kept by another service and are not counted."""
        every = [*self._of(user_id), *self._of(user_id, deleted=True)]
        return {_key(stored): sum(len(entry.body.encode()) for entry in stored.entries(0)) for stored in every}

    async def set_deleted(self, *, user_id: str, sessions: Iterable[SessionKey], deleted: bool) -> list[SessionKey]:
        changed: list[StoredSession] = []
        with self._lock:
            for app_name, session_id in sessions:
                stored = self._sessions.by_name.get((app_name, user_id, session_id))
                if stored is not None and stored.deleted is not deleted:
                    stored.deleted = deleted
                    changed.append(stored)
        for stored in changed:
            self._notify(*stored.name, stored.last_seq)
        return list(map(_key, changed))

    async def deleted(self, *, user_id: str) -> list[SessionSummary]:
        return [stored.summary() for stored in self._of(user_id, deleted=True)]

    async def purge(self, *, user_id: str) -> int:
        with self._lock:
            gone = [stored for stored in self._sessions.by_name.values() if stored.name[1] == user_id and stored.deleted]
            for stored in gone:
                self._sessions.remove(stored.name)
        return len(gone)

    def _of(self, user_id: str, *, deleted: bool = False) -> list[StoredSession]:
        """The user's sessions, last changed first."""
        with self._lock:
            found = [
                stored
                for stored in self._sessions.by_name.values()
                if stored.name[1] == user_id and stored.deleted is deleted
            ]
            return sorted(found, key=lambda stored: stored.last_entry, reverse=True)


def _key(stored: StoredSession) -> SessionKey:
    return stored.name[0], stored.name[2]


def _text(stored: StoredSession) -> str:
    return text_of(line for entry in stored.entries(0) for line in lines_of(entry.kind, json.loads(entry.body)))


def _has_all(stored: StoredSession, words: Collection[str]) -> bool:
    head = folded("\n".join((stored.title, stored.name[0], stored.name[2], *stored.tags)))
    if all(word in head for word in words):
        return True
    text = _text(stored)
    return all(word in head or word in text for word in words)
