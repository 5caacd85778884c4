"""The past of a fork: where a log can be cut, and what is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.agent import BaseAgent
from agents.errors import ForkError, known
from agents.event import Event
from agents.experiments.changes import REPLACING, AnswerChange, Change, MessageChange, ToolResultChange
from agents.experiments.cursor import Moment, Timeline
from agents.log import LogEntry, TraceRecord, read_entry
from agents.runtime.cut import cut_at
from agents.runtime.position import Frame, position_of


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
    kept, closing = cut_at(entries, last)
    cut = Past(kept, closing, Timeline(kept).at(kept[-1].seq), replaced)
    if closing:
        cut.invocation_id = closing[-1].invocation_id
        _check_agents(position_of(cut.invocation_id, kept).root, agent)
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


def _check_agents(frame: Frame | None, root: BaseAgent) -> None:
    """Refuses a cut inside an agent of the user's own that runs others: it cannot go on where it was."""
    if frame is None or not frame.is_open:
        return
    agent = root.find_agent(frame.agent)
    if agent is None:
        raise ForkError(
            f"Agent {frame.agent!r} was running there, and the pipeline has none of that name any more. "
            f"It has {known(names_in(root))}."
        )
    if frame.children and not agent.keeps_its_place:
        raise ForkError(
            f"Agent {agent.name!r} runs other agents in its own way ({type(agent).__name__}), and cannot continue in the "
            "middle. Cut before its first event or after its last one."
        )
    for child in frame.children:
        _check_agents(child, root)


def names_in(root: BaseAgent) -> list[str]:
    """The names in an agent tree, depth first."""
    return [root.name, *(name for child in root.sub_agents for name in names_in(child))]
