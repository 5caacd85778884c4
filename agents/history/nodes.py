"""The nodes of a run tree: runs, agents, model calls and tool calls, as `RunTree` makes and changes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from agents.records import ModelFinished, ModelStarted, RunFinished, RunStarted, ToolFinished, ToolStarted


@dataclass(slots=True)
class Spent:
    """What model calls came to: calls begun, tokens of those that ended, and seconds of the run."""

    calls: int = 0
    sent: int = 0
    received: int = 0
    duration: float = 0.0

    def plus(self, other: Spent) -> Spent:
        """The sum."""
        calls, sent = self.calls + other.calls, self.sent + other.sent
        return Spent(calls, sent, self.received + other.received, self.duration + other.duration)


@dataclass(slots=True, eq=False)
class Run:
    """One invocation: a message and what came of it, pauses included.

    Attributes:
        invocation_id: Names it.
        seq: Its first entry.
        started: How it last began or went on; None if the log does not say.
        ended: How it last ended or paused; None while it runs.
        agents: Its first agent, in lists that came from elsewhere perhaps several.
        called: The agents that were called as tools.
        calls: Its model calls.
        asked: Ids of all calls that it has paused for.
        before: What it spent before it last went on.
        spent: What it has spent since.
    """

    invocation_id: str
    seq: int
    started: RunStarted | None = None
    ended: RunFinished | None = None
    agents: list[AgentRun] = field(default_factory=list["AgentRun"])
    called: list[AgentRun] = field(default_factory=list["AgentRun"])
    calls: list[ModelCall] = field(default_factory=list["ModelCall"])
    asked: set[str] = field(default_factory=set[str])
    before: Spent = field(default_factory=Spent)
    spent: Spent = field(default_factory=Spent)

    @property
    def in_all(self) -> Spent:
        """What it has spent."""
        return self.before.plus(self.spent)


@dataclass(slots=True, eq=False)
class AgentRun:
    """One agent's turn, pauses included.

    Attributes:
        agent: Its name.
        branch: The parallel branch that it runs in.
        since: `seq` of its start.
        run: Its run.
        node: As a node of a graph: the path of its run.
        until: `seq` of its end; None while it runs.
        above: What it runs in: an agent, or the call of the tool that it is; None for a run's first one.
        outcome: How it last ended; None while it runs.
        is_cut: Whether its end was written where a fork begins.
        is_delegated: As a node of a graph: whether an event below it has told its output.
        output: What it gave then.
        is_given_up: Whether it paused and was not started again before the agent above ended.
        children: The agents below it, in the order of their start.
        pass_from: Of a loop: the place of the first child of its current pass.
        calls: Ids of its calls that wait for an answer.
        callback: The last of its agent callbacks that became an event: "before", "answer" (in place of the agent), "after".
        iteration: Of a loop: the current pass, from 1.
        escalated_by: Of a loop or a parallel block: the agent below it that escalated in the current pass.
        route: Of a router: the key it chose.
        transfer: The agent that it transferred to.
        thinks: How often its model was called.
        retries: How often its model was asked again because its answer did not fit.
    """

    agent: str
    branch: str | None
    since: int
    run: Run
    above: AgentRun | ToolCall | None = None
    node: str = ""
    until: int | None = None
    outcome: str | None = None
    is_cut: bool = False
    is_delegated: bool = False
    output: Any = None
    is_given_up: bool = False
    children: list[AgentRun] = field(default_factory=list["AgentRun"])
    pass_from: int = 0
    calls: list[str] = field(default_factory=list[str])
    callback: str | None = None
    iteration: int = 0
    escalated_by: str | None = None
    route: str | None = None
    transfer: str | None = None
    thinks: int = 0
    retries: int = 0
    _is_due: bool = False
    _escalation: AgentRun | None = None
    """The agent below that escalated last."""

    @property
    def is_paused(self) -> bool:
        """Whether it is to be continued."""
        return self.outcome == "paused" and not self.is_given_up

    @property
    def current(self) -> list[AgentRun]:
        """The agents below it; of a loop, those of the current pass."""
        return self.children[self.pass_from :]

    def around(self) -> Iterator[AgentRun]:
        """The agents that it runs in, the innermost first."""
        above = self.above
        while isinstance(above, AgentRun):
            yield above
            above = above.above

    def escalates(self) -> None:
        """Notes that it escalated for the agents around it."""
        for each in self.around():
            each.escalated_by, each._escalation = self.agent, self

    def begin_pass(self, iteration: int) -> None:
        """Begins the next pass of a loop, which has let no escalation through."""
        self.iteration, self.escalated_by, self.pass_from = iteration, None, len(self.children)
        for each in self.around():
            if each._escalation is not None and any(one is self for one in each._escalation.around()):
                each.escalated_by = None

    def resume(self) -> None:
        """Lets it go on after a pause."""
        self.outcome, self.is_cut, self._is_due, self.is_given_up = None, False, False, False
        for child in self.current:
            child._is_due = child.outcome == "paused"

    def finish(self, outcome: str, *, is_cut: bool) -> None:
        """Ends it. A child that was not started again before then no longer waits."""
        self.outcome, self.is_cut = outcome, is_cut
        for child in self.current:
            child.is_given_up = child.is_given_up or (child._is_due and not is_cut)
        if self.is_paused:
            self.run.asked.update(self.calls)


@dataclass(slots=True, eq=False)
class ModelCall:
    """A model call.

    Attributes:
        started: What was sent.
        seq: `seq` of that.
        run: Its run.
        finished: How it ended; None while it goes on.
        finished_at: `seq` of that.
        answer: `seq` of the event with the answer; None if there is none, or none yet.
    """

    started: ModelStarted
    seq: int
    run: Run
    finished: ModelFinished | None = None
    finished_at: int | None = None
    answer: int | None = None


@dataclass(slots=True, eq=False)
class ToolCall:
    """A tool call, the wait for the user's confirmation included.

    Attributes:
        started: The call; of one that was confirmed, the second one.
        seq: `seq` of the first.
        finished: How it last ended; None while it goes on.
    """

    started: ToolStarted
    seq: int
    finished: ToolFinished | None = None


Node = Run | AgentRun | ModelCall | ToolCall
