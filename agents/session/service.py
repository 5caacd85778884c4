"""The contract of the services that keep sessions.

For each session a service keeps one ordered log of events and trace records (`log.py`), the state that the events'
deltas add up to, and the process that runs it.
"""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple

from agents.errors import SessionNotFoundError
from agents.event import Event
from agents.log import LogEntry, TraceRecord
from agents.session.imported import SessionImport
from agents.session.session import GetSessionConfig, ListSessionsResponse, Session
from agents.session_list import SessionFilter, SessionSummary, SummaryPage

SessionListener = Callable[[str, str, str, int], None]
"""Called as `listener(app_name, user_id, session_id, last_seq)`."""

WaitingListener = Callable[[str | None], None]
"""Called with a sentence that says what writes wait for, and with None when the wait is over."""

RoomCheck = Callable[[str, Callable[[bool], int]], object]
"""See `BaseSessionService.check_room`."""

_LISTENERS_LOCK = threading.Lock()
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Leases:
    """How long a claim holds that is not renewed, and what becomes of its run then.

    Attributes:
        seconds: The length of a lease; a third of it is between two renewals.
        taken_over: Whether servers resume runs whose lease is over. `recover` then leaves them time for it.
    """

    seconds: float = 15.0
    taken_over: bool = False


class Orphan(NamedTuple):
    """A run that no process runs any more. Its log may have its end."""

    app_name: str
    user_id: str
    session_id: str
    invocation_id: str


