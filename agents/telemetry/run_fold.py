"""One run's log entries as spans: the run, its agents, and what each of them did."""

from __future__ import annotations

from collections.abc import Mapping

from agents.history.nodes import AgentRun, ModelCall, Node, ToolCall
from agents.history.run_tree import Body
from agents.records import (
    AgentCallback,
    AgentFinished,
    AgentStarted,
    FaultInjected,
    LoopEscalated,
    LoopFinished,
    LoopIteration,
    ModelFinished,
    ModelLoaded,
    ModelRetry,
    ModelStarted,
    NodeRetry,
    PlaybookGiven,
    Record,
    ReplayDrifted,
    RouteDecided,
    RunFinished,
    RunStarted,
    ToolFinished,
    ToolProtocol,
    ToolRecorded,
    ToolStarted,
    Transfer,
)
from agents.telemetry.content import Content, message, to_json
from agents.telemetry.memory_spans import MemoryOperations
from agents.telemetry.model_calls import ModelCalls
from agents.telemetry.span import Span, SpanEvent, Trace, attributes, short
from agents.telemetry.span_tree import OTHER_ERROR, SpanTree
from agents.telemetry.tool_calls import ToolCalls

WORKFLOWS = frozenset({"SequentialAgent", "ParallelAgent", "LoopAgent", "RoutedAgent", "Workflow"})
"""Types of agents that only run others: they are workflows by the conventions."""

NODES = frozenset({"FunctionNode", "JoinNode", "ToolNode", "ParallelWorker"})
"""Types of nodes of a graph that are no agents. The conventions have no span for them; this is the one of google-adk."""

_NOTES: dict[type[Record], tuple[str, ...]] = {
    AgentCallback: ("callback",),
    LoopIteration: ("iteration", "max_iterations"),
    LoopEscalated: ("by", "iteration"),
    LoopFinished: ("reason", "iterations", "by"),
    RouteDecided: ("level", "key", "candidates", "failed"),
    Transfer: ("to",),
    FaultInjected: ("fault", "target", "model", "seconds"),
    ModelRetry: ("model", "attempt", "delay", "code"),
    ModelLoaded: ("model", "seconds"),
    NodeRetry: ("node", "attempt", "delay"),
    ToolRecorded: ("tool",),
    ToolProtocol: ("model", "protocol"),
    ReplayDrifted: ("drifted",),
}
"""Records that become events of a span, with their fields that are no content."""

_OF_AGENTS = ("gen_ai.provider.name", "gen_ai.request.model")
"""Attributes that an agent has from its first model call."""


