"""The run tree: what the records of a log say of its runs, agents, model calls and tool calls.

One fold that takes a log entry by entry, in time linear in its length. Agents run inside agents, one after the other within
a branch, so their start and finish records nest like brackets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, cast

from agents.history.branches import GRAPH_MARK, TOOL_MARK, around
from agents.history.nodes import AgentRun, ModelCall, Node, Run, Spent, ToolCall
from agents.log import EVENT_KIND, LogEntry
from agents.records import (
    AgentCallback,
    AgentFinished,
    AgentStarted,
    LoopEscalated,
    LoopIteration,
    ModelFinished,
    ModelStarted,
    Record,
    RouteDecided,
    RunFinished,
    RunStarted,
    ToolFinished,
    ToolStarted,
    Transfer,
)

Body = dict[str, Any]
"""The body of an event, as the log has it."""

_MOST_BRANCHES = 10
"""Branches that are looked for by one call id; see `AgentTool`."""


def read(entry: LogEntry) -> Record | Body:
    """An entry as the fold takes it: its trace record, or the body of its event."""
    return entry.fields() if entry.kind == EVENT_KIND else entry.record()


_Place = tuple[str, str | None]
"""Agent and branch; of a graph's node: its path and the invocation."""


class RunTree:
    """The runs of a log so far.

    Attributes:
        runs: By invocation id, in order.
    """

    def __init__(self) -> None:
        self.runs: dict[str, Run] = {}
        self._open: dict[str | None, list[AgentRun]] = {}
        self._nodes: dict[_Place, AgentRun] = {}
        self._callers: dict[str, AgentRun] = {}
        self._calls: dict[tuple[str, str, str], ModelCall] = {}
        self._latest: dict[_Place, ModelCall] = {}
        self._tools: dict[tuple[str | None, str], ToolCall] = {}
        self._waiting: dict[tuple[str | None, str], ToolCall] = {}

    def take(self, seq: int, item: Record | Body) -> Node | None:
        """Takes the next entry, see `read`, and returns what it is about; None where the tree has nothing of it."""
        if isinstance(item, Record):
            take = _TAKES.get(type(item))
            return self.open_call(item) if take is None else take(self, seq, item)
        return self._event(seq, item)

    def open_in(self, branch: str | None) -> list[AgentRun]:
        """The agents that run in a branch, outermost first."""
        return self._open.get(branch, [])

    def latest_call(self, agent: str, branch: str | None) -> ModelCall | None:
        """The last model call of an agent in the run that goes on."""
        return self._latest.get((agent, branch))

    def open_call(self, record: Record) -> ModelCall | None:
        """The model call under way that a record belongs to."""
        return self._calls.get(_key(record))

    def at_work(self, branch: str | None) -> AgentRun | ToolCall | None:
        """The agent at work in a branch, else the tool call that the branch belongs to, else those around it."""
        while branch is not None:
            if running := self._open.get(branch):
                return running[-1]
            if (tool := self._tool_of(branch)) is not None:
                return tool
            branch = around(branch)
        running = self._open.get(None)
        return running[-1] if running else None

    # -- entries

    def _event(self, seq: int, body: Body) -> ModelCall | None:
        author, branch = str(body.get("author") or ""), body.get("branch")
        parts = cast("list[Body]", cast("Body", body.get("content") or {}).get("parts") or [])
        for response in (part["function_response"] for part in parts if part.get("function_response")):
            call_id = str(response.get("id") or "")
            if (caller := self._callers.get(call_id)) is not None and call_id in caller.calls:
                caller.calls.remove(call_id)
        agent = self._speaker(body, branch, author)
        if agent is not None and body.get("invocation_id") == agent.run.invocation_id:
            self._take_actions(agent, body, parts)
        call = self._latest.get((author, branch))
        if call is None or call.answer is not None:
            return None
        if body.get("stop_reason") is None and (call.finished is None or not call.finished.becomes_event):
            return None
        call.answer = seq
        return call

    def _speaker(self, body: Body, branch: str | None, author: str) -> AgentRun | None:
        """The agent that an event is of; of a graph, its node, or an agent that the node runs."""
        found = self._innermost(branch, author)
        path = cast("Body", body.get("node_info") or {}).get("path")
        node = self._nodes.get((path, body.get("invocation_id"))) if path else None
        return found if node is None or (found is not None and node in (found, *found.around())) else node

    def _take_actions(self, agent: AgentRun, body: Body, parts: list[Body]) -> None:
        if "output_retry" in cast("Body", body.get("custom_metadata") or {}):
            agent.retries += 1
        if cast("Body", body.get("actions") or {}).get("escalate"):
            agent.escalates()
        if later := cast("list[str]", body.get("long_running_tool_ids") or []):
            for call in (part["function_call"] for part in parts if part.get("function_call")):
                if (call_id := str(call.get("id") or "")) in later:
                    self._callers[call_id] = agent
                    agent.calls.append(call_id)

    def _run_started(self, seq: int, record: RunStarted) -> Run:
        run = self._run(seq, record)
        run.started, run.ended = record, None
        run.before, run.spent = run.spent, Spent()
        return run

    def _run_finished(self, seq: int, record: RunFinished) -> Run:
        """Ends a run, and agents that the end of a killed process left open."""
        run = self._run(seq, record)
        run.ended, run.before = record, Spent()
        tokens = record.tokens
        run.spent = Spent(record.calls, tokens.get("input", 0), tokens.get("output", 0), record.duration)
        for ended in (self._open, self._latest, self._calls, self._tools):
            ended.clear()
        return run

    def _run(self, seq: int, record: Record) -> Run:
        if (run := self.runs.get(record.invocation_id)) is None:
            run = self.runs[record.invocation_id] = Run(record.invocation_id, seq)
        return run

    def _agent_started(self, seq: int, record: AgentStarted) -> AgentRun:
        name, branch, run = record.agent, record.branch, self._run(seq, record)
        above = self._nodes.get((record.node.rpartition("/")[0], record.invocation_id)) if "/" in record.node else None
        above = above or self._above(branch)
        beside = above.current if isinstance(above, AgentRun) else run.called if above is not None else run.agents
        place = (name, branch, record.node)
        again = (each for each in beside if each.outcome == "paused" and (each.agent, each.branch, each.node) == place)
        agent = next(again, None) if record.resumed else None
        if agent is not None:
            agent.resume()
        else:
            agent = AgentRun(name, branch, seq, run, above, record.node)
            if above is None:
                run.agents.append(agent)
            elif isinstance(above, AgentRun):
                above.children.append(agent)
            else:
                run.called.append(agent)
        self._open.setdefault(branch, []).append(agent)
        if record.node:
            self._nodes[record.node, record.invocation_id] = agent
        return agent

    def _agent_finished(self, seq: int, record: AgentFinished) -> AgentRun | None:
        if record.node:  # nodes of a graph may run at the same time in one branch
            if (agent := self._nodes.get((record.node, record.invocation_id))) is None:
                return None
            running = self._open.get(agent.branch, [])
            if agent in running:
                running.remove(agent)
        else:
            if (agent := self._of(record)) is None:
                return None
            running = self._open[agent.branch]
            del running[running.index(agent) :]
        agent.until, agent.is_delegated, agent.output = seq, record.delegated, record.output
        if record.outcome == "ok":
            self._end_branches(agent)
        agent.finish(record.outcome, is_cut=record.cut)
        return agent

    def _end_branches(self, agent: AgentRun) -> None:
        """Ends what is open in the branches of an agent that has ended: logs of older forks lack the records of it."""
        for child in agent.current:
            if child.outcome is None and child.branch != agent.branch:
                child.outcome = "ok"
                self._open.pop(child.branch, None)
                self._end_branches(child)

    def _loop_iteration(self, _seq: int, record: LoopIteration) -> AgentRun | None:
        if (agent := self._of(record)) is not None:
            agent.begin_pass(record.iteration)
        return agent

    def _loop_escalated(self, _seq: int, record: LoopEscalated) -> AgentRun | None:
        if (agent := self._of(record)) is not None:
            agent.escalated_by = record.by
        return agent

    def _agent_callback(self, _seq: int, record: AgentCallback) -> AgentRun | None:
        if (agent := self._of(record)) is not None:
            agent.callback = record.callback
        return agent

    def _route_decided(self, _seq: int, record: RouteDecided) -> Node | None:
        agent = self._of(record)
        if agent is not None and record.level == "agent":
            agent.route = record.key
        return self.open_call(record) or agent

    def _transfer(self, _seq: int, record: Transfer) -> AgentRun | None:
        if (agent := self._of(record)) is not None:
            agent.transfer = record.to
        return agent

    def _model_started(self, seq: int, record: ModelStarted) -> ModelCall:
        run = self._run(seq, record)
        run.spent.calls += 1
        if (agent := self._of(record)) is not None:
            agent.thinks += 1
        call = ModelCall(record, seq, run)
        run.calls.append(call)
        self._calls[_key(record)] = call
        self._latest[record.agent, record.branch] = call
        return call

    def _model_finished(self, seq: int, record: ModelFinished) -> ModelCall | None:
        run = self._run(seq, record)
        run.spent.sent += record.usage.get("input") or 0
        run.spent.received += record.received
        run.spent.duration = record.timestamp - (0.0 if run.started is None else run.started.timestamp)
        call = self._calls.pop(_key(record), None)
        if call is not None:
            call.finished, call.finished_at = record, seq
        return call

    def _tool_started(self, seq: int, record: ToolStarted) -> ToolCall:
        key = (record.branch, record.call_id)
        call = self._waiting.pop(key, None)
        if call is None:
            call = ToolCall(record, seq)
        else:
            call.started, call.finished = record, None
        self._tools[key] = call
        return call

    def _tool_finished(self, _seq: int, record: ToolFinished) -> ToolCall | None:
        key = (record.branch, record.call_id)
        call = self._tools.pop(key, None)
        if call is not None:
            call.finished = record
            if record.waits:
                self._waiting[key] = call
        return call

    # -- places

    def _of(self, record: Record) -> AgentRun | None:
        return self._innermost(record.branch, record.agent)

    def _innermost(self, branch: str | None, agent: str) -> AgentRun | None:
        return next((each for each in reversed(self._open.get(branch, ())) if each.agent == agent), None)

    def _above(self, branch: str | None) -> AgentRun | ToolCall | None:
        """What an agent in `branch` runs in: the innermost agent there, else what made the branch."""
        if running := self._open.get(branch):
            return running[-1]
        if branch is None:
            return None
        if TOOL_MARK in branch.rpartition(".")[2]:
            return self.at_work(branch)
        outer, _, parallel = (around(branch) or "").rpartition(".")
        return self._innermost(outer or None, parallel)

    def _tool_of(self, branch: str) -> ToolCall | None:
        """The tool call under way that a branch was made for."""
        name, is_tool, mark = branch.rpartition(".")[2].replace(GRAPH_MARK, TOOL_MARK).partition(TOOL_MARK)
        if not is_tool:
            return None
        above = around(branch)
        calls = [call for (where, _), call in self._tools.items() if where == above and call.started.tool == name]
        if len(calls) < 2:  # noqa: PLR2004
            return calls[0] if calls else None
        return next((call for call in calls if mark in _marks(call.started.call_id, len(mark))), calls[-1])


