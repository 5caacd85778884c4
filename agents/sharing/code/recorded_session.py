"""What a session was run with, from its log: start state, and for each turn the message, state, models and faults."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from google.genai import types

from agents.ace.playbook import Playbook
from agents.event import REQUEST_ANSWER, Event
from agents.log import EVENT_KIND, LogEntry
from agents.models.replay.spec import REPLAY_PREFIX
from agents.models.simulated.spec import SIMULATED
from agents.records import Forked, Imported, RunStarted, SessionCreated
from agents.runs.requests import text_of
from agents.runtime.fault import Fault
from agents.sharing.references import scope_of
from agents.state import REDUCED, is_stored
from agents.storage.sessions.incoming import is_message


@dataclass(frozen=True, slots=True)
class Answer:
    """A user's answer to a call that waited.

    Attributes:
        name: What the response is named: the tool, or the request for a confirmation.
        response: The response.
        place: Which of the calls of that name that waited, from 0.
    """

    name: str
    response: dict[str, Any]
    place: int = 0


@dataclass(slots=True)
class Turn:
    """One message of the user, or answers to calls, and what its run was given.

    Attributes:
        text: The message; "" for answers.
        answers: Answers to calls that waited.
        state: State that was set with it.
        model: The run's model.
        agent_models: Models of single agents.
        faults: Faults that were injected.
        max_llm_calls: Most model calls.
    """

    text: str = ""
    answers: list[Answer] = field(default_factory=list[Answer])
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    model: str = SIMULATED
    agent_models: dict[str, str] = field(default_factory=dict[str, str])
    faults: tuple[Fault, ...] = ()
    max_llm_calls: int = 500


@dataclass(slots=True)
class RecordedSession:
    """What a session was run with.

    Attributes:
        session_id: Its id.
        state: The state that it began with.
        turns: Its turns in order.
        began_with: Name, revision and number of bullets of the playbook that it began with, if that has any.
        playbook: That playbook, where it is to go along.
        notes: Sentences on what a new run does otherwise.
    """

    session_id: str
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    turns: list[Turn] = field(default_factory=list[Turn])
    began_with: tuple[str, int, int] | None = None
    playbook: Playbook | None = None
    notes: list[str] = field(default_factory=list[str])

    def keep_scopes(self, scopes: Collection[str]) -> None:
        """Leaves out state of other scopes than these: "session", "user", "app"."""
        for state in (self.state, *(turn.state for turn in self.turns)):
            for key in [key for key in state if scope_of(key) not in scopes]:
                del state[key]


def recorded_session(entries: Sequence[LogEntry], session_id: str) -> RecordedSession:
    """Reads a session's log.

    Args:
        entries: The log from its beginning.
        session_id: The session.
    """
    found = RecordedSession(session_id)
    started = RunStarted()
    waiting: dict[str, Any] = {}
    calls: list[types.FunctionCall] = []
    for entry in entries:
        if entry.kind == EVENT_KIND:
            if '"user"' in entry.body or '"long_running_tool_ids"' in entry.body:
                event = entry.event()
                calls += [call for call in event.get_function_calls() if call.id in (event.long_running_tool_ids or ())]
                _read_event(found, event, started, waiting, calls)
            continue
        match entry.record():
            case SessionCreated() as created:
                found.state |= _kept(created.state)
            case RunStarted() as started:
                if not found.turns:
                    found.state |= _kept(started.shared)
                    found.began_with = _playbook_in(started.shared)
            case Forked():
                found.notes.append(
                    "The session is a fork: what came before it is run again here, and what was changed in it is not. "
                    "Later runs of it may have other answers."
                )
            case Imported():
                found.notes.append("The session was imported: some of its state may not be known.")
            case _:
                pass
    if any(turn.model.startswith(REPLAY_PREFIX) for turn in found.turns):
        found.notes.append("The session replayed a recorded one, which is not in this file: the simulated model answers.")
    return found


def _read_event(
    found: RecordedSession,
    event: Event,
    started: RunStarted,
    waiting: dict[str, Any],
    calls: list[types.FunctionCall],
) -> None:
    if event.author != "user":
        return
    delta = _kept(event.actions.state_delta)
    responses = event.get_function_responses()
    if responses:
        answers = [_answer(one, calls) for one in responses]
        found.turns.append(_turn(started, "", answers, {**waiting, **delta}))
        waiting.clear()
    elif is_message(event) and event.content is not None and text_of(event.content).strip():
        found.turns.append(_turn(started, text_of(event.content), [], {**waiting, **delta}))
        waiting.clear()
        if _has_files(event.content):
            found.notes.append("A message had files beside its text, which are not in this file.")
    else:  # a setting that was changed between two messages
        target = waiting if found.turns else found.state
        target.update(delta)


def _answer(response: types.FunctionResponse, calls: list[types.FunctionCall]) -> Answer:
    """An answer, and its call taken out of those that wait."""
    same = [call for call in calls if call.name == response.name]
    place = next((place for place, call in enumerate(same) if call.id == response.id), 0)
    if same:
        calls.remove(same[place])
    return Answer(response.name or "", dict(response.response or {}), place)


def _turn(started: RunStarted, text: str, answers: list[Answer], state: dict[str, Any]) -> Turn:
    return Turn(
        text=text,
        answers=answers,
        state=state,
        model=started.model or SIMULATED,
        agent_models={agent: name for agent, name in started.agent_models.items() if name},
        faults=tuple(Fault.parse(one) for one in started.faults),
        max_llm_calls=started.max_llm_calls or 0,
    )


def _kept(state: Any) -> dict[str, Any]:
    """State that a new session can be given: no playbook, and nothing of one invocation."""
    found = cast("dict[str, Any]", state) if isinstance(state, dict) else {}
    return {key: value for key, value in found.items() if key not in REDUCED and is_stored(key)}


def _playbook_in(shared: Any) -> tuple[str, int, int] | None:
    match shared:
        case {"app:playbook": {"playbook": str(name), "revision": int(revision), "bullets": int(bullets)}} if bullets:
            return name, revision, bullets
        case _:
            return None


def _has_files(content: types.Content) -> bool:
    return any(part.inline_data or part.file_data for part in content.parts or [])


def is_as_model(turn: Turn) -> bool:
    """Whether the user answered in a model's place, and nothing else."""
    return bool(turn.answers) and all(answer.name == REQUEST_ANSWER for answer in turn.answers)
