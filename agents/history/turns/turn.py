"""What a turn is: its place, what it said and did, and what it used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple


class Step(NamedTuple):
    """An agent on the path to a turn.

    Attributes:
        agent: Its name.
        iteration: The pass of a loop; 0 for an agent that is none.
        call: Of an agent that is called as a tool, which call of its caller it is, from 1; else 0. Calls at once are told
            apart by it, whichever is faster.
    """

    agent: str
    iteration: int = 0
    call: int = 0


class Place(NamedTuple):
    """Where a turn belongs, whatever happened before it.

    Attributes:
        run: The run, by number; 0 before the first.
        path: The agents that were running, outermost first.
        kind: The start of the session, an event, a pause, or the end of a run.
        author: The event's author.
        turn: Which one of this author at this place, from 1.
    """

    run: int
    path: tuple[Step, ...]
    kind: Literal["start", "event", "pause", "end"]
    author: str
    turn: int


class Usage(NamedTuple):
    """What model calls used.

    Attributes:
        calls: How many.
        sent: Tokens sent.
        received: Tokens received, thoughts among them.
        seconds: Time.
        cost: US dollars; None if a model has no price, or no fee for its searches.
    """

    calls: int = 0
    sent: int = 0
    received: int = 0
    seconds: float = 0.0
    cost: float | None = 0.0

    def plus(self, other: Usage) -> Usage:
        """The sum."""
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        sums = (mine + theirs for mine, theirs in zip(self[:4], other[:4], strict=True))
        return Usage(*sums, cost=cost)  # pyright: ignore[reportArgumentType]  the types of the fields are those of the sums


NOTHING = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One event, or the start or an end of the session. All values are texts, so that two are the same if they read so.

    Attributes:
        place: Where it belongs.
        seq: Its entry.
        branch: The branch, with the numbers of calls in place of their ids; turns of two branches have no order.
        number: The event's number in its session; of a start or an end, that of the event before.
        text: What was said.
        thoughts: What was thought.
        output: What a node of a graph gave to the next ones.
        calls: Calls of tools, a line of name and JSON each.
        results: Results of tools, likewise.
        state: State that it set, JSON by key.
        playbook: What it changed in the playbook, a line of operation and JSON each; "" for nothing.
        control: Whether it escalated, the agent that it handed over to, or the routes that it took in a graph.
        files: Files that it saved, with version.
        error: Its error.
        model: The model that was asked.
        prompt: The name of the instruction that was sent, by `log.text_hash`.
        usage: What its model call used; it is no difference.
    """

    place: Place
    seq: int
    branch: str
    number: int
    text: str = ""
    thoughts: str = ""
    output: str = ""
    calls: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    state: Mapping[str, str] = field(default_factory=dict[str, str])
    playbook: str = ""
    control: str = ""
    files: tuple[str, ...] = ()
    error: str = ""
    model: str = ""
    prompt: str = ""
    usage: Usage = NOTHING


COMPARED = (
    *("text", "thoughts", "output", "calls", "results", "state", "playbook", "control", "files", "error", "model"),
    "prompt",
)
"""The fields in which two turns may differ."""
