"""What a fork keeps of its origin's log: up to where, and what of that entry is done again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from agents.agent import BaseAgent
from agents.errors import ForkError, known
from agents.event import Event
from agents.forks.changed_run import names_in, replacement
from agents.forks.changes import (
    REPLACING,
    AnswerChange,
    Change,
    InstructionChange,
    MessageChange,
    ModelChange,
    ToolResultChange,
)
from agents.history.cursor import PlaybookRevision, StateHistory
from agents.log import EVENT_KIND, LogEntry, TraceRecord, event_to_json, read_entry
from agents.records import RunFinished, RunStarted
from agents.runtime.position import Frame
from agents.runtime.resumable_log import resumable_log
from agents.storage.sessions.incoming import is_message


@dataclass(frozen=True, slots=True)
class KeptLog:
    """What a fork begins with.

    Attributes:
        entries: The entries that stay; a replaced event has its new body.
        closing: The records that close the run that goes on, if one does.
        state: State after them, by key.
        playbook: The playbook then; None if the session had read none.
        invocation_id: The run to resume; None if nothing is left of the last one.
        began_with: How the run at the cut began; None if there is none.
        cut: `seq` of the entry that is replaced, or of the last one that stays.
    """

    entries: list[LogEntry]
    closing: list[TraceRecord]
    state: dict[str, Any]
    playbook: PlaybookRevision | None
    invocation_id: str | None = None
    began_with: RunStarted | None = None
    cut: int = 0


def is_user_message(event: Event) -> bool:
    """Whether an event is a message of the user: neither a request to an agent called as a tool nor an answer to a call."""
    return event.author == "user" and bool(event.text) and not event.get_function_responses() and is_message(event)


def kept_log(entries: Sequence[LogEntry], at: int, changes: Sequence[Change], agent: BaseAgent) -> KeptLog:
    """What a fork begins with; see `Forks.fork`.

    Raises:
        ForkError: The log cannot be cut there, or a change does not fit the entry.
    """
    named = next((entry for entry in entries if entry.seq == at), None)
    if named is None:
        raise ForkError(f"There is no entry {at} in this session's log. It has {entries[0].seq} to {entries[-1].seq}.")
    replaces = next((change for change in changes if isinstance(change, REPLACING)), None)
    event = read_entry(named) if changes else None
    again = isinstance(event, Event) and is_done_again(event, changes, ended_run=ended_its_run(entries, at))
    last = at - 1 if again else at
    if replaces is not None:
        event = _event_to_replace(named, replaces)
        if isinstance(replaces, MessageChange):
            last = _end_before(entries, event)
        else:
            body = event_to_json(replacement(event, replaces, agent))
            entries = [entry._replace(body=body) if entry is named else entry for entry in entries]
    kept, closing = resumable_log(entries, last, continues=partial(_continues, agent))
    history, end = StateHistory.of(kept), kept[-1].seq
    state = {key: found.value for key, found in history.at(end).items()}
    resumed, begun = _run_to_resume(kept, closing), run_at(entries, at)
    cut = at if last == at or replaces is not None else end
    return KeptLog(kept, closing, state, history.playbook_at(end), resumed, begun, cut)


def is_done_again(event: Event, changes: Sequence[Change], *, ended_run: bool) -> bool:
    """Whether what led to an event is done again with changes: kept, it would hide them.

    That is the call of an answer, if the instruction or model of its agent changes; and, with any change, what failed.

    Args:
        event: The event that the fork is made at.
        changes: What changes; a change that replaces the event keeps what led to it.
        ended_run: Whether the event is the error that ended its run, see `ended_its_run`.
    """
    if any(isinstance(change, REPLACING) for change in changes):
        return False
    is_answer = event.author != "user" and event.stop_reason is not None and not event.get_function_responses()
    asked = is_answer and any(
        isinstance(change, InstructionChange | ModelChange) and change.agent in (None, event.author) for change in changes
    )
    return asked or (ended_run and bool(changes))


def ended_its_run(entries: Sequence[LogEntry], seq: int) -> bool:
    """Whether an entry is the error event that ended its run."""
    place = next((place for place, entry in enumerate(entries) if entry.seq == seq), None)
    if place is None or entries[place].kind != EVENT_KIND or place + 1 == len(entries):
        return False
    end, event = entries[place + 1].of(RunFinished), entries[place].event()
    return end is not None and end.status == "failed" and event.error_code is not None and not event.parts


def run_at(entries: Sequence[LogEntry], seq: int) -> RunStarted | None:
    """The last start of a run up to an entry."""
    starts = (entry for entry in reversed(entries) if entry.kind == RunStarted.kind and entry.seq <= seq)
    return None if (start := next(starts, None)) is None else start.of(RunStarted)


def _run_to_resume(entries: Sequence[LogEntry], closing: Sequence[TraceRecord]) -> str | None:
    """The id of the last run, if it was cut and something is left of it."""
    ends = [RunFinished.read(record.fields()) for record in closing if record.kind == RunFinished.kind]
    kept = (entry for entry in reversed(entries) if entry.kind == RunFinished.kind)
    end = ends[0] if ends else None if (last := next(kept, None)) is None else last.of(RunFinished)
    return end.invocation_id if end is not None and end.cut and end.status == "paused" else None


_WANTED = {
    "message": "a message of the user",
    "answer": "an answer of a model",
    "tool_result": "the result of that tool call",
}


def _event_to_replace(entry: LogEntry, change: Change) -> Event:
    event = read_entry(entry)
    if isinstance(event, Event) and _fits(event, change):
        return event
    raise ForkError(
        f"Entry {entry.seq} is not {_WANTED[change.kind]}, so there is nothing to replace: choose such an event."
    )


def _fits(event: Event, change: Change) -> bool:
    match change:
        case MessageChange():
            return is_user_message(event)
        case AnswerChange():
            return event.author != "user" and event.stop_reason is not None and not event.get_function_responses()
        case ToolResultChange():
            return any(response.id == change.call_id for response in event.get_function_responses())
        case _:
            return False


def _end_before(entries: Sequence[LogEntry], message: Event) -> int:
    """`seq` of the last entry before the run that a message began."""
    before = entries[0].seq
    for entry in entries:
        if (started := entry.of(RunStarted)) is not None and started.invocation_id == message.invocation_id:
            return before
        before = entry.seq
    return before


def _continues(root: BaseAgent, frame: Frame) -> bool:
    if (agent := root.find_agent(frame.agent)) is None:
        if "/" in frame.node:  # a node that another one's code ran; a graph, if nodes are below it
            return bool(frame.children)
        raise ForkError(
            f"Agent {frame.agent!r} was running there, and the pipeline has none of that name any more. It has "
            f"{known(names_in(root))}. Cut where no run was under way, or put the agent back."
        )
    return agent.keeps_its_place or agent.rerun_on_resume
