"""Watching runs: a session's news, the calls that paused runs wait for, runs whose end could not be stored."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable

from agents.access import Action
from agents.errors import DatabaseError
from agents.pipeline import Pipeline
from agents.pipelines.catalog import Catalog
from agents.runs.asker import Asker
from agents.runs.engine import RunEngine
from agents.runs.loops.loop_thread import LoopClosedError, LoopThread
from agents.runs.pending_calls import PendingCalls
from agents.runs.session_desk import SessionDesk
from agents.runs.values import LostRun, News, PendingCall, Run
from agents.runs.watch.lost_runs import lost_run_of
from agents.runs.watch.shared_log import without_shared_state
from agents.runs.watch.watch import Watching
from agents.runs.watch.watcher import Watcher
from agents.session import BaseSessionService
from agents.session_list import SessionFilter, SessionSummary


class RunViewer:
    """What a user sees of runs while they go on.

    The part of `RunManager` that shows it; the manager sets what is declared here.
    """

    catalog: Catalog
    sessions: SessionDesk
    _asker: Asker
    _desk: LoopThread
    _service: BaseSessionService
    _engine: RunEngine
    _watching: Watching
    _pending: PendingCalls

    async def subscribe(self, pipeline: str, session_id: str, *, after: int = 0) -> AsyncGenerator[News, None]:
        """Watches a session, whichever process runs it, from any event loop. Close the generator when done.

        Args:
            pipeline: The session's pipeline.
            session_id: The session.
            after: `seq` of the last entry already known; 0 for the whole log.

        Yields:
            The stored log in batches, then streamed and stored entries as they come, until the manager is closed.
            Entries come once each and in order. Entries of other processes are seen within about a second; what those
            stream is not.
            `Waiting` when runs wait for the database, `LostRun` when the session's run ended and that cannot be stored.

        Raises:
            SessionNotFoundError: There is no such session; also in the middle, when it is deleted.
            DatabaseError: The log cannot be read.
        """
        key = self._asker.key_among(self._engine.running(), pipeline, session_id)
        try:  # a session that runs here is known without the database, which may be lost at any moment
            key = key or await self._asker.key_in_any_loop(Action.READ_SESSION, pipeline, session_id)
        except LoopClosedError:
            return
        watcher = Watcher(self._service, key, after=after)
        self._desk.post(self._watching.enter, watcher)
        try:
            while news := await self._desk.await_in_loop(watcher.next):
                if self._asker.has_by_link(key):
                    self._asker.require_of(Action.READ_SESSION, key)  # the link may have ended meanwhile
                    news = [without_shared_state(item) for item in news]
                for item in news:
                    yield item
        except LoopClosedError:
            return
        finally:
            self._desk.post(self._watching.leave, watcher)

    def pending(self, pipeline: str | None = None) -> list[PendingCall]:
        """The calls that paused runs wait for, of one pipeline or all, in the order of the session list."""
        return self._pending.of(self.sessions.each(SessionFilter(app_name=pipeline, statuses=frozenset({"paused"}))))

    def pending_in(self, sessions: Iterable[SessionSummary]) -> list[PendingCall]:
        """The same, for listed sessions."""
        return self._pending.of(found for found in sessions if self._asker.user.sees(found.user_id))

    def lost_run(self, pipeline: str, session_id: str) -> LostRun | None:
        """A session's last run, if this process ran it and could not store its end; None once that is stored."""
        key = self._asker.key_among(self._watching.all_lost(), pipeline, session_id)
        return None if key is None else self._watching.lost(key)

    def runs_here(self, pipeline: str, session_id: str) -> bool:
        """Whether this process runs the session: what another one streams is seen once it is stored."""
        return self._asker.key_among(self._engine.running(), pipeline, session_id) is not None

    def loss(self, run: Run, error: DatabaseError) -> str:
        """The notice about a run whose log cannot be read: the error, and what is stored."""
        lost = self._desk.call(lost_run_of, self._service, run, error)
        return str(error) if lost is None else lost.message

    def pipeline_of(self, pipeline: str, session_id: str) -> Pipeline:
        """The pipeline as a session's run began with it; if there is no run in this process, as it is now.

        Raises:
            PipelineNotFoundError: There is no such pipeline.
            PipelineLoadError: The pipeline is broken.
        """
        key = self._asker.key_among(self._engine.running(), pipeline, session_id)
        return (None if key is None else self._engine.pipeline_of(key)) or self.catalog.get(pipeline)
