"""Stored sessions, for callers in any thread: list, create, rename, delete, read and change their state.

The part of a `RunManager` that starts no runs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from typing import Any, Concatenate, ParamSpec, TypeVar

from google.genai import types

from agents.ace.store.playbook_store import PlaybookStore
from agents.ace.store.rows import DeltaRecord
from agents.config import USER_ID
from agents.errors import SessionNotFoundError
from agents.event import Event, EventActions
from agents.log import LogEntry
from agents.pipelines.catalog import Catalog
from agents.runs.loop_thread import LoopClosedError, LoopThread
from agents.runs.provenance import Provenance, provenance_in
from agents.runs.requests import check_state
from agents.runs.services import Services
from agents.runs.watch.change_watcher import ChangeWatcher
from agents.runs.watch.watch import Watching
from agents.session import BaseSessionService, GetSessionConfig, Session, SessionSummary, session_not_found

P = ParamSpec("P")
T = TypeVar("T")
_NO_EVENTS = GetSessionConfig(num_recent_events=0)


class SessionDesk(ABC):
    """The sessions of this playground's user.

    Attributes:
        catalog: The pipelines.
    """

    catalog: Catalog
    _thread: LoopThread
    _services: Services
    _watching: Watching

    @property
    def _service(self) -> BaseSessionService:
        return self._services.sessions

    @abstractmethod
    def _stop_run(self, pipeline: str, session_id: str) -> None:
        """Stops the run of a session before it is deleted."""

    def with_services(self, work: Callable[[Services], Coroutine[Any, Any, T]]) -> T:
        """Runs `work` with what the sessions are stored with, in the manager's event loop; for `agents.experiments`."""
        return self._thread.call(work, self._services)

    def sessions(self, pipeline: str | None = None) -> list[SessionSummary]:
        """All sessions, or those of one pipeline, last changed first."""
        return self._thread.call(self._service.summaries, app_name=pipeline, user_id=USER_ID)

    async def session_changes(self) -> AsyncGenerator[None, None]:
        """Watches the list of sessions, whichever process changes it, from any event loop. Close the generator when done.

        Yields:
            None at once, then whenever `sessions` may read differently since the last one, until the manager is closed.
            Changes of other processes are seen within about half a second.
        """
        watcher = ChangeWatcher()
        self._thread.post(self._watching.enter, watcher)
        try:
            while await self._thread.await_in_loop(watcher.next):
                yield
        except LoopClosedError:
            return
        finally:
            self._thread.post(self._watching.leave, watcher)

    def create_session(self, pipeline: str, *, state: Mapping[str, Any] | None = None, session_id: str | None = None) -> str:
        """Creates a session with the pipeline's start state, overlaid by `state`, and returns its id.

        Raises:
            PipelineNotFoundError: There is no such pipeline.
            StateInputError: JSON cannot hold a value of `state`.
            SessionExistsError: The id is taken.
        """
        given = dict(state or {})
        check_state(given)
        merged = {**self.catalog.get(pipeline).card.first_state, **given}
        return self._thread.call(
            self._service.create_session, app_name=pipeline, user_id=USER_ID, state=merged, session_id=session_id
        ).id

    def rename_session(self, pipeline: str, session_id: str, title: str) -> None:
        """Gives a session a title."""
        self._thread.call(
            self._service.rename_session, app_name=pipeline, user_id=USER_ID, session_id=session_id, title=title
        )

    def delete_session(self, pipeline: str, session_id: str) -> None:
        """Stops a session's run and deletes the session; `restore_session` brings it back."""
        self._stop_run(pipeline, session_id)
        self._thread.call(self._service.delete_session, app_name=pipeline, user_id=USER_ID, session_id=session_id)

    def restore_session(self, pipeline: str, session_id: str) -> bool:
        """Undoes `delete_session`; False if there is nothing to restore."""
        return self._thread.call(self._service.restore_session, app_name=pipeline, user_id=USER_ID, session_id=session_id)

    def state(self, pipeline: str, session_id: str) -> dict[str, Any]:
        """A session's state as it is stored now, all scopes, by key with its scope prefix.

        Raises:
            SessionNotFoundError: There is no such session.
        """
        return dict(self._thread.call(self._session, pipeline, session_id).state)

    def set_state(self, pipeline: str, session_id: str, delta: Mapping[str, Any]) -> None:
        """Changes a session's state by an event of the user. A run under way sees it from its next event on.

        Raises:
            StateInputError: JSON cannot hold a value.
            SessionNotFoundError: There is no such session.
            DatabaseError: Nothing can be stored.
        """
        changes = dict(delta)
        check_state(changes)
        self._thread.call(self._set_state, pipeline, session_id, changes)

    def log(self, pipeline: str, session_id: str) -> list[LogEntry]:
        """A session's log from its beginning.

        Raises:
            SessionNotFoundError: There is no such session.
        """
        return self._thread.call(self._service.read_log, app_name=pipeline, user_id=USER_ID, session_id=session_id)

    def work(
        self,
        do: Callable[Concatenate[BaseSessionService, P], Coroutine[Any, Any, T]],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Runs a coroutine function of the session service in the manager's loop, where models' connections belong."""
        return self._thread.call(do, self._service, *args, **kwargs)

    def event_number(self, pipeline: str, session_id: str, seq: int) -> int:
        """The number of an event in its session, from 1 on, or of the last event before a trace record; 0 before the first.

        Raises:
            SessionNotFoundError: There is no such session.
        """
        name = {"app_name": pipeline, "user_id": USER_ID, "session_id": session_id}
        return self._thread.call(self._service.count_events, **name, until=seq)

    def artifact(self, pipeline: str, session_id: str, name: str, version: int | None = None) -> types.Part | None:
        """A file that a session's agents saved, the latest version by default; None if there is none.

        Raises:
            DatabaseError: It cannot be read.
        """
        return self._thread.call(
            self._services.artifacts.load_artifact,
            app_name=pipeline,
            user_id=USER_ID,
            session_id=session_id,
            filename=name,
            version=version,
        )

    def playbooks(self, name: str) -> PlaybookStore:
        """A playbook of this database, which need not exist; it lists all others, see `PlaybookStore.names`.

        Raises:
            ValueError: The name is not valid.
        """
        return self._services.playbooks.beside(name)

    def provenance(self, record: DeltaRecord) -> Provenance:
        """The origin of a delta: the query, the answer and the reflection of its run."""
        if not record.session_id:
            return Provenance(session=None)
        try:
            log = self.log(record.app_name, record.session_id)
        except SessionNotFoundError:
            return Provenance(session=None)
        return provenance_in(log, record)

    async def _session(self, pipeline: str, session_id: str) -> Session:
        session = await self._service.get_session(
            app_name=pipeline, user_id=USER_ID, session_id=session_id, config=_NO_EVENTS
        )
        if session is None:
            raise session_not_found(pipeline, USER_ID, session_id)
        return session

    async def _set_state(self, pipeline: str, session_id: str, delta: dict[str, Any]) -> None:
        session = await self._session(pipeline, session_id)
        await self._service.append_event(session, Event(author="user", actions=EventActions(state_delta=delta)))
