"""The past of a fork: where a log can be cut, and what is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from agents.agent import BaseAgent
from agents.errors import ForkError
from agents.event import Event
from agents.experiments.changes import REPLACING, AnswerChange, Change, MessageChange, ToolResultChange
from agents.experiments.cursor import Moment, Timeline
from agents.log import LogEntry, TraceRecord, read_entry
from agents.runtime.cut import cut_at


@dataclass(slots=True)
class Past:
    """The past of a fork.

    Attributes:
        entries: The entries that stay.
        closing: The records that close the run that goes on, if one does.
        moment: The session after them.
        replaced: The event that a change replaces, taken out.
        invocation_id: The run that goes on.
    """

    entries: list[LogEntry]
    closing: list[TraceRecord]
    moment: Moment
    replaced: Event | None = None
    invocation_id: str | None = None


def past_of(entries: Sequence[LogEntry], at: int, changes: Sequence[Change], agent: BaseAgent) -> Past:
    """The past that a fork begins with; see `Forks.fork`.

    Raises:
        ForkError: The log cannot be cut there, or a change does not fit the entry.
    """
    named = next((entry for entry in entries if entry.seq == at), None)
    if named is None:
        raise ForkError(f"There is no entry {at} in this session's log. It has {entries[0].seq} to {entries[-1].seq}.")
    replaces = next((change for change in changes if isinstance(change, REPLACING)), None)
    last, replaced = at, None
    if replaces is not None:
        replaced = _event_to_replace(named, replaces)
        last = at - 1 if not isinstance(replaces, MessageChange) else _end_before(entries, replaced)
    kept, closing = cut_at(entries, last, continues=partial(_continues, agent))
    cut = Past(kept, closing, Timeline(kept).at(kept[-1].seq), replaced)
    if closing:
        cut.invocation_id = closing[-1].invocation_id
    elif replaced is not None and not isinstance(replaces, MessageChange):
        raise ForkError(f"The answer at entry {at} is the first thing of its run: change the message before it instead.")
    return cut


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
            return event.author == "user" and bool(event.text) and not event.get_function_responses()
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
    agent = root.find_agent(name)
    return agent is not None and agent.keeps_its_place


def names_in(root: BaseAgent) -> list[str]:
    """The names in an agent tree, depth first."""
    return [root.name, *(name for child in root.sub_agents for name in names_in(child))]
