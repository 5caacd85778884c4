"""The entry at which a session is to be forked: what it is, in words, and what can be different there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from agents import EVENT_KIND, ModelStarted, PlaygroundError, RunFinished, RunStarted
from agents.forks import ModelChange, ended_its_run, is_done_again, is_user_message, run_at
from agents.history import Timeline
from ui.state import runs

if TYPE_CHECKING:
    from agents import Event, LogEntry
    from agents.forks import Change
    from agents.history import Moment
    from agents.runs import RunManager

Replaced = Literal["message", "answer", "tool_result"]
"""What kind of event can be replaced."""


class GoneError(PlaygroundError):
    """The entry is not in the session's log."""


@dataclass(frozen=True)
class ForkPoint:
    """An entry of a session's log, and the session at it.

    Attributes:
        seq: The entry.
        where: The place in words, e.g. "event 12: CriticAgent, pass 2 of RefinementLoop".
        author: Whose event it is; "" for a record.
        replaced: What kind of event it is, if it can be replaced.
        text: Its text.
        calls: Its tool calls, as JSON.
        results: Its tools' results: call id → (tool, response).
        state: State values at it, by key.
        playbook: Name and revision of the playbook that the session had read; None without one.
        bullets: The bullets of that revision, id → content.
        faults: The faults of its run, as text.
        under_way: Whether a run was under way there, so that something is left to run.
        event: Its event; None for a record.
        ended: Whether it is the error that ended its run.
    """

    seq: int
    where: str
    author: str = ""
    replaced: Replaced | None = None
    text: str = ""
    calls: str = ""
    results: Mapping[str, tuple[str, dict[str, Any]]] = field(default_factory=dict[str, tuple[str, dict[str, Any]]])
    state: Mapping[str, Any] = field(default_factory=dict[str, Any])
    playbook: tuple[str, int] | None = None
    bullets: Mapping[str, str] = field(default_factory=dict[str, str])
    faults: tuple[str, ...] = ()
    under_way: bool = True
    event: Event | None = None
    ended: bool = False

    def again(self, changes: Sequence[Change]) -> bool:
        """Whether what led to the entry is done again with the changes."""
        return self.event is not None and is_done_again(self.event, changes, ended_run=self.ended)


def fork_point(manager: RunManager, pipeline: str, session: str, seq: int) -> ForkPoint:
    """The point of a fork at an entry.

    Raises:
        PlaygroundError: The session or the entry is gone, or cannot be read.
    """
    log = manager.sessions.log(pipeline, session)
    entry = _entry_in(log, seq)
    moment = Timeline(log).at(seq)
    event = entry.event() if entry.kind == EVENT_KIND else None
    number = manager.sessions.event_number(pipeline, session, seq)
    playbook = None if moment.playbook is None else (moment.playbook.name, moment.playbook.revision)
    replaced = None if event is None else _replaced(event)
    return ForkPoint(
        seq=seq,
        where=_words(number, event, moment),
        author="" if event is None else event.author,
        replaced=replaced,
        text="" if event is None else event.text,
        calls=_calls_of(event) if event is not None and replaced == "answer" else "",
        results={} if event is None else _results_of(event),
        state={key: value for key, value in moment.values.items() if key != "app:playbook"},
        playbook=playbook,
        bullets={} if playbook is None else _bullets(manager, *playbook),
        faults=() if (began := run_at(log, seq)) is None else tuple(began.faults),
        under_way=_is_under_way(log, seq),
        event=event,
        ended=ended_its_run(log, seq),
    )


def message_of_run(pipeline: str, session: str, seq: int) -> int:
    """`seq` of the message that began the run of an entry.

    Raises:
        PlaygroundError: The session is gone, or has no message before the entry.
    """
    return _message_in(runs.manager().sessions.log(pipeline, session), seq).seq


