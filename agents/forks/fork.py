"""Counterfactual runs: a session's log up to some entry, something changed, and the rest run anew.

The origin is never changed. A fork has `app:` and `user:` state of its own, and a copy of the playbook.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from google.genai import types

from agents.ace.store.playbook_store import PlaybookStore
from agents.ace.store.reducer import NAME_KEY, PLAYBOOK_KEY
from agents.agent import BaseAgent
from agents.artifact import BaseArtifactService
from agents.errors import ForkError
from agents.forks.changed_run import changed_config, check_changes, only, state_event
from agents.forks.changes import Change, MessageChange, PlaybookChange, changes_to_json
from agents.forks.kept_log import KeptLog, kept_log
from agents.forks.same_again import check_difference
from agents.forks.stored_fork import FORKED, inherited_changes, recorded_for, stored_fork, tree_of_fork
from agents.log import LogEntry, TraceRecord
from agents.records import Forked, RunStarted
from agents.runner import Runner
from agents.runtime.run_config import RunConfig
from agents.session import BaseSessionService, GetSessionConfig, Session, session_not_found
from agents.state import REDUCED
from agents.tools.agent_tool import effectful_tools


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """A session that began with what another one had until one of its events.

    Attributes:
        session: The new session, without events.
        changes: What is different in it.
        invocation_id: The run to resume; None if the cut is where a run had ended, or before the first.
        message: The message to begin with in its place, if that is the change.
        began_with: How the run at the cut began: model, models of agents, faults. None before the first run.
    """

    session: Session
    changes: tuple[Change, ...] = ()
    invocation_id: str | None = None
    message: types.Content | None = None
    began_with: RunStarted | None = None


class Forks:
    """Makes and runs forks of one user's sessions of a pipeline.

    Args:
        service: Where the sessions are; forks are stored beside them.
        agent: The root of the pipeline's tree.
        app_name: The pipeline.
        user_id: Whose sessions.
        playbooks: Any playbook of the same database; needed for sessions that have one.
        artifact_service: As for `Runner`.
    """

    def __init__(
        self,
        service: BaseSessionService,
        agent: BaseAgent,
        *,
        app_name: str,
        user_id: str,
        playbooks: PlaybookStore | None = None,
        artifact_service: BaseArtifactService | None = None,
    ) -> None:
        self._service = service
        self._agent = agent
        self._app_name, self._user_id = app_name, user_id
        self._playbooks = playbooks
        self._artifacts = artifact_service

    async def fork(self, session_id: str, *, at: int, changes: Sequence[Change] = (), fork_id: str | None = None) -> Fork:
        """Makes a session from the beginning of another one. Nothing is run.

        Args:
            session_id: The origin.
            at: `seq` of an entry. The fork keeps the log up to it; a change that replaces a message, an answer or a tool's
                result names the event to replace. If the instruction or model of the agent that gave the answer at `at`
                changes, it answers again. With any change at the error that ended a run, what failed is done again.
            changes: What is to be different; at most one may replace an event.
            fork_id: The fork's id; a new one by default.

        Raises:
            SessionNotFoundError: There is no such session.
            ForkError: The session cannot be cut there, a change does not fit, or nothing would be different.
            SessionExistsError: The id is taken.
            StateValueError: JSON cannot hold a value of a change.
            PlaybookNotFoundError: There is no such revision.
        """
        origin = await self._session(session_id, GetSessionConfig(num_recent_events=0))
        check_changes(changes, self._agent)
        entries = await self._log(session_id)
        kept = kept_log(entries, at, changes, self._agent)
        check_difference(changes, entries, at, kept, await self.agent_of(session_id))
        fork_id = fork_id or str(uuid.uuid4())
        state = {**_shared_before_runs(origin, kept.state), **kept.state}
        state |= self._copied_playbook(kept, origin, fork_id, only(changes, PlaybookChange))
        session = await self._service.fork_session(
            origin,
            entries=kept.entries,
            records=[self._record(session_id, at, changes, entries, kept), *kept.closing],
            state=state,
            session_id=fork_id,
        )
        if (event := state_event(changes, kept.invocation_id)) is not None:
            await self._service.append(session, [event])
        said = only(changes, MessageChange)
        message = None if said is None else types.Content(role="user", parts=[types.Part(text=said.text)])
        return Fork(
            session=session,
            changes=tuple(changes),
            invocation_id=kept.invocation_id,
            message=message,
            began_with=kept.began_with,
        )

    async def rerun(
        self,
        session_id: str,
        *,
        at: int,
        changes: Sequence[Change] = (),
        run_config: RunConfig | None = None,
        fork_id: str | None = None,
    ) -> Session:
        """Makes a fork and runs the rest of its last run.

        Args:
            session_id: The origin.
            at: See `fork`.
            changes: See `fork`.
            run_config: How to run; changes of models and faults come on top.
            fork_id: The fork's id; a new one by default.

        Returns:
            The fork's session, with its events.

        Raises:
            Exception: As `fork` and `Runner.run_async`.
        """
        made = await self.fork(session_id, at=at, changes=changes, fork_id=fork_id)
        if made.invocation_id is not None or made.message is not None:
            runner = Runner(
                app_name=self._app_name,
                agent=await self.agent_of(made.session.id),
                session_service=self._service,
                artifact_service=self._artifacts,
            )
            events = runner.run_async(
                user_id=self._user_id,
                session_id=made.session.id,
                new_message=made.message,
                run_config=changed_config(run_config or RunConfig(), changes),
                invocation_id=made.invocation_id,
            )
            async with aclosing(events):
                async for _ in events:
                    pass
        return await self._session(made.session.id, None)

    def _record(
        self, origin: str, at: int, changes: Sequence[Change], entries: Sequence[LogEntry], kept: KeptLog
    ) -> TraceRecord:
        """The record that makes a session a fork, and holds all that its later runs need of its origin."""
        seqs = {entry.seq for entry in kept.entries}
        changes = [*inherited_changes(entries, seqs, at), *changes]
        what = "; ".join(change.describe() for change in changes)
        data = {"origin": origin, "seq": kept.cut, "changes": changes_to_json(changes), "what": what}
        if recorded := recorded_for(entries, seqs, effectful_tools(self._agent)):
            data["recorded"] = recorded
        return TraceRecord(Forked.kind, data=data)

    async def agent_of(self, session_id: str) -> BaseAgent:
        """The tree that runs of a session use: of a fork, the pipeline's with its changes; else the pipeline's.

        A fork's changes of instructions hold for its whole life. Its tools with effects outside answer from the origin's
        record where the call is the same, and ask the user otherwise.

        Raises:
            SessionNotFoundError: There is no such session.
            ForkError: The pipeline has no agent of a changed name any more.
        """
        found = stored_fork(await self._log(session_id, kind=FORKED))
        if found is None:
            return self._agent
        return tree_of_fork(self._agent, found, await self._log(session_id) if found.recorded else ())

    async def _log(self, session_id: str, *, kind: str | None = None) -> list[LogEntry]:
        return await self._service.read_log(app_name=self._app_name, user_id=self._user_id, session_id=session_id, kind=kind)

    async def _session(self, session_id: str, config: GetSessionConfig | None) -> Session:
        found = await self._service.get_session(
            app_name=self._app_name, user_id=self._user_id, session_id=session_id, config=config
        )
        if found is None:
            raise session_not_found(self._app_name, self._user_id, session_id)
        return found

    def _copied_playbook(
        self, kept: KeptLog, origin: Session, fork_id: str, change: PlaybookChange | None
    ) -> dict[str, Any]:
        """Copies the playbook as it was at the cut; the state that gives the copy to the fork."""
        if PLAYBOOK_KEY not in origin.state:
            if change is not None:
                raise ForkError("This session has no playbook, so there is none to change. Leave the change out.")
            return {}
        if self._playbooks is None:
            raise ValueError("This session has a playbook: give Forks(playbooks=…) any PlaybookStore of the same database.")
        known = kept.playbook
        name = origin.state[PLAYBOOK_KEY].name if known is None else known.name
        revision = 0 if known is None else known.revision
        if change is not None and change.revision is not None:
            revision = change.revision
        without = () if change is None else change.without
        store, copy_name = self._playbooks.beside(name), f"{name[:60]}, fork {fork_id[:8]}".strip()
        if change is not None and change.off:
            copy = store.create(copy_name)
            copy.freeze()
        else:
            copy = store.copy_to(copy_name, revision=revision, without=without)
        chosen = {NAME_KEY: copy.name}
        return chosen if known is None else {**chosen, PLAYBOOK_KEY: {}}  # the key is there once a session has read it


def _shared_before_runs(origin: Session, state: Mapping[str, Any]) -> dict[str, Any]:
    """`app:` and `user:` state of today, for a cut before the first run: no record has noted it yet."""
    if any(key.startswith(("app:", "user:")) for key in state):
        return {}
    return {key: value for key, value in origin.state.items() if key.startswith(("app:", "user:")) and key not in REDUCED}
