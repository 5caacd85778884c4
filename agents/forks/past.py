"""The past of a fork: where a log can be cut, and what is kept of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from agents.log import LogEntry, TraceRecord, event_to_json, read_entry
from agents.runtime.cut import cut_at
from agents.storage.sessions.incoming import is_message


@dataclass(frozen=True, slots=True)
class Past:
    """The past of a fork.

    Attributes:
        entries: The entries that stay; a replaced event has its new body.
        closing: The records that close the run that goes on, if one does.
        state: State after them, by key.
        playbook: The playbook then; None if the session had read none.
        invocation_id: The run to resume; None if nothing is left of the last one.
        began_with: The last `run_started` record up to the cut, as a dictionary; empty if there is none.
        cut: `seq` of the entry that is replaced, or of the last one that stays.
    """

    entries: list[LogEntry]
    closing: list[TraceRecord]
    state: dict[str, Any]
    playbook: PlaybookRevision | None
    invocation_id: str | None = None
    began_with: Mapping[str, Any] = field(default_factory=dict[str, Any])
    cut: int = 0


def is_user_message(event: Event) -> bool:
    """Whether an event is a message of the user: neither a request to an agent called as a tool nor an answer to a call."""
    return event.author == "user" and bool(event.text) and not event.get_function_responses() and is_message(event)


def past_of(entries: Sequence[LogEntry], at: int, changes: Sequence[Change], agent: BaseAgent) -> Past:
    """The past that a fork begins with; see `Forks.fork`.

    Raises:
        ForkError: The log cannot be cut there, or a change does not fit the entry.
    """
    named = next((entry for entry in entries if entry.seq == at), None)
    if named is None:
        raise ForkError(f"There is no entry {at} in this session's log. It has {entries[0].seq} to {entries[-1].seq}.")
    replaces = next((change for change in changes if isinstance(change, REPLACING)), None)
    last = at - 1 if replaces is None and _is_done_again(entries, named, changes) else at
    if replaces is not None:
        event = _event_to_replace(named, replaces)
        if isinstance(replaces, MessageChange):
            last = _end_before(entries, event)
        else:
            body = event_to_json(replacement(event, replaces, agent))
            entries = [replace(entry, body=body) if entry is named else entry for entry in entries]
    kept, closing = cut_at(entries, last, continues=partial(_continues, agent))
    history, end = StateHistory.of(kept), kept[-1].seq
    state = {key: found.value for key, found in history.at(end).items()}
    resumed, begun = _run_to_resume(kept, closing), _begun_with(entries, at)
    cut = at if last == at or replaces is not None else end
    return Past(kept, closing, state, history.playbook_at(end), resumed, begun, cut)


def _asks_again(event: Event, changes: Sequence[Change]) -> bool:
    """Whether changes concern only the model call that an answer came from: kept, the answer would hide them."""
    if event.author == "user" or event.stop_reason is None or event.get_function_responses():
        return False
    return all(
        (isinstance(change, InstructionChange) and change.agent == event.author)
        or (isinstance(change, ModelChange) and change.agent in (None, event.author))
        for change in changes
    )


def _is_done_again(entries: Sequence[LogEntry], entry: LogEntry, changes: Sequence[Change]) -> bool:
    """Whether what led to an entry is done again: the call of an answer, or, with something changed, what failed."""
    event = read_entry(entry) if changes else None
    return isinstance(event, Event) and (_asks_again(event, changes) or _ended_its_run(entries, entry, event))


def _ended_its_run(entries: Sequence[LogEntry], entry: LogEntry, event: Event) -> bool:
    """Whether an event is the error that ended its run."""
    after = next((later for later in entries if later.seq > entry.seq), None)
    ended = after is not None and after.kind == "run_finished" and after.fields().get("status") == "failed"
    return ended and event.error_code is not None and not event.parts


def _begun_with(entries: Sequence[LogEntry], at: int) -> dict[str, Any]:
    """The last `run_started` record up to an entry."""
    found = next((entry for entry in reversed(entries) if entry.kind == "run_started" and entry.seq <= at), None)
    return {} if found is None else found.fields()


def _run_to_resume(entries: Sequence[LogEntry], closing: Sequence[TraceRecord]) -> str | None:
    """The id of the last run, if it was cut and something is left of it."""
    ends = [record.fields() for record in closing if record.kind == "run_finished"]
    if not ends:
        last = next((entry for entry in reversed(entries) if entry.kind == "run_finished"), None)
        ends = [] if last is None else [last.fields()]
    return next((str(end["invocation_id"]) for end in ends if end.get("cut") and end.get("status") == "paused"), None)


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
        if entry.kind == "run_started" and entry.fields().get("invocation_id") == message.invocation_id:
            return before
        before = entry.seq
    return before


def _continues(root: BaseAgent, name: str) -> bool:
    if (agent := root.find_agent(name)) is None:
        raise ForkError(
            f"Agent {name!r} was running there, and the pipeline has none of that name any more. It has "
            f"{known(names_in(root))}. Cut where no run was under way, or put the agent back."
        )
    return agent.keeps_its_place
