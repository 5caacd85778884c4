"""Forks that run in the background, by a `RunManager`: stopped, watched, resumed and recovered as any other run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from agents.access import Action
from agents.ace.store.playbook_store import PlaybookStore
from agents.errors import FaultError, ForkError, PlaygroundError, SessionNotFoundError
from agents.forks.changed_run import only
from agents.forks.changes import Change, FaultChange, MessageChange, ModelChange
from agents.forks.effects import llm_agents
from agents.forks.fork import Fork, Forks
from agents.forks.repetitions import Repetitions, repetitions_of
from agents.forks.stored_fork import FORKED, Origin, origin_in, stored_changes, stored_fork
from agents.log import LogEntry
from agents.pipeline import Pipeline
from agents.runs.manager import RunManager
from agents.runs.model_desk import ModelDesk
from agents.runs.services import Services
from agents.runs.values import ModelChoice, SessionKey
from agents.runtime.fault import Fault
from agents.session import BaseSessionService
from agents.session_list import RunStatus

MOST_REPETITIONS = 20
"""Forks that one call may start: they all run at once."""


class BackgroundForks:
    """Makes forks and runs them, for callers in any thread.

    Args:
        manager: Runs them. It was made with `preparation=prepare_fork`, so that a fork runs with its changes for its whole
            life.
    """

    def __init__(self, manager: RunManager) -> None:
        self._manager = manager

    def rerun(
        self,
        pipeline: str,
        session_id: str,
        *,
        at: int,
        changes: Sequence[Change] = (),
        repeat: int = 1,
        model: str | None = None,
        agent_models: Mapping[str, str] | None = None,
    ) -> list[str]:
        """Makes forks of a session and starts the rest of its run in each; returns once all have begun.

        A fork of a moment at which no run was under way has nothing to run: it waits for a message.

        Args:
            pipeline: The session's pipeline.
            session_id: The origin. It may be running: its log so far is taken.
            at: `seq` of an entry; see `Forks.fork`.
            changes: What is to be different; see `Forks.fork`.
            repeat: How many forks, at most `MOST_REPETITIONS`.
            model: The model of agents that name none; by default the one of the origin's run.
            agent_models: Models of single agents; by default those of the origin's run.

        Returns:
            The forks' session ids.

        Raises:
            ForkError: The session cannot be cut there, a change does not fit, or there is nothing to repeat.
            PlaygroundError: As for `RunManager.start`; a fork that could not be started is deleted.
        """
        if not 1 <= repeat <= MOST_REPETITIONS:
            raise ForkError(f"{repeat} repetitions cannot be run at once. Ask for 1 to {MOST_REPETITIONS}.")
        found = self._manager.catalog.get(pipeline)
        for change in changes:
            if isinstance(change, ModelChange):
                self._manager.models.check(change.model)
        return [
            self._begun(found, session_id, at, changes, model=model, agent_models=agent_models, must_run=repeat > 1)
            for _ in range(repeat)
        ]

    def rerun_both(self, pipeline: str, session_id: str) -> tuple[str, str]:
        """Starts two runs from a fork's cut, once with nothing changed and once with the fork's changes.

        The two show what is chance: the record of the origin is one answer of a model that may give others.

        Returns:
            The session ids, first of the one with nothing changed.

        Raises:
            ForkError: The session is no fork with changes, or its origin is gone.
            PlaygroundError: As for `rerun`; none of the two is then there.
        """
        records = self._records(pipeline, session_id)
        changes = stored_changes(records[-1]) if records else ()
        if not changes:
            raise ForkError("This session is no fork with a change, so there are no two runs to compare. Fork one first.")
        origin = origin_in(records[-1])
        found = self._manager.catalog.get(pipeline)
        unchanged = self._begun(found, origin.session, origin.seq, (), must_run=True)
        try:
            changed = self._begun(found, origin.session, origin.seq, changes, must_run=True)
        except PlaygroundError:
            self._manager.sessions.delete(pipeline, unchanged)
            raise
        return unchanged, changed

    def rewind(self, pipeline: str, session_id: str, *, at: int, changes: Sequence[Change] = ()) -> str:
        """Makes a fork that takes its origin's place: the origin is deleted, which `SessionDesk.restore` undoes.

        Args:
            pipeline: The session's pipeline.
            session_id: The origin; a run of it is stopped.
            at: As for `rerun`.
            changes: As for `rerun`.

        Returns:
            The fork's session id.

        Raises:
            PlaygroundError: As for `rerun`; the origin is then still there.
        """
        [fork] = self.rerun(pipeline, session_id, at=at, changes=changes)
        self._manager.sessions.delete(pipeline, session_id)
        return fork

    def repetitions(self, pipeline: str, origin: str, session_ids: Sequence[str]) -> Repetitions:
        """What became of several forks: their statuses and answers, counted. Deleted ones are left out.

        Args:
            pipeline: Their pipeline.
            origin: The session that they are forks of, to compare them with.
            session_ids: The forks.
        """
        rows = (self._manager.sessions.find(pipeline, session_id) for session_id in session_ids)
        statuses: dict[str, RunStatus] = {found.id: found.status for found in rows if found is not None}
        key = self._manager.key(Action.READ_SESSION, pipeline, origin)
        return self._manager.in_store(
            lambda services: repetitions_of(services.sessions, pipeline, statuses, origin=origin, user_id=key.user_id),
            action=Action.READ_SESSION,
        )

    def instructions(self, pipeline: str, session_id: str) -> dict[str, str]:
        """The instructions of a session's agents that call a model, by name; of a fork as changed. Functions are left out.

        Raises:
            PlaygroundError: The session or its pipeline cannot be used.
        """
        found = self._manager.catalog.get(pipeline)
        key = self._manager.key(Action.READ_SESSION, pipeline, session_id)
        root = self._manager.in_store(
            lambda services: _forks(services.sessions, found, key.user_id).agent_of(session_id), action=Action.READ_SESSION
        )
        return {agent.name: agent.instruction for agent in llm_agents(root) if isinstance(agent.instruction, str)}

    def origin(self, pipeline: str, session_id: str) -> Origin | None:
        """Where a fork comes from; None for a session that is none."""
        records = self._records(pipeline, session_id)
        return origin_in(records[-1]) if records else None

    def models(self, pipeline: str, session_id: str) -> tuple[str | None, dict[str, str]]:
        """The models that a fork was made with, which win over those that a run of it names.

        Returns:
            That of agents that name none, and those of single agents; None and none for what was not changed.

        Raises:
            PlaygroundError: The session is gone, or its changes cannot be read.
        """
        found = stored_fork(self._records(pipeline, session_id))
        return (None, {}) if found is None else (found.model, found.agent_models)

    def _records(self, pipeline: str, session_id: str) -> list[LogEntry]:
        key = self._manager.key(Action.READ_SESSION, pipeline, session_id)
        return self._manager.in_store(lambda services: _fork_records(services.sessions, key), action=Action.READ_SESSION)

    def _fork(self, pipeline: Pipeline, session_id: str, at: int, changes: Sequence[Change]) -> Fork:
        key = self._manager.key(Action.FORK, pipeline.name, session_id)

        async def make(services: Services) -> Fork:
            playbooks = services.playbooks.beside(pipeline.name)
            return await _forks(services.sessions, pipeline, key.user_id, playbooks).fork(session_id, at=at, changes=changes)

        try:
            return self._manager.in_store(make, action=Action.FORK)
        except SessionNotFoundError:
            raise ForkError(
                f"Session {session_id!r} of {pipeline.name!r} is not here, so it cannot be forked. It may have been "
                "deleted: undo that in the list of sessions, or fork another one."
            ) from None

    def _begun(
        self,
        pipeline: Pipeline,
        session_id: str,
        at: int,
        changes: Sequence[Change],
        *,
        must_run: bool,
        model: str | None = None,
        agent_models: Mapping[str, str] | None = None,
    ) -> str:
        """A fork that was started; where it must run, one that would wait for a message is an error."""
        fork = self._fork(pipeline, session_id, at, changes)
        if must_run and fork.invocation_id is None and fork.message is None:
            self._manager.sessions.delete(pipeline.name, fork.session.id)
            raise ForkError(
                "No run was under way there, so there is nothing to repeat. Choose an earlier event, or fork once and "
                "send a message."
            )
        self._start(pipeline.name, fork, model, agent_models)
        return fork.session.id

    def _start(self, pipeline: str, fork: Fork, model: str | None, agent_models: Mapping[str, str] | None) -> None:
        options: dict[str, Any] = {
            "model": model or (None if fork.began_with is None else fork.began_with.model),
            "agent_models": _agent_models_of(fork) if agent_models is None else agent_models,
            "faults": _faults_of(fork),
        }
        try:
            if (said := only(fork.changes, MessageChange)) is not None:
                self._manager.start(pipeline, said.text, session_id=fork.session.id, **options)
            elif fork.invocation_id is not None:
                self._manager.resume(pipeline, fork.session.id, fork.invocation_id, **options)
        except PlaygroundError:
            with suppress(PlaygroundError):
                self._manager.sessions.delete(pipeline, fork.session.id)
            raise


async def prepare_fork(
    service: BaseSessionService, pipeline: Pipeline, key: SessionKey, models: ModelChoice, desk: ModelDesk
) -> tuple[Pipeline, ModelChoice]:
    """The pipeline and the models of a session's run: in a fork, with its changes. For `RunManager(preparation=…)`."""
    if (found := stored_fork(await _fork_records(service, key))) is None:
        return pipeline, models
    pipeline = replace(pipeline, root_agent=await _forks(service, pipeline, key.user_id).agent_of(key.session_id))
    by_agent = models.by_agent
    if by_agent is None:
        by_agent = desk.preferences.agent_models.get(pipeline.name, {})
    chosen = models._replace(model=found.model or models.model, by_agent={**by_agent, **found.agent_models})
    return pipeline, chosen


async def _fork_records(service: BaseSessionService, key: SessionKey) -> list[LogEntry]:
    return await service.read_log(**key.name, kind=FORKED)


def _forks(service: BaseSessionService, pipeline: Pipeline, user_id: str, playbooks: PlaybookStore | None = None) -> Forks:
    return Forks(service, pipeline.root_agent, app_name=pipeline.name, user_id=user_id, playbooks=playbooks)


def _agent_models_of(fork: Fork) -> dict[str, str] | None:
    """The models of single agents in the origin's run; None if there was no run."""
    if fork.began_with is None:
        return None
    return {agent: model for agent, model in fork.began_with.agent_models.items() if model}


def _faults_of(fork: Fork) -> tuple[Fault, ...]:
    """The faults that are asked for, or those of the origin's run."""
    if (change := only(fork.changes, FaultChange)) is not None:
        return change.faults
    faults: list[Fault] = []
    for text in () if fork.began_with is None else fork.began_with.faults:
        with suppress(FaultError):  # of another version
            faults.append(Fault.parse(text))
    return tuple(faults)