def changes_of_model(pipeline: str, session: str, seq: int, model: str, own: Mapping[str, str]) -> Sequence[Change]:
    """The changes with which another model answers the message of an answer.

    They concern the answer's agent, agents that name no model, and those that were given the run's model by name.

    Args:
        pipeline: The session's pipeline.
        session: The session.
        seq: The answer.
        model: The other model.
        own: The models that the pipeline's agents name themselves, in words; "" for none.

    Raises:
        PlaygroundError: The session or the entry is gone.
    """
    log = runs.manager().sessions.log(pipeline, session)
    author = _answer_in(log, seq).author
    began = run_at(log, seq)
    given = {} if began is None else began.agent_models
    agents = [agent for agent, name in given.items() if agent == author or (began is not None and name == began.model)]
    if own.get(author) and author not in agents:
        agents.append(author)
    return [ModelChange(model=model), *(ModelChange(model=model, agent=agent) for agent in agents)]


def model_of(pipeline: str, session: str, seq: int) -> str:
    """The model that was asked for an answer; "" if the log does not say.

    Raises:
        PlaygroundError: The session or the entry is gone.
    """
    log = runs.manager().sessions.log(pipeline, session)
    author = _answer_in(log, seq).author
    calls = (entry.of(ModelStarted) for entry in reversed(log) if entry.seq < seq)
    return next((call.model or "" for call in calls if call is not None and call.agent == author), "")


def _answer_in(log: Sequence[LogEntry], seq: int) -> Event:
    entry = _entry_in(log, seq)
    event = entry.event() if entry.kind == EVENT_KIND else None
    if event is None or _replaced(event) != "answer":
        raise GoneError("That is no answer of a model. Select one.")
    return event


def _entry_in(log: Sequence[LogEntry], seq: int) -> LogEntry:
    found = next((entry for entry in log if entry.seq == seq), None)
    if found is None:
        raise GoneError("That event is not in this session any more. Select another one.")
    return found


def _message_in(log: Sequence[LogEntry], seq: int) -> LogEntry:
    for entry in reversed(log):
        if (
            entry.seq <= seq
            and entry.kind == EVENT_KIND
            and '"user"' in entry.body
            and _replaced(entry.event()) == "message"
        ):
            return entry
    raise GoneError("There is no message before that event, so there is nothing to run again. Select a later event.")


def _replaced(event: Event) -> Replaced | None:
    if event.get_function_responses():
        return "tool_result"
    if event.author == "user":
        return "message" if is_user_message(event) else None
    return "answer" if event.stop_reason is not None else None


def _words(number: int, event: Event | None, moment: Moment) -> str:
    if number == 0:
        return "the beginning, before the first event"
    author = "" if event is None else event.author
    if not author:
        author = moment.running[-1].agent if moment.running else ""
    loops = [f"pass {found.iteration} of {found.agent}" for found in moment.running if found.iteration]
    return f"event {number}" + (f": {', '.join([author, *loops[-1:]])}" if author else "")


def _calls_of(event: Event) -> str:
    calls = [{"tool": call.name, "args": call.args or {}} for call in event.get_function_calls()]
    return json.dumps(calls, ensure_ascii=False, indent=2) if calls else ""


def _results_of(event: Event) -> dict[str, tuple[str, dict[str, Any]]]:
    return {found.id: (found.name or "", found.response or {}) for found in event.get_function_responses() if found.id}


def _bullets(manager: RunManager, name: str, revision: int) -> dict[str, str]:
    try:
        return {bullet.id: bullet.content for bullet in manager.playbooks(name).at(revision).bullets}
    except (PlaygroundError, ValueError):  # deleted since
        return {}


def _is_under_way(log: Sequence[LogEntry], seq: int) -> bool:
    """Whether the last run up to an entry had its message, and had not ended there."""
    has_message = False
    for entry in reversed(log):
        if entry.seq > seq:
            continue
        if entry.kind == RunFinished.kind:
            return False
        if (started := entry.of(RunStarted)) is not None:
            return has_message or started.resumed
        has_message = has_message or entry.kind == EVENT_KIND
    return False