def _key(record: Record) -> tuple[str, str, str]:
    return record.invocation_id, str(record.call), record.agent  # logs from elsewhere may hold another thing than a number


def _marks(call_id: str, length: int) -> set[str]:
    seeds = (call_id, *(f"{call_id}#{number}" for number in range(1, _MOST_BRANCHES)))
    return {hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:length] for seed in seeds}


_TAKES: dict[type[Record], Callable[[RunTree, int, Any], Node | None]] = {
    RunStarted: RunTree._run_started,  # pyright: ignore[reportPrivateUsage]  the table of its own methods
    RunFinished: RunTree._run_finished,  # pyright: ignore[reportPrivateUsage]
    AgentStarted: RunTree._agent_started,  # pyright: ignore[reportPrivateUsage]
    AgentFinished: RunTree._agent_finished,  # pyright: ignore[reportPrivateUsage]
    AgentCallback: RunTree._agent_callback,  # pyright: ignore[reportPrivateUsage]
    LoopIteration: RunTree._loop_iteration,  # pyright: ignore[reportPrivateUsage]
    LoopEscalated: RunTree._loop_escalated,  # pyright: ignore[reportPrivateUsage]
    RouteDecided: RunTree._route_decided,  # pyright: ignore[reportPrivateUsage]
    Transfer: RunTree._transfer,  # pyright: ignore[reportPrivateUsage]
    ModelStarted: RunTree._model_started,  # pyright: ignore[reportPrivateUsage]
    ModelFinished: RunTree._model_finished,  # pyright: ignore[reportPrivateUsage]
    ToolStarted: RunTree._tool_started,  # pyright: ignore[reportPrivateUsage]
    ToolFinished: RunTree._tool_finished,  # pyright: ignore[reportPrivateUsage]
}
