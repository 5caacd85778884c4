"""Background runs, for callers in any thread and any event loop.

A run lives in the manager's own loop and outlives its caller.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from google.genai import types

from agents.ace.gate import DeltaGate
from agents.ace.store.playbook_store import PlaybookStore
from agents.errors import DatabaseError
from agents.pipeline import Pipeline
from agents.pipelines.catalog import Catalog
from agents.runs.collection.desk import CollectionDesk
from agents.runs.engine import RunEngine, RunListener
from agents.runs.last_run import LastRun, read_last_run
from agents.runs.loop_thread import LoopClosedError, LoopThread
from agents.runs.losses import loss_of
from agents.runs.model_desk import ModelChoice, ModelDesk
from agents.runs.pending_calls import PendingCalls, answer_to, call_to_answer, read_pending
from agents.runs.requests import RunRequest, check_state, user_message
from agents.runs.services import Services
from agents.runs.session_desk import SessionDesk
from agents.runs.values import LostRun, News, PendingCall, Run, SessionKey
from agents.runs.watch.watch import Watching
from agents.runs.watch.watcher import Watcher
from agents.runtime.fault import Fault
from agents.session import BaseSessionService, SessionSummary

CLOSE_SECONDS = 5.0
"""How long runs may take to end when the manager is closed."""

THREAD_SECONDS = 2.0
"""How long its thread may take after that; longer only if a tool blocks it."""

T = TypeVar("T")
Preparation = Callable[[BaseSessionService, Pipeline, str, ModelChoice], Coroutine[Any, Any, tuple[Pipeline, ModelChoice]]]
"""A function of service, pipeline, session id and models."""


class RunManager:
    """Runs pipelines in the background, for any number of watchers. One per process; close it at the end.

    Making one marks the runs that a killed process left behind as interrupted.

    Attributes:
        catalog: The pipelines.
        models: The models, and the user's preferences.
        sessions: The sessions, one by one.
        collection: All sessions: search, tags, sizes, clean-up.
        large: Large changes of playbooks, made by processes of their own; None without a file.
        preparation: Called before a stored session is run, with its pipeline and the models chosen; what it returns is
            run. None runs them as they are.

    Args:
        database: The file that keeps sessions; None keeps them in memory.
        agents_dir: A folder with more pipelines.
        catalog: The pipelines, in place of a catalog made from `agents_dir`.
        gate: Makes the gate of guarded playbooks; None for none.

    Raises:
        DatabaseError: The file cannot be used.
        PipelineNotFoundError: There is no such folder, or it cannot be read.
    """

    def __init__(
        self,
        *,
        database: Path | None,
        agents_dir: Path | None = None,
        catalog: Catalog | None = None,
        gate: Callable[[Catalog, Services], DeltaGate] | None = None,
    ) -> None:
        self.catalog = Catalog(agents_dir) if catalog is None else catalog
        self.preparation: Preparation | None = None
        self._thread = LoopThread("playground-runs")
        try:
            self._thread.call(self._open, database, gate)
        except BaseException:
            self._thread.close(timeout=THREAD_SECONDS)
            raise

    async def _open(self, database: Path | None, gate: Callable[[Catalog, Services], DeltaGate] | None) -> None:
        self._services = Services(database)
        self._service = self._services.sessions
        self._pending = PendingCalls(self._thread, self._service)
        self.large = self._services.large
        try:
            await self._service.recover()
            self.models = ModelDesk(self._thread, self._service, self._services.preferences)
        except BaseException:
            await self._services.close()
            raise
        self._watching = Watching(self._service)
        self.sessions = SessionDesk(self._thread, self._services, self._watching, self.catalog, self.stop)
        self.collection = CollectionDesk(self._thread, self._service, self._services.collection, self.stop)
        made = None if gate is None else gate(self.catalog, self._services)
        self._engine = RunEngine(self._service, self._services.artifacts, self._watching, made)

    def start(
        self,
        pipeline: str,
        message: str,
        *,
        session_id: str | None = None,
        model: str | None = None,
        agent_models: Mapping[str, str] | None = None,
        state: Mapping[str, Any] | None = None,
        faults: Sequence[Fault] = (),
        simulated_speed: float | None = None,
    ) -> Run:
        """Starts a run and returns once its first event is stored.

        Args:
            pipeline: The pipeline's name.
            message: The user's message; also written to the state key that the pipeline names for it.
            session_id: The session to continue; None starts a new one, with the pipeline's start state.
            model: Name of the model for agents that name none; the user's preference by default.
            agent_models: Names of models of single agents, by the agent's name; the user's preferences by default.
            state: State to set, by key with its scope prefix.
            faults: Faults to inject.
            simulated_speed: Words a second of simulated and replayed models, 0 = at once; the user's preference by default.

        Raises:
            PipelineNotFoundError: There is no such pipeline.
            PipelineLoadError: The pipeline is broken.
            ModelNotFoundError: No provider has a model of that name.
            MessageError: The message is empty, too long, or not text.
            StateInputError: JSON cannot hold a value of `state`.
            SessionNotFoundError: There is no such session.
            RunInProgressError: The session is being run.
            DatabaseError: Nothing can be stored.
        """
        content = user_message(message)
        given = dict(state or {})
        check_state(given)
        chosen = ModelChoice(model, agent_models, simulated_speed)
        return self._start(pipeline, content, session_id, chosen, state=given, faults=tuple(faults))

    def rerun(
        self,
        pipeline: str,
        session_id: str,
        *,
        model: str | None = None,
        agent_models: Mapping[str, str] | None = None,
        faults: Sequence[Fault] = (),
    ) -> Run:
        """Runs a session's last user message again, as a new run of the session.

        Args:
            pipeline: The session's pipeline.
            session_id: The session.
            model: As for `start`; by default the model of the session's last run.
            agent_models: As for `start`; by default those of the last run.
            faults: As for `start`.

        Raises:
            MessageError: The session has no message yet.
            PlaygroundError: As for `start`.
        """
        last: LastRun = self._thread.call(read_last_run, self._service, SessionKey(pipeline, session_id))
        chosen = last.models_unless(model, agent_models)
        return self._start(pipeline, last.message, session_id, chosen, faults=tuple(faults))

    def resume(
        self,
        pipeline: str,
        session_id: str,
        invocation_id: str,
        *,
        model: str | None = None,
        agent_models: Mapping[str, str] | None = None,
        faults: Sequence[Fault] = (),
    ) -> Run:
        """Runs the rest of a run whose log was cut, as that of a fork is, and returns once the run has begun.

        Args:
            pipeline: The session's pipeline.
            session_id: The session.
            invocation_id: Its last run.
            model: As for `start`.
            agent_models: As for `start`.
            faults: As for `start`.

        Raises:
            PlaygroundError: As for `start`.
        """
        chosen = ModelChoice(model, agent_models)
        return self._start(pipeline, None, session_id, chosen, faults=tuple(faults), invocation_id=invocation_id)

    def answer(
        self,
        pipeline: str,
        session_id: str,
        call_id: str,
        response: Mapping[str, Any],
        *,
        model: str | None = None,
        agent_models: Mapping[str, str] | None = None,
    ) -> Run:
        """Answers a call that a paused run waits for, and resumes the run.

        Args:
            pipeline: The session's pipeline.
            session_id: The session.
            call_id: The call, as in `PendingCall`.
            response: The answer. For a confirmation `{"confirmed": bool}`, and perhaps "reason" and edited "args".
            model: As for `start`; by default the model that the run started with.
            agent_models: As for `start`; by default those that it started with.

        Raises:
            AnswerError: The call does not wait for an answer, or JSON cannot hold the answer.
            PlaygroundError: As for `start`.
        """
        key = SessionKey(pipeline, session_id)
        call = call_to_answer(call_id, self._thread.call(read_pending, self._service, key))
        last = self._thread.call(read_last_run, self._service, key)
        chosen = last.models_unless(model, agent_models)
        return self._start(pipeline, answer_to(call, response), session_id, chosen, invocation_id=call.invocation_id)

    def pending(self, pipeline: str | None = None) -> list[PendingCall]:
        """The calls that paused runs wait for, of one pipeline or all, in the order of the session list."""
        return self._pending.of(self.sessions.summaries(pipeline))

    def pending_in(self, sessions: Iterable[SessionSummary]) -> list[PendingCall]:
        """The same, for listed sessions."""
        return self._pending.of(sessions)

    def stop(self, pipeline: str, session_id: str, *, timeout: float = 5.0) -> bool:
        """Stops a session's run: cancels model call and tools at once, and returns when its log is complete.

        Args:
            pipeline: The session's pipeline.
            session_id: The session.
            timeout: Most seconds to wait.

        Returns:
            False if this process does not run the session.

        Raises:
            RunInProgressError: The run did not end in time.
            DatabaseError: It ended, but this could not be stored; it is marked as interrupted as soon as possible.
        """
        return self._thread.call(self._engine.stop, SessionKey(pipeline, session_id), within=timeout)

    def lost_run(self, pipeline: str, session_id: str) -> LostRun | None:
        """A session's last run, if this process ran it and could not store its end; None once that is stored."""
        return self._watching.lost(SessionKey(pipeline, session_id))

    def loss(self, run: Run, error: DatabaseError) -> str:
        """The notice about a run whose log cannot be read: the error, and what is stored."""
        lost = self._thread.call(loss_of, self._service, run, error)
        return str(error) if lost is None else lost.message

    def make_database(self) -> None:
        """Creates an empty database if the one in use was moved or deleted; an existing one is only opened.

        Raises:
            DatabaseError: It cannot be used.
        """
        self._thread.call(self._service.open)

    def is_running(self, pipeline: str, session_id: str) -> bool:
        """Whether this process runs the session."""
        return self._engine.is_running(SessionKey(pipeline, session_id))

    async def subscribe(self, pipeline: str, session_id: str, *, after: int = 0) -> AsyncGenerator[News, None]:
        """Watches a session, whichever process runs it, from any event loop. Close the generator when done.

        Args:
            pipeline: The session's pipeline.
            session_id: The session.
            after: `seq` of the last entry already known; 0 for the whole log.

        Yields:
            The stored log in batches, then streamed and stored entries as they come, until the manager is closed.
            Entries come once each and in order. Entries of other processes are seen within about a second.
            `Waiting` when runs wait for the database, `LostRun` when the session's run ended and that cannot be stored.

        Raises:
            SessionNotFoundError: There is no such session; also in the middle, when it is deleted.
            DatabaseError: The log cannot be read.
        """
        watcher = Watcher(self._service, SessionKey(pipeline, session_id), after=after)
        self._thread.post(self._watching.enter, watcher)
        try:
            while news := await self._thread.await_in_loop(watcher.next):
                for item in news:
                    yield item
        except LoopClosedError:
            return
        finally:
            self._thread.post(self._watching.leave, watcher)

    def playbooks(self, name: str) -> PlaybookStore:
        """A playbook of this database, which need not exist; it lists all others, see `PlaybookStore.names`.

        Raises:
            ValueError: The name is not valid.
        """
        return self._services.playbooks.beside(name)

    def work(self, do: Callable[[Services], Coroutine[Any, Any, T]]) -> T:
        """Runs a coroutine function of the services in the manager's loop, where models' connections belong."""
        return self._thread.call(do, self._services)

    def listen(self, listener: RunListener) -> None:
        """Tells a listener of each run that ends, until the manager is closed."""
        self._engine.listeners.append(listener)

    def close(self) -> bool:
        """Stops all runs, ends all subscriptions and the thread, and closes the database. May be called again.

        Returns:
            Whether everything ended; False if a tool still blocks a thread.
        """
        with suppress(LoopClosedError):
            self._thread.call(self._engine.close, within=CLOSE_SECONDS)
            for listener in self._engine.listeners:
                listener.close()
            self._thread.call(self._shut_down)
        return self._thread.close(timeout=THREAD_SECONDS)

    async def _shut_down(self) -> None:
        await self._engine.close(within=CLOSE_SECONDS)  # runs that began meanwhile
        self._watching.close()
        await self._services.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _start(
        self,
        pipeline: str,
        message: types.Content | None,
        session_id: str | None,
        models: ModelChoice,
        *,
        state: Mapping[str, Any] | None = None,
        faults: tuple[Fault, ...] = (),
        invocation_id: str | None = None,
    ) -> Run:
        found = self.catalog.get(pipeline)
        return self._thread.call(self._begin, found, message, session_id, models, dict(state or {}), faults, invocation_id)

    async def _begin(
        self,
        pipeline: Pipeline,
        message: types.Content | None,
        session_id: str | None,
        models: ModelChoice,
        state: dict[str, Any],
        faults: tuple[Fault, ...],
        invocation_id: str | None,
    ) -> Run:
        if self.preparation is not None and session_id is not None:
            pipeline, models = await self.preparation(self._service, pipeline, session_id, models)
        model, by_agent = await self.models.for_run(pipeline, models, session_id=session_id, invocation_id=invocation_id)
        request = RunRequest(pipeline, message, model, session_id, state, faults, invocation_id, by_agent)
        return await self._engine.start(request)
