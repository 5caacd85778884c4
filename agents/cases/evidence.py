"""Evidence: what the log of a session shows of what a case may expect, each with the entry that shows it.

Pure functions over log entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from agents.ace.roles.instructions import ANSWER_KEY
from agents.ace.roles.schemas import GeneratorOutput, role_output
from agents.event import Event
from agents.log import EVENT_KIND, LogEntry
from agents.models.pricing import recorded_cost
from agents.models.provider import Price
from agents.records import LoopFinished, ModelFinished, RunFinished, SessionCreated
from agents.state import REDUCED, is_stored


class Said(NamedTuple):
    """An answer of an agent, and the event that has it."""

    agent: str
    text: str
    seq: int


class Called(NamedTuple):
    """A tool call, and the event that has it."""

    agent: str
    tool: str
    args: Mapping[str, Any]
    seq: int


class LoopEnd(NamedTuple):
    """The end of a loop, and the record that has it."""

    loop: str
    iterations: int
    by: str
    reason: str
    seq: int


class ModelCall(NamedTuple):
    """A model call that ended, and the record that has it.

    Attributes:
        cost: US dollars; None if its model has no price, or no fee for the searches it made.
        model: The model's name.
        seq: The record.
    """

    cost: float | None
    model: str
    seq: int


class RunEnd(NamedTuple):
    """The end of a run, and the record that has it."""

    status: str
    error: str
    seconds: float
    seq: int


@dataclass(slots=True)
class Evidence:
    """What a log shows, in order.

    Attributes:
        last: `seq` of the last entry.
        events: `seq` of each event.
        said: Texts of agents.
        authors: Agents with an event, each with the event.
        called: Tool calls.
        loops: Ends of loops.
        calls: Model calls.
        runs: Ends of runs.
        state: State at the end, each value with the entry that set it; playbooks are left out.
        cited: Ids of the bullets that the last answer cites.
    """

    last: int = 0
    events: list[int] = field(default_factory=list[int])
    said: list[Said] = field(default_factory=list[Said])
    authors: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    called: list[Called] = field(default_factory=list[Called])
    loops: list[LoopEnd] = field(default_factory=list[LoopEnd])
    calls: list[ModelCall] = field(default_factory=list[ModelCall])
    runs: list[RunEnd] = field(default_factory=list[RunEnd])
    state: dict[str, tuple[Any, int]] = field(default_factory=dict[str, tuple[Any, int]])
    cited: list[str] = field(default_factory=list[str])

    def answer(self, agent: str = "") -> Said | None:
        """The last answer: of one agent, else the generator's if the session has one, else the last text of all.

        In an ACE cycle later agents speak too, of the playbook; the answer is the generator's.
        """
        if agent:
            return next((said for said in reversed(self.said) if said.agent == agent), None)
        given = self.state.get(ANSWER_KEY)
        if given is not None and (answered := next((s for s in self.said if s.seq == given[1]), None)) is not None:
            return answered
        return self.said[-1] if self.said else None

    def number_of(self, seq: int) -> int:
        """The number of an event in the session, from 1; of a record, that of the last event before it."""
        return sum(found <= seq for found in self.events)


def evidence_in(entries: Iterable[LogEntry], prices: Mapping[str, Price]) -> Evidence:
    """Reads a session's log.

    Args:
        entries: From the beginning, in order.
        prices: The price table, for the cost of calls.
    """
    found = Evidence()
    for entry in entries:
        found.last = entry.seq
        if entry.kind == EVENT_KIND:
            _take_event(found, entry.event(), entry.seq)
            continue
        match entry.record():
            case SessionCreated() as created:
                _set(found, created.state, entry.seq)
            case ModelFinished() as call:
                found.calls.append(ModelCall(recorded_cost(call, prices), call.model, entry.seq))
            case LoopFinished() as loop:
                found.loops.append(LoopEnd(loop.agent, loop.iterations, loop.by, loop.reason, entry.seq))
            case RunFinished() as run:
                error = run.error_message or run.error_code or ""
                found.runs.append(RunEnd(run.status, error, run.duration, entry.seq))
            case _:
                pass
    return found


def _take_event(found: Evidence, event: Event, seq: int) -> None:
    found.events.append(seq)
    delta = event.actions.state_delta
    _set(found, delta, seq)
    if event.author == "user":
        return
    found.authors.append((event.speaker, seq))
    for call in event.get_function_calls():
        found.called.append(Called(event.speaker, call.name or "", call.args or {}, seq))
    answer = role_output(delta.get(ANSWER_KEY), GeneratorOutput)
    if answer is not None:
        found.cited = list(answer.bullet_ids)
    if text := event.text if answer is None else answer.final_answer:
        found.said.append(Said(event.speaker, text, seq))


def _set(found: Evidence, values: Mapping[str, Any], seq: int) -> None:
    found.state |= {key: (value, seq) for key, value in values.items() if key not in REDUCED and is_stored(key)}
