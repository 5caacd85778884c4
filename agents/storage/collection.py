"""The contract of a user's sessions as a collection: search, tags, sizes, and the removal of deleted ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from agents.session_list import SessionSummary

SessionKey = tuple[str, str]
"""app_name, session_id"""

LONGEST_TAG = 40
"""Characters of a tag; what follows is cut."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found.

    Attributes:
        sessions: The sessions, last changed first.
        unread: About how many log entries the search does not cover yet. The next search reads more of them.
    """

    sessions: tuple[SessionKey, ...]
    unread: int = 0


class SessionCollection(ABC):
    """All sessions of a user. Every method is safe to call from several tasks at once."""

    @abstractmethod
    async def users(self) -> list[str]:
        """The ids of all users that have sessions, deleted ones too."""

    @abstractmethod
    async def search(self, *, user_id: str, text: str) -> SearchResult:
        """Finds sessions that have all words of `text`, each anywhere in the session.

        A word is found within other words, in title, tags, pipeline, id, texts, authors, tools, errors and state keys. Case
        and width do not count. All characters stand for themselves. No words find all sessions.
        """

    @abstractmethod
    async def excerpts(self, *, user_id: str, text: str, sessions: Collection[SessionKey]) -> dict[SessionKey, str]:
        """A line of each session's log around a word of `text`, in lower case; sessions without one are left out.

        The log counts as far as searches have read it.
        """

    @abstractmethod
    async def tags(self, *, user_id: str) -> dict[SessionKey, tuple[str, ...]]:
        """The tags of all sessions that have any, in alphabetical order."""

    @abstractmethod
    async def tag(
        self, *, app_name: str, user_id: str, session_id: str, add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> None:
        """Adds and removes tags, as `as_tag` writes them. Blank tags are skipped.

        Raises:
            SessionNotFoundError: There is no such session.
        """

    @abstractmethod
    async def sizes(self, *, user_id: str) -> dict[SessionKey, int]:
        """Bytes of each session, deleted ones too: its log, as far as searches have read it, and its stored files."""

    @abstractmethod
    async def set_deleted(self, *, user_id: str, sessions: Iterable[SessionKey], deleted: bool) -> list[SessionKey]:
        """Deletes several sessions, or brings them back, in one step. Returns those that changed."""

    @abstractmethod
    async def deleted(self, *, user_id: str) -> list[SessionSummary]:
        """The deleted sessions that can be brought back, last changed first."""

    @abstractmethod
    async def purge(self, *, user_id: str) -> int:
        """Removes the deleted sessions for good and frees their storage; returns how many. Forks of them stay whole."""


def as_tag(text: str) -> str:
    """A tag as it is stored: on one line, at most `LONGEST_TAG` characters; "" if nothing is left."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line[:LONGEST_TAG].rstrip()
