"""Starting runs, in sessions that are there or new, and stopping them."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from google.genai import types

from agents.access import Action, Activity, note, permits
from agents.ace.operations import REVIEW_CALL
from agents.errors import FaultError, ModelNotFoundError, NotPermittedError, RunInProgressError
from agents.model import BaseLlm
from agents.models.connections import lacks_key, use_connections
from agents.models.replay.model import ReplayLlm
from agents.pipeline import Pipeline, answering, truth_key
from agents.pipelines.catalog import BUILT_IN, UNLISTED, Catalog
from agents.plugins.client_request import ClientPlugin, ClientRequest
from agents.records import RunStarted
from agents.runs.asker import Asker
from agents.runs.engine import RunEngine
from agents.runs.limits.use_desk import UseDesk
from agents.runs.loops.loop_thread import LoopThread
from agents.runs.model_desk import ModelDesk, is_runtimes
from agents.runs.pending_calls import answer_to, call_to_answer, read_pending
from agents.runs.recordings.last_run import LastRun, read_last_run
from agents.runs.requests import RunRequest, check_state, text_of, user_message
from agents.runs.servers.server_loop import LOOK_SECONDS
from agents.runs.servers.stop_requests import StopRequests
from agents.runs.session_desk import SessionDesk
from agents.runs.values import ModelChoice, PendingCall, Run, SessionKey
from agents.runs.workers.model_access import connections_for, needs_file, with_usual
from agents.runs.workers.orders import RunOrder
from agents.runtime.fault import Fault
from agents.session import BaseSessionService
from agents.session_list import SessionSummary

Preparation = Callable[
    [BaseSessionService, Pipeline, SessionKey, ModelChoice, ModelDesk],
    Coroutine[Any, Any, tuple[Pipeline, ModelChoice]],
]
"""A function of service, pipeline, session, the models chosen, and all models with the user's preferences."""


