"""Memories in this process, found by the words that they share with a query."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, pairwise
from typing import Literal

from agents.event import Event
from agents.runtime.memory_service import BaseMemoryService, MemoryEntry, SearchMemoryResponse
from agents.session import Session

MOST_MEMORIES = 10
"""Entries that a search of `InMemoryMemoryService` returns."""

_NO_SESSION = "__unknown_session_id__"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Kept:
    """An entry and the words that it is found by."""

    entry: MemoryEntry
    words: frozenset[str]


class InMemoryMemoryService(BaseMemoryService):
    """Memories in this process. A search finds the entries that share the most words with the query, at most ten.

    Words are compared in lower case. Text in a script without spaces is also found by pairs of its characters. A search
    takes time in proportion to the user's memories. May be used from several threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sessions: dict[tuple[str, str], dict[str, dict[str, _Kept]]] = {}
        self._deleted: dict[tuple[str, str], set[str]] = {}

    async def add_session_to_memory(self, session: Session) -> None:
        """Adds a session, replacing its earlier memories; see `BaseMemoryService`."""
        owner = (session.app_name, session.user_id)
        with self._lock:
            of_user = self._sessions.setdefault(owner, {})
            of_user[session.id] = self._read(owner, session.events, of_user.get(session.id, {}))

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Adds events; see `BaseMemoryService`. `custom_metadata` is not kept."""
        owner = (app_name, user_id)
        with self._lock:
            held = self._sessions.setdefault(owner, {}).setdefault(session_id or _NO_SESSION, {})
            held.update(self._read(owner, events, held))

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Finds entries that share words with the query; see `BaseMemoryService`."""
        wanted = _words(query)
        with self._lock:
            kept = [one for held in self._sessions.get((app_name, user_id), {}).values() for one in held.values()]
        found = [(shared, one.entry) for one in kept if (shared := len(wanted & one.words))]
        found.sort(key=lambda scored: -scored[0])  # stable: equal scores keep the order in which they were added
        return SearchMemoryResponse(memories=[entry.model_copy(deep=True) for _, entry in found[:MOST_MEMORIES]])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Deletes an entry for good: adding its session again does not bring it back."""
        owner = (app_name, user_id)
        with self._lock:
            for held in self._sessions.get(owner, {}).values():
                if memory_id and held.pop(memory_id, None) is not None:
                    self._deleted.setdefault(owner, set()).add(memory_id)

    def _read(self, owner: tuple[str, str], events: Iterable[Event], known: Mapping[str, _Kept]) -> dict[str, _Kept]:
        deleted = self._deleted.get(owner, set())
        return {
            event.id: known.get(event.id) or _kept(event)
            for event in events
            if event.content is not None and event.content.parts and event.id not in deleted
        }


def _kept(event: Event) -> _Kept:
    assert event.content is not None  # checked before
    entry = MemoryEntry(
        id=event.id,
        content=event.content.model_copy(deep=True),
        author=event.author,
        timestamp=datetime.fromtimestamp(event.timestamp).isoformat(),  # noqa: DTZ006  local time, as ADK writes it
    )
    return _Kept(entry, frozenset(_words(" ".join(part.text for part in event.content.parts or () if part.text))))


_Script = Literal["latin", "spaceless", "other"]


def _words(text: str) -> set[str]:
    """The words of a text in lower case; scripts are split, those without spaces into pairs of characters."""
    words: set[str] = set()
    for match in _WORD.finditer(unicodedata.normalize("NFC", text).lower()):
        word = match[0]
        words.add(word)
        if word.isascii():
            continue
        for script, signs in groupby(word, _script):
            run = "".join(signs)
            words.add(run)
            if script == "spaceless":
                words.update(first + second for first, second in pairwise(run))
    return words


def _script(sign: str) -> _Script:
    if sign.isascii():
        return "latin"
    name = unicodedata.name(sign, "")
    if name.startswith("LATIN"):
        return "latin"
    return "spaceless" if name.startswith(("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")) else "other"
