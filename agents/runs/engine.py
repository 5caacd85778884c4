"""Runs of one process, inside one event loop. `manager.py` brings callers from other threads here.

A run is a task that drives a `Runner`. Watchers read what it stores from the log; what it streams goes through the
session's channel.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
import uuid
from collections.abc import Coroutine, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from google.genai import types

from agents.ace.gate import DeltaGate
from agents.artifact import BaseArtifactService
from agents.errors import (
    DatabaseError,
    PersonError,
    PlaygroundError,
    RunEndedError,
    RunInProgressError,
    SessionNotFoundError,
)
from agents.flows.resume import answers_in
from agents.log import EVENT_KIND
from agents.models.connections import redact
from agents.pipeline import Pipeline
from agents.records import RunStarted
from agents.runner import Runner
from agents.runs.limits.queue import RunQueue
from agents.runs.limits.use_desk import UseDesk
from agents.runs.loops.own_loops import OwnLoops, OwnRun
from agents.runs.loops.thread_end import ThreadEnded
from agents.runs.requests import RunRequest, text_of
from agents.runs.values import LostRun, Run, RunLoad, SessionKey
from agents.runs.watch.lost_runs import lost_run_of
from agents.runs.watch.watch import Live, Watching
from agents.runs.workers.hearing import hear
from agents.runs.workers.orders import RunOrder, WorkPlace
from agents.runs.workers.workers import WorkerRun, Workers
from agents.runtime.context import RunConfig, StreamingMode, new_invocation_id
from agents.runtime.run_config import UNLIMITED
from agents.scope import Scope, current_scope
from agents.session import BaseSessionService, GetSessionConfig, session_not_found
from agents.storage.memory import InMemoryMemoryService
from agents.storage.use.store import Place

BEGIN_SECONDS = 30.0
"""How long a run may take to claim its session and to store its first event."""

LOOK_SECONDS = 0.5
"""Seconds between two looks at the log of a run that has not begun, unless something says that it grew."""

ENDING_SECONDS = 0.25
"""How long a new run waits for one that has stored its last entry but still holds the session."""

THREADS_SECONDS = 1.0
"""How long threads of stopped runs may take to end, when all runs are stopped."""

MEND_SECONDS = 1.0
"""Pause between attempts to mark a run whose end could not be stored. Shorter than the time after which a storage forgets
its outage, so that each attempt fails at once and does not wait."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class ActiveRun:
    """A run of this process that has not ended.

    Attributes:
        pipeline: What it runs, also once its files have changed.
        invocation_id: The run.
        news: Set when the session's log grows, until the run has begun, and when the run ends.
        begun: Whether its first entry is stored.
        task: Drives the run; None until it is made.
        error: What ended the run.
        lost: The notice for watchers, if its end could not be stored.
        stopping: Whether it was told to stop; a second time would disturb the writing of its last entries.
        ended: Whether it is over and has released the session.
    """

    pipeline: Pipeline
    invocation_id: str
    news: asyncio.Event = field(default_factory=asyncio.Event)
    begun: bool = False
    task: asyncio.Task[None] | None = None
    error: Exception | None = None
    lost: LostRun | None = None
    stopping: bool = False
    ended: bool = False

    def cancel(self) -> None:
        """Tells the run to stop, once."""
        if self.task is not None and not self.stopping:
            self.stopping = True
            self.task.cancel()


class RunListener(Protocol):
    """Is told of each run that this process ran."""

    def ended(self, run: Run) -> None:
        """A run has ended, or paused. Called in the event loop: it returns at once."""

    def close(self) -> None:
        """All runs have ended, and the database is still open. Called outside of the event loop."""


