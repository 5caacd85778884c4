"""Background runs, for callers in any thread and any event loop.

A run outlives its caller. It lives in the manager's own loop; one of a user's package, whose code may block, in a loop and
a thread of its own.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from google.genai import types

from agents.access import OWNER, Action, User, permits
from agents.ace.gate import DeltaGate
from agents.ace.operations import REVIEW_CALL
from agents.ace.store.playbook_store import PlaybookStore
from agents.errors import DatabaseError, DatabaseReadOnlyError
from agents.pipeline import Pipeline
from agents.pipelines.catalog import BUILT_IN, Catalog
from agents.runs.asker import Asker
from agents.runs.collection.desk import CollectionDesk
from agents.runs.engine import RunEngine, RunListener
from agents.runs.last_run import LastRun, read_last_run
from agents.runs.loops.loop_thread import LoopClosedError, LoopThread, call_in_own_loop
from agents.runs.model_desk import ModelChoice, ModelDesk, is_runtimes
from agents.runs.pending_calls import PendingCalls, answer_to, call_to_answer, read_pending
from agents.runs.requests import RunRequest, check_state, user_message
from agents.runs.services import Services
from agents.runs.session_desk import SessionDesk
from agents.runs.values import LostRun, News, PendingCall, Run, SessionKey
from agents.runs.watch.lost_runs import lost_run_of
from agents.runs.watch.recent_rows import RecentRows
from agents.runs.watch.watch import Watching
from agents.runs.watch.watcher import Watcher
from agents.runtime.fault import Fault
from agents.session import BaseSessionService, SessionFilter, SessionSummary

CLOSE_SECONDS = 5.0
"""How long runs may take to end when the manager is closed."""

THREAD_SECONDS = 2.0
"""How long its thread may take after that; longer only if a tool blocks it."""

T = TypeVar("T")
Preparation = Callable[
    [BaseSessionService, Pipeline, SessionKey, ModelChoice, ModelDesk],
    Coroutine[Any, Any, tuple[Pipeline, ModelChoice]],
]
"""A function of service, pipeline, session, the models chosen, and all models with the user's preferences."""


