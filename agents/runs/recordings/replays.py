"""The model that replays a recorded session: which of the record's runs it answers, and which answers were used already.

A session's first run with such a model replays the first run of the record, its second the second. A run that did not
finish, because it was stopped or because the record lacked an answer, is replayed again by the next. A resumed run
resumes in the record too. Folds over log entries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

from agents.access import OWNER, User
from agents.agent import BaseAgent
from agents.errors import ModelNotFoundError, SessionNotFoundError
from agents.log import EVENT_KIND, LogEntry
from agents.models.replay.errors import REPLAY_ENDED
from agents.models.replay.model import ReplayLlm
from agents.models.replay.record import REPLAY_MARK, REPLAY_PREFIX, Recording
from agents.records import ModelStarted, Record, RunFinished, RunStarted
from agents.runs.recordings.recording import read_entries, read_recording
from agents.runs.values import SessionKey
from agents.session import BaseSessionService


async def replay_model(
    service: BaseSessionService,
    name: str,
    *,
    user: User,
    session: SessionKey | None = None,
    invocation_id: str | None = None,
    words_per_second: float | None = None,
) -> ReplayLlm:
    """Makes the model for one run.

    Args:
        service: Where sessions are.
        name: The model's name, `replay/PIPELINE/SESSION_ID`: of the user's own session, else the owner's if they see it.
        user: The user.
        session: The session that is run; None for a new one.
        invocation_id: The run to resume; None for a new one.
        words_per_second: See `ReplayLlm`.

    Raises:
        ModelNotFoundError: It is no such name.
        SessionNotFoundError: There is no such session to replay.
    """
    recording = await _read(service, name, user)
    entries = await read_entries(service, session) if session is not None else []
    progress = progress_in(entries, name, recording, invocation_id)
    return ReplayLlm(
        model=name,
        recording=recording,
        run=progress.run,
        used={agent: frozenset(positions) for agent, positions in progress.used.items()},
        words_per_second=words_per_second,
    )


async def next_message(service: BaseSessionService, name: str, session: SessionKey | None, *, user: User) -> str | None:
    """The user's next message in a recorded session; None if the record has no more.

    Args:
        service: Where sessions are.
        name: The name of the model that replays it.
        session: The session that replays; None for a new one.
        user: The user.

    Raises:
        ModelNotFoundError: It is no such name.
        SessionNotFoundError: One of the sessions is not there.
    """
    recording = await _read(service, name, user)
    entries = await read_entries(service, session) if session is not None else []
    run = recording.run(progress_in(entries, name, recording).run)
    return run.message if run is not None and run.message else None


async def _read(service: BaseSessionService, name: str, user: User) -> Recording:
    recorded = recorded_session(name, user.id)
    for key in dict.fromkeys((recorded, recorded._replace(user_id=OWNER.id))):
        if not user.sees(key.user_id):
            continue
        with suppress(SessionNotFoundError):
            return await read_recording(service, key)
    raise SessionNotFoundError(
        f"There is no session {recorded.session_id!r} of {recorded.pipeline!r} that could be replayed; it may have been "
        "deleted. `playground sessions` lists all there are; choose one of them, or another model."
    )


def recorded_session(name: str, user_id: str) -> SessionKey:
    """The session of a user that a model of that name answers from.

    Raises:
        ModelNotFoundError: It is not of the form `replay/PIPELINE/SESSION_ID`.
    """
    pipeline, _, session_id = name.removeprefix(REPLAY_PREFIX).partition("/")
    if not (name.startswith(REPLAY_PREFIX) and pipeline and session_id):
        raise ModelNotFoundError(
            f"{name!r} names no recorded session. Write {REPLAY_PREFIX}PIPELINE/SESSION_ID, as `playground sessions` lists "
            "them."
        )
    return SessionKey(pipeline, session_id, user_id)


@dataclass(slots=True)
class Progress:
    """How far a session has replayed a record.

    Attributes:
        run: The record's run that is next, or that the given run of the session replays; from 1.
        used: Positions of the answers that the given run has used already, by agent.
    """

    run: int = 1
    used: dict[str, set[int]] = field(default_factory=dict[str, set[int]])


def progress_in(entries: Iterable[LogEntry], model: str, recording: Recording, invocation_id: str | None = None) -> Progress:
    """Computes how far a session has replayed a record.

    Args:
        entries: The session's log.
        model: The name of the model that replays it.
        recording: The record.
        invocation_id: The session's run to resume; None for a new one.
    """
    fold = _Fold(model, recording)
    for entry in entries:
        if entry.kind == EVENT_KIND:
            if f'"{REPLAY_MARK}"' in entry.body:
                fold.event(entry.fields())
        else:
            fold.record(entry.record())
    return fold.progress(invocation_id)


class _Fold:
    def __init__(self, model: str, recording: Recording) -> None:
        self._model = model
        self._recording = recording
        self._number = 1
        self._run: str | None = None
        self._end: RunFinished | None = None
        self._asked = Counter[str]()
        self._used: dict[str, set[int]] = {}

    def record(self, record: Record) -> None:
        match record:
            case RunStarted():
                if not record.resumed and self._model in (record.model, *record.agent_models.values()):
                    self._settle()
                    self._run = record.invocation_id
            case RunFinished() if record.invocation_id == self._run:
                self._end = record
            case ModelStarted() if record.invocation_id == self._run and record.model == self._model:
                self._asked[record.caller] += 1
            case _:
                pass

    def event(self, body: dict[str, Any]) -> None:
        about = cast("dict[str, Any]", body.get("custom_metadata") or {}).get(REPLAY_MARK)
        if body.get("invocation_id") == self._run and about and about.get("session") == self._recording.session_id:
            self._used.setdefault(str(body.get("author")), set()).add(int(about.get("position") or 0))

    def progress(self, invocation_id: str | None) -> Progress:
        if self._run is None or self._run != invocation_id:
            self._settle()
            return Progress(self._number)
        for agent, count in self._asked.items():  # some answers became no event: those of failures, and of routers
            used = self._used.setdefault(agent, set())
            left = (position for position in range(1, count + len(used) + 1) if position not in used)
            used.update([next(left) for _ in range(count - len(used))])
        return Progress(self._number, self._used)

    def _settle(self) -> None:
        """Ends the last run."""
        if self._run is not None and self._replayed_to_the_end():
            self._number += 1
        self._run = self._end = None
        self._asked.clear()
        self._used.clear()

    def _replayed_to_the_end(self) -> bool:
        if self._end is None or self._end.status in ("stopped", "interrupted"):
            return False
        recorded = self._recording.run(self._number)
        was_stopped = recorded is not None and recorded.status in ("stopped", "interrupted", "")
        return was_stopped or self._end.error_code != REPLAY_ENDED


def agents_with_models(agent: BaseAgent, *, inherited: bool = False, which: Callable[[Any], bool] = bool) -> Iterator[str]:
    """Names of the agents of a tree that do not use the run's model: they name one, or an agent above them does.

    To replay all of a run, these need the model in `RunConfig.agent_models`.

    Args:
        agent: The top of the tree.
        inherited: Whether an agent above it names such a model.
        which: Which of the models count; all of them by default.
    """
    inherited = which(own) if (own := getattr(agent, "model", None)) else inherited
    if inherited and "model" in type(agent).model_fields:
        yield agent.name
    for child in agent.sub_agents:
        yield from agents_with_models(child, inherited=inherited, which=which)
    for tool in getattr(agent, "tools", ()):
        if isinstance(called := getattr(tool, "agent", None), BaseAgent):
            yield from agents_with_models(called, which=which)
