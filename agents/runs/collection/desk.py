"""All sessions that a user sees, for callers in any thread: search, tags, sizes, deletion and clean-up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from agents.access import Action, Activity, note, permits
from agents.runs.asker import Asker
from agents.runs.loops.loop_thread import LoopThread
from agents.session import BaseSessionService
from agents.session_list import SessionSummary
from agents.storage.collection import SearchResult, SessionCollection, SessionKey

T = TypeVar("T")


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
    """The sessions of all pipelines. Every method may raise `DatabaseError` and `NotPermittedError`.

    Args:
        thread: The loop in which they are read.
        service: The sessions.
        collection: The same sessions as a collection.
        stop: Stops the run of a session, by pipeline and id.
        asker: Who asks.
    """

    def __init__(
        self,
        thread: LoopThread,
        service: BaseSessionService,
        collection: SessionCollection,
        stop: Callable[[str, str], object],
        asker: Asker,
    ) -> None:
        self._thread, self._service, self._collection, self._stop = thread, service, collection, stop
        self._asker = asker

    def search(self, text: str) -> SearchResult:
        """Finds sessions by words; see `SessionCollection.search`."""
        found = [self._thread.call(self._collection.search, user_id=user, text=text) for user in self._users()]
        if len(found) == 1:
            return found[0]
        fits = {key for result in found for key in result.sessions}
        order = [key for row in self._summaries() if (key := (row.app_name, row.id)) in fits]
        return SearchResult(tuple(order), max(result.unread for result in found))

    def excerpts(self, text: str, sessions: Collection[SessionKey]) -> dict[SessionKey, str]:
        """Lines around the words of a search; see `SessionCollection.excerpts`."""
        return self._of_all(lambda user: self._collection.excerpts(user_id=user, text=text, sessions=sessions))

    def tags(self) -> dict[SessionKey, tuple[str, ...]]:
        """The tags of all sessions that have any."""
        return self._of_all(lambda user: self._collection.tags(user_id=user))

    def tag(self, sessions: Iterable[SessionKey], *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> None:
        """Adds and removes tags of several sessions.

        Raises:
            SessionNotFoundError: One of them is not there; those before it have their tags.
        """
        added, removed = tuple(add), tuple(remove)
        names = [self._asker.key(Action.RENAME, *each).name for each in sessions]
        for name in names:
            self._thread.call(self._collection.tag, **name, add=added, remove=removed)

    def sizes(self) -> dict[SessionKey, int]:
        """Bytes of each session; see `SessionCollection.sizes`."""
        return self._of_all(lambda user: self._collection.sizes(user_id=user))

    def delete(self, sessions: Collection[SessionKey]) -> list[SessionKey]:
        """Stops the runs of sessions and deletes them; `restore` brings them back. Returns those that were there."""
        by_user: dict[str, list[SessionKey]] = {}
        for each in sessions:
            by_user.setdefault(self._asker.key(Action.DELETE, *each).user_id, []).append(each)
        for each in sessions:
            self._stop(*each)
        return [key for user, theirs in by_user.items() for key in self._set_deleted(user, theirs, deleted=True)]

    def restore(self, sessions: Iterable[SessionKey]) -> list[SessionKey]:
        """Brings deleted sessions back; returns those that could be."""
        wanted = list(sessions)
        return [key for user in self._whose_to_delete() for key in self._set_deleted(user, wanted, deleted=False)]

    def deleted(self) -> list[SessionSummary]:
        """The deleted sessions that can be brought back, last changed first."""
        rows = [row for user in self._whose_to_delete() for row in self._thread.call(self._collection.deleted, user_id=user)]
        return sorted(rows, key=lambda row: row.updated_at, reverse=True)

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
        self._asker.require(Action.CLEAN_UP)
        old = [(row.app_name, row.id) for row in self.preview_clean_up(before).old]
        for user in self._whose_to_delete():
            if removed := self._thread.call(self._collection.purge, user_id=user):
                note(self._asker.user, Activity.DELETE, f"{removed} sessions for good ({user})")
        return self.delete(old) if old else []

    def _set_deleted(self, user: str, sessions: Iterable[SessionKey], *, deleted: bool) -> list[SessionKey]:
        changed = self._thread.call(self._collection.set_deleted, user_id=user, sessions=sessions, deleted=deleted)
        if changed:
            activity = Activity.DELETE if deleted else Activity.RESTORE
            note(self._asker.user, activity, f"{len(changed)} sessions ({user}): {', '.join(one for _, one in changed)}")
        return changed

    def _of_all(self, read: Callable[[str], Coroutine[Any, Any, dict[SessionKey, T]]]) -> dict[SessionKey, T]:
        """What is known of the sessions of every user that is seen; one's own win."""
        found: dict[SessionKey, T] = {}
        for user in reversed(self._users()):
            found |= self._thread.call(read, user)
        return found

    def _users(self) -> list[str]:
        """Whose sessions are seen, the user's own first."""
        asking = self._asker.user
        others = [user for user in self._thread.call(self._collection.users) if user != asking.id and asking.sees(user)]
        return [asking.id, *others]

    def _whose_to_delete(self) -> list[str]:
        """Whose sessions the user may delete and bring back."""
        return [user for user in self._users() if permits(self._asker.user, Action.DELETE, of=user)]

    def _summaries(self) -> list[SessionSummary]:
        rows = self._thread.call(self._service.summaries)
        return [row for row in rows if self._asker.user.sees(row.user_id)]
