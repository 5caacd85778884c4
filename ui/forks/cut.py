"""The entry at which a session is to be forked: what it is, in words, and what can be different there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from agents import EVENT_KIND, PlaygroundError
from agents.experiments import Timeline
from ui.state import runs

if TYPE_CHECKING:
    from agents import Event, LogEntry
    from agents.experiments import Moment
    from agents.runs import RunManager

Replaced = Literal["message", "answer", "tool_result"]
"""What kind of event can be replaced."""


class GoneError(PlaygroundError):
    """The entry is not in the session's log."""


@dataclass(frozen=True)
class Cut:
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


def cut_at(manager: RunManager, pipeline: str, session: str, seq: int) -> Cut:
    """The cut at an entry.

    Raises:
        PlaygroundError: The session or the entry is gone, or cannot be read.
    """
    log = manager.log(pipeline, session)
    entry = next((entry for entry in log if entry.seq == seq), None)
    if entry is None:
        raise GoneError("That event is not in this session any more. Select another one.")
    moment = Timeline(log).at(seq)
    event = entry.event() if entry.kind == EVENT_KIND else None
    number = manager.event_number(pipeline, session, seq)
    playbook = None if moment.playbook is None else (moment.playbook.name, moment.playbook.revision)
    replaced = None if event is None else _replaced(event)
    return Cut(
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
        faults=_faults_at(log, seq),
        under_way=_is_under_way(log, seq),
    )


def message_of_run(pipeline: str, session: str, seq: int) -> int | None:
    """`seq` of the message that began the run of an entry; None if there is none."""
    found: int | None = None
    for entry in runs.manager().log(pipeline, session):
        if entry.seq > seq:
            break
        if entry.kind == EVENT_KIND and '"user"' in entry.body:
            event = entry.event()
            found = entry.seq if _replaced(event) == "message" else found
    return found


def _replaced(event: Event) -> Replaced | None:
    if event.get_function_responses():
        return "tool_result"
    if event.author == "user":
        return "message" if event.text else None
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


def _faults_at(log: Sequence[LogEntry], seq: int) -> tuple[str, ...]:
    starts = (entry for entry in reversed(log) if entry.kind == "run_started" and entry.seq <= seq)
    start = next(starts, None)
    return () if start is None else tuple(map(str, start.fields().get("faults") or ()))


def _is_under_way(log: Sequence[LogEntry], seq: int) -> bool:
    """Whether the last run up to an entry had not ended there."""
    ends = (entry for entry in reversed(log) if entry.seq <= seq and entry.kind in {"run_started", "run_finished"})
    last = next(ends, None)
    return last is not None and last.kind == "run_started"
