"""Where a paused or cut invocation stands: a fold over its log entries, so that nothing else has to be kept.

Agents run inside agents, one after the other within a branch, so their start and finish records nest like brackets; a
`Frame` is one such pair. Pure functions over values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from agents.log import EVENT_KIND, LogEntry

TOOL_MARK = ":"
"""Marks the branch of an agent called as a tool, where nothing pauses."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One agent's run in an invocation.

    Attributes:
        agent: The agent's name.
        branch: The parallel branch that it runs in.
        is_paused: Whether it is to be continued: it or an agent below it waits, or its log was cut.
        is_open: Whether it has not ended.
        is_cut: Whether its log was cut (`agents.runtime.cut`): it waits for nothing, and goes on after its last event.
        since: `seq` of its start.
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
    """

    invocation_id: str
    root: Frame | None = None
    status: str = ""
    agent: str = ""
    calls: int = 0
    tokens: tuple[int, int] = (0, 0)
    duration: float = 0.0
    asked: frozenset[str] = frozenset()

    @property
    def pending(self) -> tuple[str, ...]:
        """Ids of the calls that wait for an answer; none unless the invocation is paused."""
        return tuple(self.root.pending_calls()) if self.status == "paused" and self.root is not None else ()


def position_of(invocation_id: str, entries: Iterable[LogEntry]) -> Position:
    """Computes where an invocation stands.

    Args:
        invocation_id: The invocation.
        entries: The log from its first record on, in order; entries of other invocations are skipped.
    """
    fold = _Fold(invocation_id)
    for entry in entries:
        fold.seq = entry.seq
        if entry.kind == EVENT_KIND:
            if any(mark in entry.body for mark in _MARKS):
                fold.event(entry.fields())
        elif entry.kind in _RECORDS and (body := entry.fields()).get("invocation_id") == invocation_id:
            _RECORDS[entry.kind](fold, body)
    return fold.result()


_MARKS = ('"function_response"', '"long_running_tool_ids"', '"output_retry"', '"escalate":true')
"""What makes an event matter here; other events are not parsed."""


@dataclass(slots=True)
class _Run:
    """A frame while it is built."""

    agent: str
    branch: str | None
    since: int
    above: _Run | None = None
    outcome: str | None = None
    is_cut: bool = False
    is_due: bool = False
    is_given_up: bool = False
    escalation: _Run | None = None  # the run below that escalated last
    children: list[_Run] = field(default_factory=list["_Run"])
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    calls: list[str] = field(default_factory=list[str])

    @property
    def is_paused(self) -> bool:
        return self.outcome == "paused" and not self.is_given_up

    def around(self) -> Iterator[_Run]:
        """The runs that it is in, the innermost first."""
        above = self.above
        while above is not None:
            yield above
            above = above.above

    def frozen(self) -> Frame:
        children = tuple(child.frozen() for child in self.children)
        return Frame(
            self.agent,
            self.branch,
            is_paused=self.is_paused,
            is_open=self.outcome is None,
            is_cut=self.is_cut,
            since=self.since,
            children=children,
            calls=tuple(self.calls),
            **self.values,
        )


@dataclass(slots=True)
class _Spent:
    """What the model calls of an invocation came to, and its seconds."""

    calls: int = 0
    sent: int = 0
    received: int = 0
    duration: float = 0.0


class _Fold:
    def __init__(self, invocation_id: str) -> None:
        self.seq = 0
        """Of the entry that is taken in."""
        self._invocation_id = invocation_id
        self._root: _Run | None = None
        self._open: dict[str | None, list[_Run]] = {}
        self._callers: dict[str, _Run] = {}
        self._asked: set[str] = set()
        self._status = self._agent = ""
        self._spent = _Spent()
        self._before = _Spent()
        self._began = 0.0

    def event(self, body: dict[str, Any]) -> None:
        """Tracks which calls wait, whichever event answers them."""
        parts = _parts_of(body)
        for response in (part["function_response"] for part in parts if part.get("function_response")):
            call_id = str(response.get("id") or "")
            if (caller := self._callers.get(call_id)) is not None and call_id in caller.calls:
                caller.calls.remove(call_id)
        later = cast("list[str]", body.get("long_running_tool_ids") or [])
        run = self._innermost(body.get("branch"), str(body.get("author") or ""))
        if run is None or body.get("invocation_id") != self._invocation_id:
            return
        if "output_retry" in cast("dict[str, Any]", body.get("custom_metadata") or {}):
            run.values["retries"] = run.values.get("retries", 0) + 1
        if cast("dict[str, Any]", body.get("actions") or {}).get("escalate"):
            self._escalated(run)
        for call in (part["function_call"] for part in parts if part.get("function_call")):
            if (call_id := str(call.get("id") or "")) in later:
                self._callers[call_id] = run
                run.calls.append(call_id)

    def _escalated(self, run: _Run) -> None:
        for around in run.around():
            around.values["escalated_by"] = run.agent
            around.escalation = run

    def agent_started(self, body: dict[str, Any]) -> None:
        agent, branch = str(body.get("agent")), body.get("branch")
        if branch is not None and TOOL_MARK in branch:
            return
        above = self._above(branch)
        siblings = above.children if above is not None else [self._root] if self._root is not None else []
        again = (run for run in siblings if run.outcome == "paused" and (run.agent, run.branch) == (agent, branch))
        run = next(again, None) if body.get("resumed") else None
        if run is None:
            run = _Run(agent, branch, self.seq, above)
            siblings.append(run)
            if self._root is None:
                self._root = run
        else:
            run.outcome, run.is_cut, run.is_due, run.is_given_up = None, False, False, False
            for child in run.children:
                child.is_due = child.outcome == "paused"
        self._open.setdefault(branch, []).append(run)

    def _above(self, branch: str | None) -> _Run | None:
        """The parent of a run in `branch`: the innermost run there, else the one that made the branch."""
        if runs := self._open.get(branch):
            return runs[-1]
        if branch is None:
            return None
        around, _, _ = branch.rpartition(".")
        outer, _, parallel = around.rpartition(".")
        return self._innermost(outer or None, parallel)

    def _innermost(self, branch: str | None, agent: str) -> _Run | None:
        return next((run for run in reversed(self._open.get(branch, ())) if run.agent == agent), None)

    def agent_finished(self, body: dict[str, Any]) -> None:
        if (run := self._of(body)) is None:
            return
        runs = self._open[run.branch]
        del runs[runs.index(run) :]
        run.outcome, run.is_cut = str(body.get("outcome")), bool(body.get("cut"))
        if run.outcome == "ok":
            self._end_branches(run)
        for child in run.children:  # a child that was not started again before this run ended no longer waits
            child.is_given_up = child.is_given_up or (child.is_due and not run.is_cut)
        if run.is_paused:
            self._asked.update(run.calls)

    def _end_branches(self, run: _Run) -> None:
        """Ends what is open in the branches of a run that has ended: logs of older forks lack the records of it."""
        for child in run.children:
            if child.outcome is None and child.branch != run.branch:
                child.outcome = "ok"
                self._open[child.branch].clear()
                self._end_branches(child)

    def _of(self, body: dict[str, Any]) -> _Run | None:
        return self._innermost(body.get("branch"), str(body.get("agent")))

    def loop_iteration(self, body: dict[str, Any]) -> None:
        if (run := self._of(body)) is not None:
            run.values["iteration"] = body.get("iteration")
            run.values.pop("escalated_by", None)
            run.children.clear()
            for around in run.around():  # a loop that goes on has let no escalation through
                if around.escalation is not None and any(one is run for one in around.escalation.around()):
                    around.values.pop("escalated_by", None)

    def loop_escalated(self, body: dict[str, Any]) -> None:
        if (run := self._of(body)) is not None:
            run.values["escalated_by"] = body.get("by")

    def agent_callback(self, body: dict[str, Any]) -> None:
        if (run := self._of(body)) is not None:
            run.values["callback"] = body.get("callback")

    def route_decided(self, body: dict[str, Any]) -> None:
        if body.get("level") == "agent" and (run := self._of(body)) is not None:
            run.values["route"] = body.get("key")

    def transfer(self, body: dict[str, Any]) -> None:
        if (run := self._of(body)) is not None:
            run.values["transfer"] = body.get("to")

    def model_started(self, body: dict[str, Any]) -> None:
        self._spent.calls += 1
        if (run := self._of(body)) is not None:
            run.values["thinks"] = run.values.get("thinks", 0) + 1

    def model_finished(self, body: dict[str, Any]) -> None:
        used = cast("dict[str, int]", body.get("usage") or {})
        self._spent.sent += used.get("input", 0)
        self._spent.received += used.get("output", 0) + used.get("thoughts", 0)
        self._spent.duration = body.get("timestamp", 0.0) - self._began

    def run_started(self, body: dict[str, Any]) -> None:
        self._status, self._agent, self._began = "", str(body.get("agent")), body.get("timestamp", 0.0)
        self._before, self._spent = self._spent, _Spent()

    def run_finished(self, body: dict[str, Any]) -> None:
        tokens = cast("dict[str, int]", body.get("tokens") or {})
        self._status = body.get("status", "")
        self._before = _Spent()
        self._spent = _Spent(
            body.get("calls", 0), tokens.get("input", 0), tokens.get("output", 0), body.get("duration", 0.0)
        )

    def result(self) -> Position:
        before, spent = self._before, self._spent
        return Position(
            self._invocation_id,
            None if self._root is None else self._root.frozen(),
            status=self._status,
            agent=self._agent,
            calls=before.calls + spent.calls,
            tokens=(before.sent + spent.sent, before.received + spent.received),
            duration=before.duration + spent.duration,
            asked=frozenset(self._asked),
        )


def _parts_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    content = cast("dict[str, Any]", body.get("content") or {})
    return cast("list[dict[str, Any]]", content.get("parts") or [])


_RECORDS = {
    "agent_started": _Fold.agent_started,
    "agent_finished": _Fold.agent_finished,
    "agent_callback": _Fold.agent_callback,
    "loop_iteration": _Fold.loop_iteration,
    "loop_escalated": _Fold.loop_escalated,
    "route_decided": _Fold.route_decided,
    "transfer": _Fold.transfer,
    "model_started": _Fold.model_started,
    "model_finished": _Fold.model_finished,
    "run_started": _Fold.run_started,
    "run_finished": _Fold.run_finished,
}
