"""Where a paused or cut invocation stands, computed from its log entries, so that nothing else has to be kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from agents.history.branches import GRAPH_MARK, TOOL_MARK, is_in_tool
from agents.history.nodes import AgentRun, Run
from agents.history.run_tree import RunTree
from agents.log import EVENT_KIND, LogEntry
from agents.records import (
    AgentCallback,
    AgentFinished,
    AgentStarted,
    LoopEscalated,
    LoopIteration,
    ModelFinished,
    ModelStarted,
    RouteDecided,
    RunFinished,
    RunStarted,
    ToolFinished,
    ToolStarted,
    Transfer,
)
from agents.runtime.confirmation import REQUEST_CONFIRMATION, asked_about


@dataclass(frozen=True, slots=True)
class Frame:
    """One agent's run in an invocation.

    Attributes:
        agent: The agent's name.
        branch: The parallel branch that it runs in.
        is_paused: Whether it is to be continued: it or an agent below it waits, or its log was cut.
        is_open: Whether it has not ended.
        is_cut: Whether its log was cut (see `resumable_log`): it waits for nothing, and goes on after its last event.
        since: `seq` of its start.
        node: As a node of a graph: the path of its run.
        is_done: Whether it ended without an error.
        until: `seq` of its end.
        is_delegated: Whether an event below it has told its output; the nodes after it were given `output`.
        output: What it gave then.
        callback: The last of its agent callbacks that became an event: "before", "answer" (in place of the agent), "after".
        children: The runs below it, in the order of their start; of a loop, those of the current pass.
        iteration: Of a loop: the current pass, from 1.
        escalated_by: Of a loop or a parallel block: the agent below it that escalated in the current pass.
        route: Of a router: the key it chose.
        transfer: The agent that it transferred to.
        thinks: How often its model was called.
        retries: How often its model was asked again because its answer did not fit.
        calls: Ids of its calls that wait for an answer.
    """

    agent: str
    branch: str | None = None
    is_paused: bool = False
    is_open: bool = False
    is_cut: bool = False
    since: int = field(default=0, compare=False)
    node: str = ""
    is_done: bool = False
    until: int | None = field(default=None, compare=False)
    is_delegated: bool = False
    output: Any = None
    callback: str | None = None
    children: tuple[Frame, ...] = ()
    iteration: int = 0
    escalated_by: str | None = None
    route: str | None = None
    transfer: str | None = None
    thinks: int = 0
    retries: int = 0
    calls: tuple[str, ...] = ()

    @property
    def waiting(self) -> tuple[Frame, ...]:
        """The runs below it that are to be continued."""
        return tuple(child for child in self.children if child.is_paused)

    def pending_calls(self) -> Iterator[str]:
        """Ids of the calls that wait for an answer, here and below."""
        if self.is_paused:
            yield from self.calls
            for child in self.children:
                yield from child.pending_calls()


@dataclass(frozen=True, slots=True)
class Position:
    """Where an invocation stands.

    Attributes:
        invocation_id: Names it.
        root: Its first agent; None if none was started.
        status: How it ended last; "" while it runs.
        agent: The agent that its records name.
        calls: Model calls made.
        tokens: Tokens (sent, received).
        duration: Seconds that it ran, pauses left out.
        asked: Ids of all calls that it has paused for.
        called: Agents that were called as tools and are paused, and graphs that have not ended, by branch.
        begun: Of one that was cut off, ids of the tool calls that had begun: no result and no question came of them.
    """

    invocation_id: str
    root: Frame | None = None
    status: str = ""
    agent: str = ""
    calls: int = 0
    tokens: tuple[int, int] = (0, 0)
    duration: float = 0.0
    asked: frozenset[str] = frozenset()
    called: Mapping[str, Frame] = field(default_factory=dict[str, Frame])
    begun: frozenset[str] = frozenset()

    @property
    def pending(self) -> tuple[str, ...]:
        """Ids of the calls that wait for an answer; none unless the invocation is paused."""
        if self.status != "paused" or self.root is None:
            return ()
        return tuple(call for frame in (self.root, *self.called.values()) for call in frame.pending_calls())


def position_of(invocation_id: str, entries: Iterable[LogEntry]) -> Position:
    """Computes where an invocation stands.

    Args:
        invocation_id: The invocation.
        entries: The log from its first record on, in order; entries of other invocations are skipped.
    """
    tree, entries = RunTree(), list(entries)
    for entry in counting(entries):
        if entry.kind == EVENT_KIND:
            if any(mark in entry.body for mark in _MARKS):
                tree.take(entry.seq, entry.fields())
        elif entry.kind in _KINDS and (record := entry.record()).invocation_id == invocation_id:
            tree.take(entry.seq, record)
    run = tree.runs.get(invocation_id)
    if run is None:
        return Position(invocation_id)
    return _position(run, _begun_calls(entries) if run.ended is not None and run.ended.cut_off else frozenset())


_MARKS = ('"function_response"', '"long_running_tool_ids"', '"output_retry"', '"escalate":true')
"""What makes an event matter here; other events are not parsed."""

_CUT, _CUT_OFF = '"cut":true', '"cut_off":true'

_SETTLING = ('"function_response"', REQUEST_CONFIRMATION)
"""What makes an event matter to the calls that have begun."""

_KINDS = frozenset(
    kind.kind
    for kind in (
        *(RunStarted, RunFinished, AgentStarted, AgentFinished, AgentCallback, LoopIteration, LoopEscalated, RouteDecided),
        *(Transfer, ModelStarted, ModelFinished, ToolStarted, ToolFinished),
    )
)


def _position(run: Run, begun: frozenset[str]) -> Position:
    spent = run.in_all
    return Position(
        run.invocation_id,
        _frame(run.agents[0]) if run.agents else None,
        status="" if run.ended is None else run.ended.status,
        agent="" if run.started is None else run.started.agent,
        calls=spent.calls,
        tokens=(spent.sent, spent.received),
        duration=spent.duration,
        asked=frozenset(run.asked),
        called={
            agent.branch: _frame(agent)
            for agent in run.called
            if agent.branch is not None and (agent.is_paused or (agent.outcome is None and GRAPH_MARK in agent.branch))
        },
        begun=begun,
    )


def _frame(agent: AgentRun) -> Frame:
    return Frame(
        agent.agent,
        agent.branch,
        is_paused=agent.is_paused,
        is_open=agent.outcome is None,
        is_cut=agent.is_cut,
        since=agent.since,
        node=agent.node,
        is_done=bool(agent.node) and agent.outcome == "ok",
        until=agent.until,
        is_delegated=agent.is_delegated,
        output=agent.output,
        callback=agent.callback,
        children=tuple(_frame(child) for child in agent.current if is_in_tool(child.branch) == is_in_tool(agent.branch)),
        iteration=agent.iteration,
        escalated_by=agent.escalated_by,
        route=agent.route,
        transfer=agent.transfer,
        thinks=agent.thinks,
        retries=agent.retries,
        calls=tuple(agent.calls),
    )


# -- runs that were cut off


def counting(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """The entries of an invocation without those that were under way each time it was cut off."""
    kept: list[LogEntry] = []
    start = 0
    for entry in entries:
        if entry.kind == RunStarted.kind:
            start = len(kept)
        kept.append(entry)
        if entry.kind == RunFinished.kind and _CUT_OFF in entry.body:
            closing = len(kept) - 1
            while closing > start and kept[closing - 1].kind == AgentFinished.kind and _CUT in kept[closing - 1].body:
                closing -= 1
            kept[start:closing] = settled(kept[start:closing])
    return kept


def _begun_calls(entries: Iterable[LogEntry]) -> frozenset[str]:
    """Ids of the tool calls of an invocation that have begun, and of which nothing came since: no result, no question."""
    begun: set[str] = set()
    for entry in entries:
        if (started := entry.of(ToolStarted)) is not None:
            begun.add(started.call_id)
        elif begun and entry.kind == EVENT_KIND and any(mark in entry.body for mark in _SETTLING):
            event = entry.event()
            begun.difference_update(response.id or "" for response in event.get_function_responses())
            asked = (call for call in event.get_function_calls() if call.name == REQUEST_CONFIRMATION)
            begun.difference_update(asked_about(call)[0] for call in asked)
    return frozenset(begun)


def settled(entries: Sequence[LogEntry]) -> list[LogEntry]:
    """The entries of a run without what was under way when they end.

    Those after its last event are left out, for each parallel branch separately, and so is everything of an agent that was
    being called as a tool: that call is made again. A graph that was being called goes on in that call.
    """
    branches = [branch_of(entry) for entry in entries]
    unanswered = _unanswered_tool_branches(entries, branches)
    spoken = _Branches()
    kept: list[LogEntry] = []
    for entry, branch in zip(reversed(entries), reversed(branches), strict=True):
        ended = entry.of(AgentFinished)
        if (tool := _tool_branch(branch)) in unanswered:
            is_graph = tool is not None and GRAPH_MARK in tool
            if not is_graph or (ended is not None and branch == tool and "/" not in ended.node):
                continue
        if entry.kind == EVENT_KIND or (ended is not None and ended.node):  # a node that has ended is not run again
            spoken.add(branch)
        if branch in spoken:
            kept.append(entry)
            if ended is not None:
                spoken.add_ended(branch, ended.agent)
    return kept[::-1]


class _Branches:
    """Branches that have an event, those around them, and those of parallel blocks that have ended."""

    def __init__(self) -> None:
        self._names: set[str | None] = set()
        self._ended: set[str] = set()

    def add(self, branch: str | None) -> None:
        while branch is not None and branch not in self._names:
            self._names.add(branch)
            branch = branch.rpartition(".")[0] or None
        self._names.add(None)

    def add_ended(self, branch: str | None, agent: str) -> None:
        """Adds the branches that an agent has made which has ended; nothing in them was under way since."""
        self._ended.add(agent if branch is None else f"{branch}.{agent}")

    def __contains__(self, branch: str | None) -> bool:
        if branch in self._names:
            return True
        while branch is not None:
            branch = branch.rpartition(".")[0] or None
            if branch in self._ended:
                return True
        return False


def _tool_branch(branch: str | None) -> str | None:
    """The outermost branch of an agent called as a tool that `branch` is in, if any."""
    if branch is None or TOOL_MARK not in branch:
        return None
    above, mark, rest = branch.partition(TOOL_MARK)
    return above + mark + rest.partition(".")[0]


def branch_of(entry: LogEntry) -> str | None:
    """An entry's branch; its body is parsed only if it may have one."""
    return entry.fields().get("branch") if '"branch"' in entry.body else None


def _unanswered_tool_branches(entries: Sequence[LogEntry], branches: Sequence[str | None]) -> set[str | None]:
    """The branches of agents called as tools whose callers have no response yet."""
    calling: dict[str | None, set[str]] = {}
    for entry, branch in zip(entries, branches, strict=True):
        if (tool := _tool_branch(branch)) is not None:
            calling.setdefault(tool.rpartition(".")[0] or None, set()).add(tool)
        elif branch in calling and entry.kind == EVENT_KIND and _has_response(entry.fields()):
            del calling[branch]
    return {tool for tools in calling.values() for tool in tools}


def _has_response(body: dict[str, Any]) -> bool:
    content = cast("dict[str, Any]", body.get("content") or {})
    return any("function_response" in part for part in cast("list[dict[str, Any]]", content.get("parts") or []))