class RunFold:
    """The spans of one run.

    Args:
        pipeline: The run's pipeline.
        session_id: Its session.
        started: The run's first record.
        seq: `seq` of that.
        texts: The texts that its records name, by hash.
        content: What models were sent and said; None to leave all content out.
    """

    def __init__(
        self,
        pipeline: str,
        session_id: str,
        started: RunStarted,
        seq: int,
        *,
        texts: Mapping[str, str],
        content: Content | None,
    ) -> None:
        self._pipeline = short(pipeline)
        self._invocation_id = started.invocation_id
        self._content = content
        self._tree = SpanTree(session_id, self._invocation_id, seq)
        self._models = ModelCalls(self._tree, texts, content)
        self._tools = ToolCalls(self._tree, content=content is not None)
        self._memory = MemoryOperations(self._tree, content=content is not None)
        self._status = "running"
        self._wait: tuple[int, int] | None = None
        """`seq` and time of the pause that has not ended."""

    def trace(self) -> Trace:
        """The run as far as it was taken in; what is open ends at the last time seen."""
        for span in self._tree.still_open():
            span.end = self._tree.at
        agents = {span.span_id: span for span in self._tree.spans if span.name.startswith("invoke_agent")}
        for span in self._tree.spans:
            if (agent := agents.get(span.parent_id or "")) is not None and span.name.startswith("chat"):
                for name in _OF_AGENTS:
                    agent.attributes.setdefault(name, span.attributes[name])
        return Trace(self._invocation_id, self._status, self._tree.spans)

    def take(self, seq: int, item: Record | Body) -> None:
        """Takes in the next entry of the run, see `run_tree.read`."""
        tree = self._tree
        if not (isinstance(item, RunFinished) and item.status == "interrupted"):  # which is written when it is found
            tree.advance(item.timestamp if isinstance(item, Record) else item.get("timestamp"))
        if isinstance(item, AgentStarted):
            below = tree.parent(item.branch)  # as it is before the agent is at work there itself
            node = tree.runs.take(seq, item)
            assert isinstance(node, AgentRun)
            self._agent_started(seq, item, node, below)
        else:
            self._take(seq, item, tree.runs.take(seq, item))

    def _take(self, seq: int, item: Record | Body, node: Node | None) -> None:  # noqa: C901  one of each kind
        match item, node:
            case dict(), _:
                self._event(seq, item, node)
            case RunStarted(), _:
                self._run_started(seq, item)
            case RunFinished(), _:
                self._run_finished(seq, item)
            case AgentFinished(), AgentRun():
                self._agent_finished(item, node)
            case ModelStarted(), ModelCall():
                self._models.started(node)
            case ModelFinished(), ModelCall():
                self._models.finished(node, item)
            case ToolStarted(), ToolCall():
                self._tools.started(node)
            case ToolFinished(), ToolCall():
                self._tools.finished(node, item)
            case PlaybookGiven(), _:
                self._memory.given(seq, item)
            case Record(), _ if type(item) in _NOTES:
                self._note(item, node)
            case _:
                pass

    def _run_started(self, seq: int, record: RunStarted) -> None:
        tree = self._tree
        self._status = "running"
        if tree.root is not None:
            tree.reopen(tree.root)
            self._end_wait()
            return
        tree.root = tree.begin(seq, "invoke_workflow", self._pipeline, below=None)
        tree.root.set(
            {
                "gen_ai.operation.name": "invoke_workflow",
                "gen_ai.agent.name": self._pipeline,
                "gen_ai.workflow.name": self._pipeline,
                "playground.invocation.id": short(self._invocation_id),
                "playground.simulated": record.simulated,
                "playground.faults": record.faults or None,
            }
        )

    def _end_wait(self) -> None:
        if self._wait is not None:
            seq, since = self._wait
            self._tree.end(self._tree.begin(seq, "wait", below=self._tree.root, start=since))
            self._wait = None

    def _run_finished(self, seq: int, record: RunFinished) -> None:
        tree, self._status = self._tree, record.status
        for span in tree.still_open():
            if span is not tree.root:
                span.set({"playground.outcome": None if self._status == "paused" else self._status})
                tree.end(span)
        if self._status == "paused":
            self._wait = (seq, tree.at)
        assert tree.root is not None
        tree.root.set({"playground.run.status": self._status})
        if self._status in ("failed", "interrupted"):
            words = record.error_message or "" if self._content is not None else ""
            tree.fail(tree.root, short(record.error_code) or OTHER_ERROR, words)
        tree.end(tree.root)

    def _agent_started(self, seq: int, record: AgentStarted, agent: AgentRun, below: Span | None) -> None:
        if (paused := self._tree.of.get(agent)) is not None:
            self._tree.reopen(paused)
            return
        is_workflow = record.type in WORKFLOWS
        operation = "invoke_workflow" if is_workflow else "invoke_node" if record.type in NODES else "invoke_agent"
        name, branch = short(record.agent), short(record.branch) or None
        span = self._tree.of[agent] = self._tree.begin(seq, operation, name, below=below)
        span.set({"gen_ai.operation.name": operation, "gen_ai.agent.name": name})
        span.set({"gen_ai.workflow.name": name if is_workflow else None, "gen_ai.workflow.nested": is_workflow or None})
        span.set({"playground.agent.type": short(record.type), "playground.branch": branch})
        span.set({"playground.node.path": short(record.node) or None})

    def _agent_finished(self, record: AgentFinished, agent: AgentRun) -> None:
        span = self._tree.of[agent]
        if record.outcome != "paused":
            span.set({"playground.outcome": short(record.outcome)})
        if record.outcome == "error":
            self._tree.fail(span, self._tree.failure_within(span))
        self._tree.end(span)

    def _event(self, seq: int, body: Body, node: Node | None) -> None:
        self._tools.said(body)
        self._memory.changed(seq, body)
        if body.get("author") == "user":
            self._message(body)
        elif isinstance(node, ModelCall):
            self._models.answered(node, body)

    def _message(self, body: Body) -> None:
        root = self._tree.root
        assert root is not None
        if self._content is not None and body.get("content") and "gen_ai.input.messages" not in root.attributes:
            root.set({"gen_ai.input.messages": to_json([message(body["content"])])})

    def _note(self, record: Record, node: Node | None) -> None:
        span = self._tree.of[node] if isinstance(node, ModelCall) else self._tree.parent(record.branch)
        assert span is not None
        fields = (*_NOTES[type(record)], "reason", "error") if self._content is not None else _NOTES[type(record)]
        told = {name: value for name in fields if (value := getattr(record, name, None)) != ""}
        known = attributes({f"playground.{name}": value for name, value in told.items()})
        span.events.append(SpanEvent(record.kind, self._tree.at, known))