class RunStarter:
    """Starts a user's runs: of a message, of the last message again, of the rest of a cut run, of an answer; and stops them.

    The part of `RunManager` that does so; the manager sets what is declared here.
    """

    catalog: Catalog
    models: ModelDesk
    sessions: SessionDesk
    use: UseDesk
    _asker: Asker
    _desk: LoopThread
    _thread: LoopThread
    _service: BaseSessionService
    _engine: RunEngine
    _preparation: Preparation | None
    _stops: StopRequests

    def start(  # noqa: PLR0913  each is an option of its own
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
        is_fresh: bool = False,
        client: ClientRequest | None = None,
    ) -> Run:
        """Starts a run and returns once its first event is stored, or once it waits for its turn.

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
            is_fresh: Whether the playbook is made up for this session, so that nobody has to approve what it learns.
            client: What another program asks of the agent that answers, e.g. functions of its own.

        Raises:
            PipelineNotFoundError: There is no such pipeline.
            PipelineLoadError: The pipeline is broken.
            ModelNotFoundError: No provider has a model of that name.
            MessageError: The message is empty, too long, or not text.
            StateInputError: JSON cannot hold a value of `state`.
            SessionNotFoundError: There is no such session.
            RunInProgressError: The session is being run.
            LimitReachedError: No more runs of the user may wait, or they may store no more.
            DatabaseError: Nothing can be stored.
        """
        content, given = user_message(message, files), dict(state or {})
        check_state(given)
        self._require(pipeline, session_id, given, has_files=bool(files), owns_playbook=owns_playbook)
        if session_id is not None and not (files or given) and (asked := self._asked_by_task(pipeline, session_id)):
            more: dict[str, Any] = {"model": model, "agent_models": agent_models, "client": client}
            return self.answer(pipeline, session_id, asked.call_id, {"result": message}, **more)
        return self._start(
            pipeline,
            content,
            session_id,
            ModelChoice(model, agent_models, simulated_speed),
            state=given,
            faults=tuple(faults),
            owns_playbook=owns_playbook,
            needs_approval=False if is_fresh else None,
            client=client,
        )

    def _asked_by_task(self, pipeline: str, session_id: str) -> PendingCall | None:
        """The question of an agent with `mode="task"` that a message answers, if one waits."""
        row = self.sessions.find(pipeline, session_id)
        if row is None or row.status != "paused":
            return None
        pending = self._desk.call(read_pending, self._service, self._asker.key(Action.RUN, pipeline, session_id))
        return next((call for call in reversed(pending) if call.takes_messages), None)

    def _require(
        self, pipeline: str, session_id: str | None, state: Mapping[str, Any], *, has_files: bool, owns_playbook: bool
    ) -> None:
        """Checks the rights to what a message comes with."""
        if has_files:
            self._asker.require(Action.UPLOAD)
        if state and session_id is not None:
            self._asker.key(Action.WRITE_STATE, pipeline, session_id)
        if owns_playbook:
            self._asker.require(Action.EDIT_PLAYBOOK)

    def rerun(
        self,
        pipeline: str,
        session_id: str,
        *,
        model: str | None = None,
        agent_models: Mapping[str, str] | None = None,
        faults: Sequence[Fault] = (),
    ) -> Run:
        """Runs a session's last user message again, with its right answer if it had one, as a new run of the session.

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
        last: LastRun = self._desk.call(read_last_run, self._service, self._asker.key(Action.RUN, pipeline, session_id))
        chosen = last.models_unless(model, agent_models)
        truth = truth_key(self.catalog.get(pipeline).root_agent)
        state = {truth: last.state[truth]} if truth is not None and truth in last.state else None
        return self._start(pipeline, last.message, session_id, chosen, state=state, faults=tuple(faults))

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
        client: ClientRequest | None = None,
    ) -> Run:
        """Answers a call that a paused run waits for, and resumes the run.

        Args:
            pipeline: The session's pipeline.
            session_id: The session.
            call_id: The call, as in `PendingCall`.
            response: The answer. For a confirmation `{"confirmed": bool}`, and perhaps "reason" and edited "args".
            model: As for `start`; by default the model that the run started with.
            agent_models: As for `start`; by default those that it started with.
            client: As for `start`.

        Raises:
            AnswerError: The call does not wait for an answer, or JSON cannot hold the answer.
            PlaygroundError: As for `start`.
        """
        key = self._asker.key(Action.ANSWER, pipeline, session_id)
        call = call_to_answer(call_id, self._desk.call(read_pending, self._service, key))
        if call.tool == REVIEW_CALL:
            self._asker.require(Action.APPROVE)
            note(self._asker.user, Activity.APPROVAL, f"of {pipeline}, session {session_id}")
        last = self._desk.call(read_last_run, self._service, key)
        chosen = last.models_unless(model, agent_models)
        answer = answer_to(call, response)
        return self._start(pipeline, answer, session_id, chosen, invocation_id=call.invocation_id, client=client)

    def _go_on(self, key: SessionKey, begun: RunStarted) -> Run:
        """Resumes a run whose server is gone, with what it was begun with; see `resume`."""
        by_agent = {agent: model for agent, model in begun.agent_models.items() if model}
        for model in {begun.model, *by_agent.values()}:
            if model and lacks_key(model):
                raise ModelNotFoundError(
                    f"There is no key for {model} here. It may have been typed at the server that is gone."
                )
        faults: list[Fault] = []
        for text in begun.faults:
            with suppress(FaultError):  # of another version
                faults.append(Fault.parse(text))
        return self._start(
            key.pipeline,
            None,
            key.session_id,
            ModelChoice(begun.model, by_agent),
            faults=tuple(faults),
            invocation_id=begun.invocation_id,
            owns_playbook=begun.owns_playbook,
            needs_approval=begun.needs_approval,
        )

    def stop(self, pipeline: str, session_id: str, *, timeout: float = 5.0) -> bool:
        """Stops a session's run: cancels model call and tools at once, and returns when its log is complete.

        The process that runs it may be another server's; that one is asked by way of the database.

        Args:
            pipeline: The session's pipeline.
            session_id: The session.
            timeout: Most seconds to wait.

        Returns:
            False if nothing runs in the session.

        Raises:
            RunInProgressError: The run did not end in time; one of a user's package does, whatever its code does.
            DatabaseError: It ended, but this could not be stored; it is marked as interrupted as soon as possible.
        """
        key = self._asker.key_among(self._engine.running(), pipeline, session_id)
        if key is None:
            try:
                row = self.sessions.find(pipeline, session_id)
            except NotPermittedError:  # to this user it is not there
                row = None
            if row is None or row.status not in {"running", "waiting"}:
                return False
            key = self._asker.key(Action.STOP, pipeline, session_id)
            if row.status == "waiting":
                if self._thread.call(self._stop_waiting, key):
                    self._note_stop(key)
                    return True
                row = self.sessions.find(pipeline, session_id)  # its turn has come meanwhile
            return row is not None and row.status == "running" and self._stop_elsewhere(key, row, timeout)
        self._asker.require_of(Action.STOP, key)
        self._note_stop(key)
        return self._thread.call(self._engine.stop, key, within=timeout)

    async def _stop_waiting(self, key: SessionKey) -> bool:
        """Ends a run that waits for its turn on another server, and keeps its message; False if none waits."""
        order = await self._engine.take_out(key)
        if order is None or order.invocation_id is None:
            return False
        with self.models.scope.entered():
            request = await self._request(self.catalog.get(order.pipeline), order)
        await self._engine.keep_message(key, request, order.invocation_id)
        return True

    def _note_stop(self, key: SessionKey) -> None:
        if key.user_id != self._asker.user.id:
            note(self._asker.user, Activity.STOP, f"in session {key.session_id} of {key.pipeline} ({key.user_id})")

    def _stop_elsewhere(self, key: SessionKey, row: SessionSummary | None, timeout: float) -> bool:
        """Asks the process that runs a session to stop its run, and waits until the log says that it ended."""
        [begun] = self._desk.call(self._service.read_log, **key.name, kind=RunStarted.kind, newest=True, limit=1)
        self._note_stop(key)
        self._stops.ask(key, str(begun.fields()["invocation_id"]))
        until = time.monotonic() + timeout
        while row is not None and row.status == "running":
            if time.monotonic() >= until:
                raise RunInProgressError(
                    f"The run of session {key.session_id!r} of {key.pipeline!r} was told to stop, but the server that runs "
                    f"it did not obey within {timeout:g} s. If that server is gone, the run ends once its lease is over."
                )
            time.sleep(LOOK_SECONDS / 5)
            row = self.sessions.find(key.pipeline, key.session_id)
        return True

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
        needs_approval: bool | None = None,
        client: ClientRequest | None = None,
    ) -> Run:
        found = self.catalog.get(pipeline)
        given = dict(state or {})
        self._asker.check_state(given)
        user_id = self._asker.user.id
        if session_id is None:
            self._asker.require(Action.RUN)
        else:
            user_id = self._asker.key(Action.RUN, pipeline, session_id).user_id
        if needs_approval is None:
            needs_approval = not permits(self._asker.user, Action.EDIT_PLAYBOOK)
        order = RunOrder(
            pipeline,
            message,
            user_id,
            session_id,
            models,
            given,
            faults,
            invocation_id,
            needs_approval=needs_approval,
            owns_playbook=owns_playbook,
            client=client,
            is_limited=not self._asker.user.is_owner,
            limits=self._limits(found),
        )
        if order.is_limited:
            self.use.check_run(user_id)
        return self._thread.call(self._begin, found, order, queued=order.is_limited)

    def carry_out(self, order: RunOrder) -> Run:
        """Does a run that another process was asked for, which has checked the user's rights; in this process.

        Raises:
            PlaygroundError: As for `start`.
        """
        self._asker.require(Action.USE_SERVICES)
        if order.all_packages:
            self.catalog.names()
        return self._thread.call(self._carry_out, self.catalog.get(order.pipeline), order)

    async def _carry_out(self, pipeline: Pipeline, order: RunOrder) -> Run:
        use_connections(order.connections)
        return await self._begin(pipeline, order)

    async def _begin_waiting(self, order: RunOrder) -> Run:
        """Begins a run that waited in a process that has ended."""
        return await self._begin(self.catalog.get(order.pipeline), order, queued=True)

    async def _begin(self, pipeline: Pipeline, order: RunOrder, *, queued: bool = False) -> Run:
        with self.models.scope.entered():
            return await self._engine.start(await self._request(pipeline, order, queued=queued))

    async def _request(self, pipeline: Pipeline, order: RunOrder, *, queued: bool = False) -> RunRequest:
        key, models = order.key, order.models
        if self._preparation is not None and key is not None:
            pipeline, models = await self._preparation(self._service, pipeline, key, models, self.models)
        if order.client is not None:
            plugin = ClientPlugin(order.client, answering(pipeline.root_agent).agents)
            pipeline = replace(pipeline, plugins=[*pipeline.plugins, plugin])
        model, by_agent = await self.models.for_run(pipeline, models, session=key, invocation_id=order.invocation_id)
        asked = with_usual((model, *by_agent.values()))
        is_foreign = pipeline.name not in (*BUILT_IN, *UNLISTED) or not all(map(is_runtimes, asked))
        return RunRequest(
            pipeline,
            order.message,
            model,
            order.session_id,
            {**_recorded_truth(pipeline, order.message, model), **order.state},
            order.faults,
            order.invocation_id,
            by_agent,
            user_id=order.user_id,
            owns_playbook=order.owns_playbook,
            asked_by_client=order.client is not None,
            needs_approval=order.needs_approval,
            is_foreign=is_foreign,
            order=self._for_worker(order, pipeline, asked),
            queued=order if queued else None,
            is_limited=order.is_limited,
            limits=order.limits,
        )

    def _limits(self, pipeline: Pipeline) -> Mapping[str, Any]:
        """The limits of the user's run where they are not the pipeline's alone."""
        place = self._engine.place
        return {} if place is None or self._asker.user.is_owner else place.limits.of(pipeline.card.limits)

    def _for_worker(self, order: RunOrder, pipeline: Pipeline, asked: Sequence[BaseLlm]) -> RunOrder | None:
        """The order as a worker needs it; None for a run of this process."""
        place = self._engine.place
        if place is None or not place.has(pipeline.folder) or (self._asker.user.is_owner and not place.for_owner):
            return None
        if needs_file(pipeline, asked):
            return None
        all_packages = not all(map(is_runtimes, asked))
        return replace(order, connections=connections_for(pipeline, asked), all_packages=all_packages)


def _recorded_truth(pipeline: Pipeline, message: types.Content | None, model: BaseLlm) -> dict[str, Any]:
    """The right answer that was told with a recorded message, as state to set when the message is replayed."""
    key = truth_key(pipeline.root_agent)
    recorded = model.recording.run(model.run) if isinstance(model, ReplayLlm) else None
    if key is None or recorded is None or message is None or text_of(message) != recorded.message:
        return {}
    return {key: recorded.state[key]} if key in recorded.state else {}