class RunEngine:
    """Starts and stops runs.

    Attributes:
        listeners: Told of each run that ends.
        place: Where worker processes work; None if there are none.
        is_draining: Whether no more runs are begun, since the process is about to end.

    Args:
        service: Where sessions are.
        artifacts: Where agents save files.
        watching: Receives what runs stream.
        gate: Tries what is learned before it is committed; None for no gate.
        place: Where worker processes do the runs that are ordered of them; None if there are none.
        use: Counts what runs of others than the owner use; None for no limits.
        queue: Where they wait for their turn; None for no queue.
    """

    def __init__(
        self,
        service: BaseSessionService,
        artifacts: BaseArtifactService,
        watching: Watching,
        gate: DeltaGate | None = None,
        place: WorkPlace | None = None,
        *,
        use: UseDesk | None = None,
        queue: RunQueue | None = None,
    ) -> None:
        self._use, self._queue = use, queue
        self._service = service
        self._artifacts = artifacts
        self._memory = InMemoryMemoryService()
        self._watching = watching
        self.listeners: list[RunListener] = []
        self._gate = gate
        self.is_draining = False
        self._active: dict[SessionKey, ActiveRun] = {}
        self._mending: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._own_loops = OwnLoops()
        self.place = place
        self._workers = None if place is None else Workers(place)
        service.add_listener(self._on_commit)

    def _on_commit(self, app_name: str, user_id: str, session_id: str, _last_seq: int) -> None:
        """The listener of the service; called in the thread that did the work."""
        active = self._active.get(SessionKey(app_name, session_id, user_id))
        if active is not None and not active.begun:
            with suppress(RuntimeError):  # the loop was closed
                self._loop.call_soon_threadsafe(active.news.set)

    async def start(self, request: RunRequest) -> Run:
        """Starts a run and returns once its first event is stored, or it waits for its turn; see `RunManager.start`."""
        if self.is_draining:
            raise PersonError("This server is about to end, and begins no more runs. Send the message again in a minute.")
        if request.queued is None or self._queue is None:
            return await self._start(request, None)
        session_id, invocation_id = request.session_id or str(uuid.uuid4()), request.invocation_id or new_invocation_id()
        place = await self._queue.enter(replace(request.queued, session_id=session_id, invocation_id=invocation_id))
        try:
            return await self._start(replace(request, new_id=session_id, invocation_id=invocation_id), place)
        except PlaygroundError:  # also if it has begun: then the end of its task does the same
            await self._queue.leave(place)
            raise

    async def _start(self, request: RunRequest, place: Place | None) -> Run:
        key, after = await self._session_for(request)
        if (ending := self._active.get(key)) is not None and ending.task is not None:
            await asyncio.wait({ending.task}, timeout=ENDING_SECONDS)
        if key in self._active:
            raise RunInProgressError(
                f"Session {key.session_id!r} of {key.pipeline!r} is being run already, and a session runs one message at a "
                "time. Wait for the run to end or stop it, then send the message again; or use a new session."
            )
        run = Run(
            key.pipeline,
            key.session_id,
            request.invocation_id or new_invocation_id(),
            request.model.model,
            key.user_id,
            after,
        )
        active = self._active[key] = ActiveRun(request.pipeline, run.invocation_id)
        live = self._watching.begin(key)
        work = self._driven(run, request, live, active)
        work = work if place is None else self._in_turn(place, run, request, work, active)
        active.task = asyncio.create_task(work, name=f"run {run.invocation_id}")
        active.task.add_done_callback(lambda task: self._ended(run, live, active, task))
        if place is not None and not place.started:
            await self._entitle(key, request.message)
            return run
        await self._begun(run, active, RunStarted.kind if request.message is None else EVENT_KIND)
        active.begun = True
        return run

    async def stop(self, key: SessionKey, *, within: float) -> bool:
        """Stops a session's run; see `RunManager.stop`."""
        active = self._active.get(key)
        if active is None or active.task is None:
            return False
        active.cancel()
        done, _ = await asyncio.wait({active.task}, timeout=within)
        if not done:
            raise RunInProgressError(
                f"The run of session {key.session_id!r} of {key.pipeline!r} was told to stop, but did not end within "
                f"{within:g} s: a model or a tool ignores it. Restart the playground to end it now."
            )
        if active.lost is not None:
            raise DatabaseError(active.lost.message)
        return True

    async def take_out(self, key: SessionKey) -> RunOrder | None:
        """Takes a run that waits for its turn on another server out of the queue; see `RunQueue.take_out`."""
        return None if self._queue is None else await self._queue.take_out(key)

    async def keep_message(self, key: SessionKey, request: RunRequest, invocation_id: str) -> None:
        """Stores the message of a run that was stopped before it began, and that it was stopped.

        An answer to a call is not kept: the call waits on.
        """
        try:
            await self._keep_message(key, request, invocation_id)
        except PlaygroundError as error:
            _log.warning("The message of run %s, which waited, cannot be kept: %s", invocation_id, redact(str(error)))

    async def _keep_message(self, key: SessionKey, request: RunRequest, invocation_id: str) -> None:
        if request.message is None or answers_in(request.message):
            return
        runner = Runner(app_name=key.pipeline, agent=request.pipeline.root_agent, session_service=self._service)
        events = runner.run_async(
            user_id=key.user_id,
            session_id=key.session_id,
            new_message=request.message,
            state_delta=request.state_delta,
            run_config=_config_for(request, None),
            invocation_id=invocation_id,
            yield_user_message=True,
        )
        async with aclosing(events):
            await anext(events)

    def cancel(self, key: SessionKey, invocation_id: str) -> None:
        """Tells a run to stop, if this process runs it, and returns at once."""
        if (active := self._active.get(key)) is not None and active.invocation_id == invocation_id:
            active.cancel()

    def pipeline_of(self, key: SessionKey) -> Pipeline | None:
        """What this process runs in the session. Call it from any thread."""
        active = self._active.get(key)
        return None if active is None else active.pipeline

    def is_waiting(self, key: SessionKey) -> bool:
        """Whether a run of the session waits for its turn, here or on another server. Call it from any thread."""
        return self._queue is not None and key in self._queue.waiting

    @property
    def load(self) -> RunLoad:
        """How much this process does now. Call it from any thread."""
        waiting = 0 if self._workers is None else self._workers.waiting
        return RunLoad(at_work=len(self._active) - waiting, waiting=waiting)

    def running(self) -> list[SessionKey]:
        """The sessions that this process runs. Call it from any thread."""
        return list(self._active)

    async def close(self, *, within: float) -> bool:
        """Stops all runs; False if threads of some are left, since their code does not end."""
        self._service.remove_listener(self._on_commit)
        if self._queue is not None:
            await self._queue.close()
        if self._mending is not None:
            self._mending.cancel()
        tasks = [active.task for active in self._active.values() if active.task is not None]
        for active in list(self._active.values()):
            active.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=within)
        if self._workers is not None:
            await self._workers.close()
        return await self._own_loops.close(within=THREADS_SECONDS)

    async def _session_for(self, request: RunRequest) -> tuple[SessionKey, int]:
        """The session to run, created if the request names none, and `seq` of its last entry."""
        name = request.pipeline.name
        if request.session_id is None:
            session = await self._service.create_session(
                app_name=name, user_id=request.user_id, state=request.start_state, session_id=request.new_id
            )
        else:
            session = await self._service.get_session(
                app_name=name,
                user_id=request.user_id,
                session_id=request.session_id,
                config=GetSessionConfig(num_recent_events=0),
            )
        if session is None:
            raise session_not_found(name, request.user_id, request.session_id or "")
        return SessionKey(name, session.id, request.user_id), session.last_seq

    async def _entitle(self, key: SessionKey, message: types.Content | None) -> None:
        """Gives an untitled session the title that the message of a waiting run will give it."""
        row = None if message is None else await self._service.summary(**key.name)
        if message is not None and row is not None and not row.title:
            await self._service.rename_session(**key.name, title=text_of(message))

    async def _in_turn(
        self, place: Place, run: Run, request: RunRequest, work: Coroutine[Any, Any, None], active: ActiveRun
    ) -> None:
        """Does a run once it is its turn. What it was to do is kept if it is stopped before."""
        assert self._queue is not None
        held = place
        try:
            held = await self._queue.turn(place)
            await work
        finally:
            work.close()  # of a run that was stopped while it waited
            left = await self._queue.leave(held)
            if left and active.stopping and not await self._has_begun(run, RunStarted.kind):
                await self.keep_message(run.key, request, run.invocation_id)
        if not place.started and active.error is not None and not await self._has_begun(run, RunStarted.kind):
            active.lost = active.lost or LostRun(run.invocation_id, str(active.error))  # `start` has returned long since

    async def _driven(self, run: Run, request: RunRequest, live: Live, active: ActiveRun) -> None:
        if request.order is not None:
            await self._ordered(run, request.order, request, live, active)
            return
        drive = partial(self._drive, run, request, live, active, current_scope())
        if not request.is_foreign:
            await drive()
            return
        revoke = partial(self._revoke, run, active)
        await self._own_loops.run(OwnRun(run.pipeline, request.pipeline.folder, drive, revoke, live.tell))

    async def _ordered(self, run: Run, order: RunOrder, request: RunRequest, live: Live, active: ActiveRun) -> None:
        """Lets a worker process do the run."""
        assert self._workers is not None
        seconds = _config_for(request, None).max_seconds
        try:
            ended = await self._workers.run(
                WorkerRun(
                    replace(order, session_id=run.session_id, invocation_id=run.invocation_id, state=request.state_delta),
                    seconds if seconds > UNLIMITED else None,
                    partial(hear, self._service, run, live),
                    live.tell,
                    partial(self._revoke, run, active),
                )
            )
        except PlaygroundError as error:
            _report(run, error)
            active.error = error
        else:
            active.error = PlaygroundError(ended.problem) if ended.problem else None
        if active.error is not None and active.lost is None:
            active.lost = await lost_run_of(self._service, run, active.error)

    def _config_for(self, request: RunRequest) -> RunConfig:
        config = _config_for(request, self._gate)
        if request.is_limited and self._use is not None:
            config.allowance = partial(asyncio.to_thread, self._use.allow_call, request.user_id)
        return config

    async def _revoke(self, run: Run, active: ActiveRun, ending: Mapping[str, str] | None = None) -> bool:
        """Ends a run that does not end by itself, in its log; returns whether it had not ended."""
        try:
            return await self._service.revoke(**run.key.name, ending=ending, invocation_id=run.invocation_id)
        except (DatabaseError, SessionNotFoundError) as error:
            active.lost = await lost_run_of(self._service, run, error)
            return False

    async def _drive(self, run: Run, request: RunRequest, live: Live, active: ActiveRun, scope: Scope) -> None:
        with scope.entered():  # in another thread, too: the user's keys are in it
            await self._drive_in_scope(run, request, live, active)

    async def _drive_in_scope(self, run: Run, request: RunRequest, live: Live, active: ActiveRun) -> None:
        runner = Runner(
            app_name=run.pipeline,
            agent=request.pipeline.root_agent,
            **request.pipeline.of_app,
            session_service=self._service,
            artifact_service=self._artifacts,
            memory_service=self._memory,
        )
        events = runner.run_async(
            user_id=run.user_id,
            session_id=run.session_id,
            new_message=request.message,
            state_delta=request.state_delta,
            run_config=self._config_for(request),
            invocation_id=run.invocation_id,
        )
        try:
            async with aclosing(events):
                async for event in events:
                    if event.partial:
                        live.add_partial(event)
                    else:
                        live.finish(event.id)
        except (asyncio.CancelledError, RunEndedError, ThreadEnded):
            raise
        except BaseException as error:  # noqa: BLE001  whatever an agent raises, SystemExit too, must not end the loop
            if active.ended:  # it was revoked
                return
            _report(run, error)
            active.error = (
                error if isinstance(error, Exception) else PlaygroundError(f"{type(error).__name__} ended the run.")
            )
            if isinstance(error, DatabaseError | SessionNotFoundError):
                active.lost = await lost_run_of(self._service, run, error)

    def _ended(self, run: Run, live: Live, active: ActiveRun, task: asyncio.Task[None]) -> None:
        """Called when the task ends. Not the end of `_drive`: a run that is stopped at once never starts it."""
        key = run.key
        if not task.cancelled() and isinstance(error := task.exception(), RunEndedError):  # it was taken over, or revoked
            _report(run, error)
        del self._active[key]
        active.ended = True
        if active.lost is not None:
            self._watching.lose(key, active.lost)
        live.end()
        active.news.set()
        if active.lost is not None and (self._mending is None or self._mending.done()):
            self._mending = asyncio.create_task(self._mend(), name="mark runs without an end")
        for listener in self.listeners:
            listener.ended(run)

    async def _mend(self) -> None:
        """Marks runs whose end could not be stored as interrupted, once the database is writable again."""
        while True:
            try:
                await self._service.recover()
            except DatabaseError:
                await asyncio.sleep(MEND_SECONDS)
            else:
                self._watching.found()
                return

    async def _begun(self, run: Run, active: ActiveRun, kind: str) -> None:
        """Returns once the run's first entry of a kind is stored; raises what ended the run before that."""
        try:
            async with asyncio.timeout(BEGIN_SECONDS):
                while True:
                    active.news.clear()
                    ended = active.ended  # before reading the log, so that this is the last read
                    if await self._has_begun(run, kind):
                        return
                    if ended:
                        break
                    with suppress(TimeoutError):  # a worker that freezes at once says nothing
                        await asyncio.wait_for(active.news.wait(), LOOK_SECONDS)
        except TimeoutError:
            active.cancel()
            raise DatabaseError(
                f"The run did not begin within {BEGIN_SECONDS:g} s, so it was given up. The session database may be "
                "locked by another program: close it, or use another file with --db."
            ) from None
        raise active.error or PlaygroundError("The run was stopped before it began. Send the message again to run it.")

    async def _has_begun(self, run: Run, kind: str) -> bool:
        entries = await self._service.read_log(**run.key.name, after=run.after, kind=kind)
        return any(f'"{run.invocation_id}"' in entry.body for entry in entries)


def _config_for(request: RunRequest, gate: DeltaGate | None) -> RunConfig:
    config = RunConfig(
        streaming_mode=StreamingMode.SSE,
        model=request.model,
        agent_models=request.agent_models,
        faults=request.faults,
        delta_gate=gate,
        needs_approval=request.needs_approval,
        owns_playbook=request.owns_playbook,
        asked_by_client=request.asked_by_client,
        team_revision=request.pipeline.revision,
    )
    return config.model_copy(update={**request.pipeline.card.limits, **request.limits})


def _report(run: Run, error: BaseException) -> None:
    """Logs why a run ended, without keys: one line for one of our errors, else the place in the code.

    The message of a foreign error is left out: it may hold a key.
    """
    told, frames = str(error), ""
    if not isinstance(error, PlaygroundError):
        told = "its message is in the session's log"
        frames = "\n" + "".join(traceback.format_tb(error.__traceback__))
    who = f"Run {run.invocation_id} of {run.pipeline}, session {run.session_id}"
    _log.warning("%s", redact(f"{who}, failed: {type(error).__name__} ({told}){frames}"))