class BaseSessionService(ABC):
    """Keeps sessions. Every method is safe to call from several tasks at once.

    `app_name`, `user_id` and `session_id` name a session. A missing session is `None` on reading and
    `SessionNotFoundError` on writing.
    """

    check_room: RoomCheck | None = None
    """Called before a session is made, by whatever way, in the step that makes it: with the user id, and with a function
    that counts the sessions there are, True for the user's and False for all. What it raises is raised; nothing is made."""
    _listeners: tuple[SessionListener, ...] = ()
    _waiting_listeners: tuple[WaitingListener, ...] = ()

    def add_listener(self, listener: SessionListener) -> None:
        """Calls `listener` after every commit of this service that changes a session.

        That is: after it was created, appended to, renamed, deleted or restored. The call comes from the thread that did
        the work, once the change can be read, in the order of the commits. The listener must be short, must not wait
        and must not call the service. Writes of other processes are not reported: see `change_mark`.
        """
        with _LISTENERS_LOCK:
            self._listeners = (*self._listeners, listener)

    def remove_listener(self, listener: SessionListener) -> None:
        """Undoes one `add_listener`; a listener that is not there is no error."""
        with _LISTENERS_LOCK:
            listeners = list(self._listeners)
            if listener in listeners:
                listeners.remove(listener)
            self._listeners = tuple(listeners)

    def add_waiting_listener(self, listener: WaitingListener) -> None:
        """Calls `listener` when writes wait for the storage, e.g. for a lock of another process.

        It is called from any thread: with a sentence that says what they wait for, and with None when the wait is over.
        The rules of `add_listener` hold.
        """
        with _LISTENERS_LOCK:
            self._waiting_listeners = (*self._waiting_listeners, listener)

    def notice_write(self, *, app_name: str, user_id: str, session_id: str, last_seq: int) -> None:
        """Calls the listeners for a commit of another process, which said that it changed the session. From any thread."""
        self._notify(app_name, user_id, session_id, last_seq)

    def _notify_waiting(self, sentence: str | None) -> None:
        """For services: call this when writes start and stop waiting."""
        for listener in self._waiting_listeners:
            listener(sentence)

    def _notify(self, app_name: str, user_id: str, session_id: str, last_seq: int) -> None:
        """For services: call this after each commit. A listener that raises is logged; the commit stands."""
        for listener in self._listeners:
            try:
                listener(app_name, user_id, session_id, last_seq)
            except Exception:
                _logger.exception("A listener failed on session %r of %r.", session_id, app_name)

    @abstractmethod
    async def create_session(
        self, *, app_name: str, user_id: str, state: Mapping[str, Any] | None = None, session_id: str | None = None
    ) -> Session:
        """Creates a session; `state` may hold keys of every scope. The log begins with `session_created`.

        Raises:
            SessionExistsError: The id is taken.
            StateValueError: JSON cannot hold a value of `state`.
        """

    @abstractmethod
    async def fork_session(
        self,
        origin: Session,
        *,
        entries: Sequence[LogEntry],
        records: Sequence[TraceRecord],
        state: Mapping[str, Any],
        session_id: str | None = None,
    ) -> Session:
        """Creates a session whose log begins as the origin's did. The origin is not changed.

        The fork has `app:` and `user:` state of its own: no other session reads or writes it.

        Args:
            origin: The session to fork; app and user are the fork's too.
            entries: Entries of the origin's log, from `session_created` on. They are copied, numbered anew, and deltas in
                them are not applied.
            records: What follows them; the first one, of kind `forked`, names the origin.
            state: The fork's state after `entries`, of every scope.
            session_id: The fork's id; a new one by default.

        Raises:
            SessionExistsError: The id is taken.
            StateValueError: JSON cannot hold a value of `state`.
        """

    @abstractmethod
    async def import_session(self, imported: SessionImport) -> Session:
        """Adds a session from outside in one transaction.

        Raises:
            SessionExistsError: The id is taken.
            StateValueError: JSON cannot hold a value of its state.
            Exception: What `log` or `beside` raises; nothing is stored then.
        """

    @abstractmethod
    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        """Reads a session. Changes to the returned object are not stored."""

    @abstractmethod
    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """The sessions of an app, or of one user in it, in the order of creation, without events."""

    @abstractmethod
    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """Deletes a session. `user:` and `app:` state stays. `restore_session` brings it back."""

    @abstractmethod
    async def restore_session(self, *, app_name: str, user_id: str, session_id: str) -> bool:
        """Undoes `delete_session`; False if there is nothing to restore (its id may have been reused)."""

    @abstractmethod
    async def rename_session(self, *, app_name: str, user_id: str, session_id: str, title: str) -> None:
        """Gives a session a title."""

    @abstractmethod
    async def summary(self, *, app_name: str, user_id: str, session_id: str) -> SessionSummary | None:
        """The row of one session, found by its key."""

    @abstractmethod
    async def page(self, wanted: SessionFilter, *, limit: int, before: int | None = None) -> SummaryPage:
        """A page of a list of sessions, last changed first.

        Args:
            wanted: Which sessions.
            limit: Most rows; 0 only counts.
            before: The `next` of the page before; None for the first page.
        """

    @abstractmethod
    async def summaries(self, *, app_name: str | None = None, user_id: str | None = None) -> list[SessionSummary]:
        """The rows of all sessions, last changed first: for what needs every one of them. Lists ask for a `page`."""

    @abstractmethod
    async def append(
        self, session: Session, entries: Sequence[Event | TraceRecord], *, texts: Mapping[str, str] | None = None
    ) -> list[int]:
        """Appends entries to a session's log in one transaction and brings `session` up to date.

        A change of a playbook that an event carries is committed in the same transaction, see `agents.playbook`. Other
        deltas of events are applied to the stored state of their scope and to `session.state`; `temp:` keys reach only
        the latter and are taken out of the event. Entries appended elsewhere since `session` was read are added to it
        first. Partial events are not stored. The first user message gives an untitled session its title. If this call
        is cancelled, it ends only once it is known whether the entries are stored; `session` then shows it.

        Args:
            session: The session, as read before; `events`, `state`, `last_update_time` are updated.
            entries: What to append, in order.
            texts: Texts that trace records refer to, by `log.text_hash`; stored once each.

        Returns:
            The `seq` of each entry: the session's last one and 1 more for each; 0 for a partial event.

        Raises:
            SessionNotFoundError: The session was deleted.
            StateValueError: JSON cannot hold a value of a delta; nothing is appended then.
            RunEndedError: The run's claim was revoked, or another process took it over; nothing is appended then.
        """

    async def append_event(self, session: Session, event: Event) -> Event:
        """Appends one event; see `append`."""
        await self.append(session, [event])
        return event

    @abstractmethod
    async def read_log(
        self,
        *,
        app_name: str,
        user_id: str,
        session_id: str,
        after: int = 0,
        limit: int | None = None,
        newest: bool = False,
        kind: str | None = None,
    ) -> list[LogEntry]:
        """Entries with `seq > after`, in order, at most `limit`: the first of them, or with `newest` the last.

        With `kind` only entries of that kind.

        Raises:
            SessionNotFoundError: There is no such session.
        """

    @abstractmethod
    async def count_events(self, *, app_name: str, user_id: str, session_id: str, until: int) -> int:
        """How many events a session has up to the entry with `seq` `until`: the number of that event in its session.

        An event keeps its number, since the log only grows.

        Raises:
            SessionNotFoundError: There is no such session.
        """

    @abstractmethod
    async def read_texts(self, hashes: Sequence[str]) -> dict[str, str]:
        """Texts by hash; unknown hashes are left out."""

    @abstractmethod
    def claim(self, session: Session, invocation_id: str, *, goes_on: bool = False) -> AbstractAsyncContextManager[None]:
        """Holds the right to run a session, across processes, until the block ends or the process dies.

        A process that stands still for too long may lose it to another one: its run's appends are refused from then on.
        A run that is found without an end is marked as interrupted.

        Args:
            session: The session.
            invocation_id: The run.
            goes_on: Whether it is that run itself which goes on: it is not marked then.

        Raises:
            RunInProgressError: A living process holds it.
        """

    @abstractmethod
    async def revoke(
        self,
        *,
        app_name: str,
        user_id: str,
        session_id: str,
        ending: Mapping[str, str] | None = None,
        invocation_id: str | None = None,
    ) -> bool:
        """Takes the claim on a session from a run that does not end by itself.

        The log gets the run's `run_finished` record. Whatever the run still tries to store is refused with `RunEndedError`;
        the session can be claimed again at once.

        Args:
            app_name: The session's app.
            user_id: Its user.
            session_id: The session.
            ending: What that record says of its end: `status`, `error_code`, `error_message`; by default it was "stopped".
            invocation_id: The run, whichever process claimed the session for it; None for any run of this process.

        Returns:
            False if there is no such claim on it.

        Raises:
            SessionNotFoundError: The session was deleted; the claim is revoked.
            DatabaseError: The record cannot be stored; the claim is revoked, and `recover` marks the run.
        """

    @abstractmethod
    def check_claim(self, session: Session) -> None:
        """Checks that what is done with this session object may be stored.

        Raises:
            RunEndedError: The claim that it was made under is known to be lost.
        """

    @abstractmethod
    async def recover(self) -> int:
        """Marks runs whose process died: appends `run_finished` with status "interrupted". Returns how many."""

    async def orphans(self) -> list[Orphan]:
        """The runs of other processes whose lease is over: another one may claim their sessions. Reads only."""
        return []

    @abstractmethod
    def change_mark(self) -> int:
        """A number that differs after another process may have written; cheap, for polling."""

    async def open(self) -> None:
        """Opens the storage, so that its errors show early. Does nothing by default."""
        return

    async def close(self) -> None:
        """Releases files and threads."""
        return


def session_not_found(app_name: str, user_id: str, session_id: str, other_apps: Sequence[str] = ()) -> SessionNotFoundError:
    """The error for a session that is not there; `other_apps` have one of its id for that user."""
    missing = f"There is no session {session_id!r} of {app_name!r} for user {user_id!r}. "
    if other_apps:
        names = ", ".join(map(repr, other_apps))
        return SessionNotFoundError(
            f"{missing}It is a session of another app: {names}. Run it with that app's name, e.g. "
            f"Runner(app_name={other_apps[0]!r}, …), or create one for {app_name!r}."
        )
    return SessionNotFoundError(
        f"{missing}It may have been deleted. Create it first with create_session, or open another one."
    )