class RunManager:
    """Runs pipelines in the background, for any number of watchers. One per process; close it at the end.

    It does what its user may do, see `agents.access.RIGHTS`; that is the owner, until `as_user` gives one for another user.
    Any method may raise `NotPermittedError`.

    Making one marks the runs that a killed process left behind as interrupted.

    Attributes:
        catalog: The pipelines.
        user: Who asks.
        models: The models, and the user's preferences.
        sessions: The sessions, one by one.
        collection: All sessions: search, tags, sizes, clean-up.

    Args:
        database: The file that keeps sessions; None keeps them in memory.
        agents_dir: A folder with more pipelines.
        catalog: The pipelines, in place of a catalog made from `agents_dir`.
        gate: Makes the gate of guarded playbooks; None for none.
        preparation: Called before a stored session is run, with its pipeline and the models chosen; what it returns is
            run. None runs them as they are.

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
        preparation: Preparation | None = None,
    ) -> None:
        self.catalog = Catalog(agents_dir) if catalog is None else catalog
        self._preparation = preparation
        self._thread = LoopThread("playground-runs")
        self._desk = LoopThread(
            "playground-desk"
        )  # a run that takes long in the loop of the runs must not delay what is read
        try:
            self._desk.call(self._open, database)
            self._thread.call(self._open_engine, gate)
            self._bind(OWNER)
        except BaseException:
            self._thread.close(timeout=THREAD_SECONDS)
            self._desk.close(timeout=THREAD_SECONDS)
            raise

    async def _open(self, database: Path | None) -> None:
        self._services = Services(database)
        self._service = self._services.sessions
        self._pending = PendingCalls(self._desk, self._service)
        try:
            with suppress(DatabaseReadOnlyError):  # what is in it can still be read
                await self._service.recover()
            self._models = ModelDesk(self._thread, self._service, self._services.preferences)
        except BaseException:
            await self._services.close()
            raise
        self._watching = Watching(self._service)
        self._rows = RecentRows(self._service)

    async def _open_engine(self, gate: Callable[[Catalog, Services], DeltaGate] | None) -> None:
        made = None if gate is None else gate(self.catalog, self._services)
        self._engine = RunEngine(self._service, self._services.artifacts, self._watching, made)

    def as_user(self, user: User) -> RunManager:
        """This manager as another user may use it. Cheap: it shares everything with this one, which closes it."""
        bound = copy(self)
        bound._bind(user)
        return bound

    @property
    def user(self) -> User:
        """Who asks."""
        return self._asker.user

    def key(self, action: Action, pipeline: str, session_id: str) -> SessionKey:
        """The key of a session, by whosoever it is; see `Asker.key`."""
        return self._asker.key(action, pipeline, session_id)

    def require(self, action: Action) -> None:
        """Checks a right that is no session's.

        Raises:
            NotPermittedError: The user does not have it.
        """
        self._asker.require(action)

    def _bind(self, user: User) -> None:
        self._asker = Asker(user, self._desk, self._service)
        self.models = self._models.as_user(user)
        self.sessions = SessionDesk(
            self._desk, self._services, self._watching, self._rows, self.catalog, self.stop, self._asker
        )
        self.collection = CollectionDesk(self._desk, self._service, self._services.collection, self.stop, self._asker)

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
        files: Sequence[types.Part] = (),
        owns_playbook: bool = False,
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
            files: Pictures and documents that go with the message, as parts with `inline_data`.
            owns_playbook: Whether the session's playbook is its own, so that its settings decide how that is refined.

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
        if files:
            self.require(Action.UPLOAD)
        content = user_message(message, files)
        given = dict(state or {})
        check_state(given)
        chosen = ModelChoice(model, agent_models, simulated_speed)
        if owns_playbook:
            self.require(Action.EDIT_PLAYBOOK)
        return self._start(
            pipeline, content, session_id, chosen, state=given, faults=tuple(faults), owns_playbook=owns_playbook
        )

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
        last: LastRun = self._desk.call(read_last_run, self._service, self.key(Action.RUN, pipeline, session_id))
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
        key = self.key(Action.ANSWER, pipeline, session_id)
        call = call_to_answer(call_id, self._desk.call(read_pending, self._service, key))
        if call.tool == REVIEW_CALL:
            self.require(Action.APPROVE)
        last = self._desk.call(read_last_run, self._service, key)
        chosen = last.models_unless(model, agent_models)
        return self._start(pipeline, answer_to(call, response), session_id, chosen, invocation_id=call.invocation_id)

    def pending(self, pipeline: str | None = None) -> list[PendingCall]:
        """The calls that paused runs wait for, of one pipeline or all, in the order of the session list."""
        return self._pending.of(self.sessions.each(SessionFilter(app_name=pipeline, statuses=frozenset({"paused"}))))

    def pending_in(self, sessions: Iterable[SessionSummary]) -> list[PendingCall]:
        """The same, for listed sessions."""
        return self._pending.of(found for found in sessions if self.user.sees(found.user_id))

    def stop(self, pipeline: str, session_id: str, *, timeout: float = 5.0) -> bool:
        """Stops a session's run: cancels model call and tools at once, and returns when its log is complete.

        Args:
            pipeline: The session's pipeline.
            session_id: The session.
            timeout: Most seconds to wait.

        Returns:
            False if this process does not run the session.

        Raises:
            RunInProgressError: The run did not end in time; one of a user's package does, whatever its code does.
            DatabaseError: It ended, but this could not be stored; it is marked as interrupted as soon as possible.
        """
        key = self._asker.key_among(self._engine.running(), pipeline, session_id)
        if key is None:
            return False
        self._asker.require(Action.STOP, of=key.user_id)
        return self._thread.call(self._engine.stop, key, within=timeout)

    def lost_run(self, pipeline: str, session_id: str) -> LostRun | None:
        """A session's last run, if this process ran it and could not store its end; None once that is stored."""
        key = self._asker.key_among(self._watching.all_lost(), pipeline, session_id)
        return None if key is None else self._watching.lost(key)

    def loss(self, run: Run, error: DatabaseError) -> str:
        """The notice about a run whose log cannot be read: the error, and what is stored."""
        lost = self._desk.call(lost_run_of, self._service, run, error)
        return str(error) if lost is None else lost.message

    def make_database(self) -> None:
        """Creates an empty database if the one in use was moved or deleted; an existing one is only opened.

        Raises:
            DatabaseError: It cannot be used.
        """
        self.require(Action.USE_SERVICES)
        self._desk.call(self._service.open)

    def is_running(self, pipeline: str, session_id: str) -> bool:
        """Whether this process runs the session."""
        return self._asker.key_among(self._engine.running(), pipeline, session_id) is not None

    def pipeline_of(self, pipeline: str, session_id: str) -> Pipeline:
        """The pipeline as a session's run began with it; if there is no run in this process, as it is now.

        Raises:
            PipelineNotFoundError: There is no such pipeline.
            PipelineLoadError: The pipeline is broken.
        """
        key = self._asker.key_among(self._engine.running(), pipeline, session_id)
        return (None if key is None else self._engine.pipeline_of(key)) or self.catalog.get(pipeline)

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
        key = self._asker.key_among(self._engine.running(), pipeline, session_id)
        try:  # a session that runs here is known without the database, which may be lost at any moment
            key = key or await self._asker.key_in_any_loop(Action.READ_SESSION, pipeline, session_id)
        except LoopClosedError:
            return
        watcher = Watcher(self._service, key, after=after)
        self._desk.post(self._watching.enter, watcher)
        try:
            while news := await self._desk.await_in_loop(watcher.next):
                for item in news:
                    yield item
        except LoopClosedError:
            return
        finally:
            self._desk.post(self._watching.leave, watcher)

    def playbooks(self, name: str) -> PlaybookStore:
        """A playbook of this database, which need not exist; it lists all others, see `PlaybookStore.names`.

        Raises:
            ValueError: The name is not valid.
        """
        self.require(Action.READ_PLAYBOOK)
        return self._services.playbooks.beside(name, user=self.user)

    def work(self, do: Callable[[Services], Coroutine[Any, Any, T]], *, action: Action = Action.USE_SERVICES) -> T:
        """Runs a coroutine function of the services in a loop and a thread of its own, since it may run users' agents.

        Args:
            do: The function. The services check no rights: it does what `action` says, to sessions that `key` permits.
            action: What it does.
        """
        self.require(action)
        return call_in_own_loop("playground-work", do, self._services)

    def in_store(self, do: Callable[[Services], Coroutine[Any, Any, T]], *, action: Action = Action.USE_SERVICES) -> T:
        """The same for what reads or writes sessions and calls no model: it does not wait for what agents do."""
        self.require(action)
        return self._desk.call(do, self._services)

    def listen(self, listener: RunListener) -> None:
        """Tells a listener of each run that ends, until the manager is closed."""
        self._engine.listeners.append(listener)

    def close(self) -> bool:
        """Stops all runs, ends all subscriptions and the thread, and closes the database. May be called again.

        Returns:
            Whether everything ended; False if a tool still blocks a thread.
        """
        ended = True
        with suppress(LoopClosedError):
            self._thread.call(self._engine.close, within=CLOSE_SECONDS)
            for listener in self._engine.listeners:
                listener.close()
            ended = self._thread.call(self._engine.close, within=CLOSE_SECONDS)  # those that began meanwhile
            self._desk.call(self._shut_down)
        ended = self._thread.close(timeout=THREAD_SECONDS) and ended
        return self._desk.close(timeout=THREAD_SECONDS) and ended

    async def _shut_down(self) -> None:
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
        owns_playbook: bool = False,
    ) -> Run:
        found = self.catalog.get(pipeline)
        given = dict(state or {})
        self._asker.check_state(given)
        key = None
        if session_id is None:
            self.require(Action.RUN)
        else:
            key = self.key(Action.RUN, pipeline, session_id)
        return self._thread.call(self._begin, found, message, key, models, given, faults, invocation_id, owns_playbook)

    async def _begin(
        self,
        pipeline: Pipeline,
        message: types.Content | None,
        key: SessionKey | None,
        models: ModelChoice,
        state: dict[str, Any],
        faults: tuple[Fault, ...],
        invocation_id: str | None,
        owns_playbook: bool,
    ) -> Run:
        if self._preparation is not None and key is not None:
            pipeline, models = await self._preparation(self._service, pipeline, key, models, self.models)
        model, by_agent = await self.models.for_run(pipeline, models, session=key, invocation_id=invocation_id)
        request = RunRequest(
            pipeline,
            message,
            model,
            None if key is None else key.session_id,
            state,
            faults,
            invocation_id,
            by_agent,
            user_id=self.user.id if key is None else key.user_id,
            owns_playbook=owns_playbook,
            needs_approval=not permits(self.user, Action.EDIT_PLAYBOOK),
            is_foreign=pipeline.name not in BUILT_IN or not all(map(is_runtimes, (model, *by_agent.values()))),
        )
        return await self._engine.start(request)
