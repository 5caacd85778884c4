"""Stored sessions, for callers in any thread: list, create, rename, delete, read and change their state."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from google.genai import types

from agents.access import Action, Activity, note
from agents.ace.store.deltas import DeltaRecord
from agents.errors import NotPermittedError, SessionExistsError, SessionNotFoundError
from agents.event import Event, EventActions
from agents.log import LogEntry
from agents.pipelines.catalog import Catalog
from agents.runs.asker import Asker
from agents.runs.loops.loop_thread import LoopClosedError, LoopThread
from agents.runs.recordings.provenance import Provenance, provenance_in
from agents.runs.requests import check_state
from agents.runs.services import Services
from agents.runs.values import ListChanges, SessionKey, SessionName
from agents.runs.watch.change_watcher import ChangeWatcher
from agents.runs.watch.recent_rows import RecentRows
from agents.runs.watch.shared_log import masked, own_state
from agents.runs.watch.watch import Watching
from agents.session import GetSessionConfig, Session, session_not_found
from agents.session_list import SessionFilter, SessionSummary, SummaryPage
from agents.state import State

PAGE = 200
"""Rows that `SessionDesk.each` reads at once."""
_EVERY = SessionFilter()
_NO_EVENTS = GetSessionConfig(num_recent_events=0)


class SessionDesk:
    """The sessions that a user sees. Every method may raise `DatabaseError` and `NotPermittedError`.

    Args:
        thread: The loop in which they are read.
        services: Where the sessions and their files are.
        watching: What wakes those who watch, and the runs whose end could not be stored.
        rows: Rows of sessions that have just changed, for all users.
        catalog: The pipelines.
        stop: Stops the run of a session, by pipeline and id.
        asker: Who asks.
        is_waiting: Whether a run of a session waits for its turn.
    """

    def __init__(
        self,
        thread: LoopThread,
        services: Services,
        watching: Watching,
        rows: RecentRows,
        catalog: Catalog,
        stop: Callable[[str, str], object],
        asker: Asker,
        is_waiting: Callable[[SessionKey], bool],
    ) -> None:
        self._thread = thread
        self._service = services.sessions
        self._artifacts = services.artifacts
        self._watching = watching
        self._catalog = catalog
        self._stop = stop
        self._asker, self._rows, self._is_waiting = asker, rows, is_waiting

    def find(self, pipeline: str | None, session_id: str) -> SessionSummary | None:
        """The row of a session; None if it is not there. Without a pipeline, of the last changed session with that id.

        A session whose run ended and could not store that is "interrupted", and one whose run waits for its turn is
        "waiting"; so they are in all lists.
        """
        if pipeline is None:
            return next(iter(self.page(SessionFilter(session_id=session_id), limit=1).rows), None)
        key = self._asker.key(Action.READ_SESSION, pipeline, session_id)
        found = self._thread.read_here(self._service.summary, **key.name)
        return None if found is None else self._marked(found)

    def page(self, wanted: SessionFilter = _EVERY, *, limit: int, before: int | None = None) -> SummaryPage:
        """A page of a list of sessions, last changed first; see `BaseSessionService.page`, of those that the user sees."""
        found = self._thread.read_here(self._service.page, self._asker.shown(wanted), limit=limit, before=before)
        return replace(found, rows=tuple(map(self._marked, found.rows)))

    def each(self, wanted: SessionFilter = _EVERY) -> Iterator[SessionSummary]:
        """The rows of a list, last changed first, read page by page."""
        before: int | None = None
        while True:
            page = self.page(wanted, limit=PAGE, before=before)
            yield from page.rows
            if (before := page.next) is None:
                return

    def summaries(self, pipeline: str | None = None) -> list[SessionSummary]:
        """The rows of all sessions, or of all of one pipeline, last changed first. Pages ask for a `page` or `find` one."""
        found = self._thread.read_here(self._service.summaries, app_name=pipeline)
        return [self._marked(row) for row in found if self._asker.user.sees(row.user_id)]

    def _marked(self, found: SessionSummary) -> SessionSummary:
        key = SessionKey(found.app_name, found.id, found.user_id)
        if found.status == "running":
            return replace(found, status="interrupted") if self._watching.lost(key) else found
        return replace(found, status="waiting") if self._is_waiting(key) else found

    async def listed(self, wanted: SessionFilter = _EVERY, *, limit: int) -> SummaryPage:
        """The first page of a list, from any event loop; see `page`."""
        found = await self._thread.await_in_loop(self._service.page, self._asker.shown(wanted), limit=limit)
        return replace(found, rows=tuple(map(self._marked, found.rows)))

    async def changes(self) -> AsyncGenerator[ListChanges, None]:
        """Watches the list of sessions, whichever process changes it, from any event loop. Close the generator when done.

        Yields:
            At once that everything may have changed, then what did since the last one, until the manager is closed.
            Changes of other processes are seen within about half a second, while this one writes within two.

        Raises:
            DatabaseError: A row cannot be read.
        """
        watcher = ChangeWatcher()
        self._thread.post(self._watching.enter, watcher)
        try:
            while (changes := await self._thread.await_in_loop(self._next, watcher)) is not None:
                yield changes
        except LoopClosedError:
            return
        finally:
            self._thread.post(self._watching.leave, watcher)

    async def _next(self, watcher: ChangeWatcher) -> ListChanges | None:
        changes = await watcher.next()
        if changes is None or changes.everything:
            return None if changes is None else ListChanges(everything=True)
        seen = [key for key in changes.keys if self._asker.user.sees(key.user_id)]
        rows = {key: await self._rows.row(key, self._watching.stamp(key)) for key in seen}
        there = tuple(self._marked(row) for row in rows.values() if row is not None)
        return ListChanges(False, there, tuple(key for key, row in rows.items() if row is None))

    def create(self, pipeline: str, *, state: Mapping[str, Any] | None = None, session_id: str | None = None) -> str:
        """Creates a session with the pipeline's start state, overlaid by `state`, and returns its id.

        Raises:
            PipelineNotFoundError: There is no such pipeline.
            StateInputError: JSON cannot hold a value of `state`.
            SessionExistsError: The id is taken.
        """
        given = dict(state or {})
        check_state(given)
        self._asker.require(Action.RUN)
        self._asker.check_state(given)
        self._check_id(pipeline, session_id)
        merged = {**self._catalog.get(pipeline).card.first_state, **given}
        return self._thread.call(
            self._service.create_session,
            app_name=pipeline,
            user_id=self._asker.user.id,
            state=merged,
            session_id=session_id,
        ).id

    def add_history(self, pipeline: str, session_id: str, said: Sequence[Event]) -> None:
        """Appends to a session what was said elsewhere before it began, so that agents are sent it.

        Raises:
            SessionNotFoundError: There is no such session.
        """
        self._thread.call(self._add_history, self._asker.key(Action.RUN, pipeline, session_id), said)

    def rename(self, pipeline: str, session_id: str, title: str) -> None:
        """Gives a session a title."""
        self._thread.call(self._service.rename_session, **self._name(Action.RENAME, pipeline, session_id), title=title)

    def delete(self, pipeline: str, session_id: str) -> None:
        """Stops a session's run and deletes the session; `restore` brings it back."""
        name = self._name(Action.DELETE, pipeline, session_id)
        self._stop(pipeline, session_id)
        self._thread.call(self._service.delete_session, **name)
        self._note(Activity.DELETE, name)

    def restore(self, pipeline: str, session_id: str) -> bool:
        """Undoes `delete`; False if there is nothing to restore."""
        name = self._name(Action.DELETE, pipeline, session_id)
        restored = self._thread.call(self._service.restore_session, **name)
        if restored:
            self._note(Activity.RESTORE, name)
        return restored

    def state(self, pipeline: str, session_id: str) -> dict[str, Any]:
        """A session's state as it is stored now, all scopes, by key with its scope prefix.

        Raises:
            SessionNotFoundError: There is no such session.
        """
        key = self._asker.key(Action.READ_SESSION, pipeline, session_id)
        state = dict(self._thread.read_here(self._session, key).state)
        return own_state(state) if self._asker.has_by_link(key) else state

    def set_state(self, pipeline: str, session_id: str, delta: Mapping[str, Any]) -> None:
        """Changes a session's state by an event of the user. A run under way sees it from its next event on.

        Raises:
            StateInputError: JSON cannot hold a value.
            SessionNotFoundError: There is no such session.
        """
        changes = dict(delta)
        check_state(changes)
        self._asker.check_state(changes)
        self._thread.call(self._set_state, self._asker.key(Action.WRITE_STATE, pipeline, session_id), changes)

    def log(self, pipeline: str, session_id: str) -> list[LogEntry]:
        """A session's log from its beginning.

        Raises:
            SessionNotFoundError: There is no such session.
        """
        key = self._asker.key(Action.READ_SESSION, pipeline, session_id)
        entries = self._thread.call(self._service.read_log, **key.name)
        return masked(entries) if self._asker.has_by_link(key) else entries

    async def newest(self, pipeline: str, session_id: str, *, limit: int) -> list[LogEntry]:
        """The last entries of a session's log, in order, at most `limit`; from any event loop.

        Raises:
            SessionNotFoundError: There is no such session.
        """
        key = await self._asker.key_in_any_loop(Action.READ_SESSION, pipeline, session_id)
        entries = await self._thread.await_in_loop(self._service.read_log, **key.name, limit=limit, newest=True)
        return masked(entries) if self._asker.has_by_link(key) else entries

    async def texts(self, names: Sequence[str]) -> dict[str, str]:
        """Those of the texts that the log's records name by hash that are there; from any event loop."""
        return await self._thread.await_in_loop(self._service.read_texts, names)

    def event_number(self, pipeline: str, session_id: str, seq: int) -> int:
        """The number of an event in its session, from 1 on, or of the last event before a trace record; 0 before the first.

        Raises:
            SessionNotFoundError: There is no such session.
        """
        return self._thread.call(
            self._service.count_events, **self._name(Action.READ_SESSION, pipeline, session_id), until=seq
        )

    def artifact(self, pipeline: str, session_id: str, name: str, version: int | None = None) -> types.Part | None:
        """A file that a session's agents saved, the latest version by default; None if there is none.

        A file of the user, which is of their other sessions too, is not there for those who have the session by a link.
        """
        key = self._asker.key(Action.READ_SESSION, pipeline, session_id)
        if self._asker.has_by_link(key) and name.startswith(State.USER_PREFIX):
            return None
        return self._thread.call(
            self._artifacts.load_artifact,
            **key.name,
            filename=name,
            version=version,
        )

    def provenance(self, record: DeltaRecord) -> Provenance:
        """The origin of a delta: the query, the answer and the reflection of its run."""
        if not record.session_id:
            return Provenance(session=None)
        try:
            log = self.log(record.app_name, record.session_id)
        except (SessionNotFoundError, NotPermittedError):
            return Provenance(session=None)
        return provenance_in(log, record)

    def _check_id(self, pipeline: str, session_id: str | None) -> None:
        """Checks that nobody has a session of that id, so that an id names one session to everybody.

        Raises:
            SessionExistsError: The id is taken.
        """
        if session_id is None:
            return
        there = SessionFilter(app_name=pipeline, session_id=session_id)
        rows = self._thread.call(self._service.page, there, limit=2).rows  # one may be the user's own
        if any(row.user_id != self._asker.user.id for row in rows):
            raise SessionExistsError(f"There is already a session {session_id!r} of {pipeline!r}. Choose another id.")

    def _note(self, activity: Activity, name: SessionName) -> None:
        note(self._asker.user, activity, f"the session {name['session_id']} of {name['app_name']} ({name['user_id']})")

    def _name(self, action: Action, pipeline: str, session_id: str) -> SessionName:
        return self._asker.key(action, pipeline, session_id).name

    async def _session(self, key: SessionKey) -> Session:
        session = await self._service.get_session(**key.name, config=_NO_EVENTS)
        if session is None:
            raise session_not_found(key.pipeline, key.user_id, key.session_id)
        return session

    async def _add_history(self, key: SessionKey, said: Sequence[Event]) -> None:
        session = await self._session(key)
        for event in said:
            await self._service.append_event(session, event)

    async def _set_state(self, key: SessionKey, delta: dict[str, Any]) -> None:
        session = await self._session(key)
        await self._service.append_event(session, Event(author="user", actions=EventActions(state_delta=delta)))
