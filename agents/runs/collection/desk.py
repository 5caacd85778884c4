"""All sessions of this playground's user, for callers in any thread: search, tags, sizes, deletion and clean-up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from agents.config import USER_ID
from agents.runs.loop_thread import LoopThread
from agents.session import BaseSessionService, SessionSummary
from agents.storage.collection import SearchResult, SessionCollection, SessionKey


@dataclass(frozen=True, slots=True)
class CleanUp:
    """What a clean-up does.

    Attributes:
        old: The sessions that it deletes; they can be brought back until the next clean-up.
        gone: The sessions deleted before; it removes them for good.
        frees: Bytes that it frees.
    """

    old: tuple[SessionSummary, ...]
    gone: tuple[SessionSummary, ...]
    frees: int


class CollectionDesk:
    """The sessions of all pipelines. Every method may raise `DatabaseError`.

    Args:
        thread: The loop in which they are read.
        service: The sessions.
        collection: The same sessions as a collection.
        stop: Stops the run of a session, by pipeline and id.
    """

    def __init__(
        self,
        thread: LoopThread,
        service: BaseSessionService,
        collection: SessionCollection,
        stop: Callable[[str, str], object],
    ) -> None:
        self._thread, self._service, self._collection, self._stop = thread, service, collection, stop

    def search(self, text: str) -> SearchResult:
        """Finds sessions by words; see `SessionCollection.search`."""
        return self._thread.call(self._collection.search, user_id=USER_ID, text=text)

    def excerpts(self, text: str, sessions: Collection[SessionKey]) -> dict[SessionKey, str]:
        """Lines around the words of a search; see `SessionCollection.excerpts`."""
        return self._thread.call(self._collection.excerpts, user_id=USER_ID, text=text, sessions=sessions)

    def tags(self) -> dict[SessionKey, tuple[str, ...]]:
        """The tags of all sessions that have any."""
        return self._thread.call(self._collection.tags, user_id=USER_ID)

    def tag(self, sessions: Iterable[SessionKey], *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> None:
        """Adds and removes tags of several sessions.

        Raises:
            SessionNotFoundError: One of them is not there; those before it have their tags.
        """
        added, removed = tuple(add), tuple(remove)
        for app_name, session_id in sessions:
            name = {"app_name": app_name, "user_id": USER_ID, "session_id": session_id}
            self._thread.call(self._collection.tag, **name, add=added, remove=removed)

    def sizes(self) -> dict[SessionKey, int]:
        """Bytes of each session; see `SessionCollection.sizes`."""
        return self._thread.call(self._collection.sizes, user_id=USER_ID)

    def delete(self, sessions: Collection[SessionKey]) -> list[SessionKey]:
        """Stops the runs of sessions and deletes them; `restore` brings them back. Returns those that were there."""
        for each in sessions:
            self._stop(*each)
        return self._thread.call(self._collection.set_deleted, user_id=USER_ID, sessions=sessions, deleted=True)

    def restore(self, sessions: Iterable[SessionKey]) -> list[SessionKey]:
        """Brings deleted sessions back; returns those that could be."""
        return self._thread.call(self._collection.set_deleted, user_id=USER_ID, sessions=sessions, deleted=False)

    def deleted(self) -> list[SessionSummary]:
        """The deleted sessions that can be brought back, last changed first."""
        return self._thread.call(self._collection.deleted, user_id=USER_ID)

    def preview_clean_up(self, before: float) -> CleanUp:
        """What `clean_up` would do. Sessions that run, wait for an answer or have a tag are never old.

        Args:
            before: Sessions changed last before this time are old; in seconds since the epoch.
        """
        tagged, sizes, gone = self.tags(), self.sizes(), self.deleted()
        old = (
            row
            for row in self._summaries()
            if row.updated_at < before and row.status not in {"running", "paused"} and (row.app_name, row.id) not in tagged
        )
        return CleanUp(tuple(old), tuple(gone), sum(sizes.get((row.app_name, row.id), 0) for row in gone))

    def clean_up(self, before: float) -> list[SessionKey]:
        """Removes for good what was deleted before, then deletes old sessions, which `restore` brings back.

        Args:
            before: See `preview_clean_up`.

        Returns:
            The sessions that it deleted.
        """
        old = [(row.app_name, row.id) for row in self.preview_clean_up(before).old]
        self._thread.call(self._collection.purge, user_id=USER_ID)
        return self.delete(old) if old else []

    def _summaries(self) -> list[SessionSummary]:
        return self._thread.call(self._service.summaries, user_id=USER_ID)
