"""One run's log entries as spans: the run, its agents, and what each of them did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agents.log import EVENT_KIND, LogEntry
from agents.models.simulated.model import SIMULATED_MARK
from agents.telemetry.content import Content, message, to_json
from agents.telemetry.memory_spans import MemoryOperations
from agents.telemetry.model_calls import ModelCalls
from agents.telemetry.span import Span, SpanEvent, Trace, attributes, short
from agents.telemetry.span_tree import OTHER_ERROR, SpanTree, branch_of
from agents.telemetry.tool_calls import ToolCalls

WORKFLOWS = frozenset({"SequentialAgent", "ParallelAgent", "LoopAgent", "RoutedAgent"})
"""Types of agents that only run others: they are workflows by the conventions."""

_NOTES = {
    "agent_callback": ("callback",),
    "loop_iteration": ("iteration", "max_iterations"),
    "loop_escalated": ("by", "iteration"),
    "loop_finished": ("reason", "iterations", "by"),
    "route_decided": ("level", "key", "candidates", "failed"),
    "transfer": ("to",),
    "fault_injected": ("fault", "target", "model", "seconds"),
    "model_retry": ("model", "attempt", "delay", "code"),
    "model_loaded": ("model", "seconds"),
    "tool_recorded": ("tool",),
    "tool_protocol": ("model", "protocol"),
    "replay_drifted": ("drifted",),
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
        texts: The texts that its records name, by hash.
        content: What models were sent and said; None to leave all content out.
    """

    def __init__(
        self, pipeline: str, session_id: str, started: LogEntry, *, texts: Mapping[str, str], content: Content | None
    ) -> None:
        self._pipeline = short(pipeline)
        self._invocation_id = str(started.fields().get("invocation_id") or "")
        self._content = content
        self._tree = SpanTree(session_id, started.seq)
        self._models = ModelCalls(self._tree, texts, content)
        self._tools = ToolCalls(self._tree, content=content is not None)
        self._memory = MemoryOperations(self._tree, content=content is not None)
        self._status = "running"
        self._paused: dict[tuple[str, str], list[Span]] = {}
        self._wait: tuple[int, int] | None = None
        """`seq` and time of the pause that has not ended."""
        self._takes: dict[str, Callable[[int, dict[str, Any]], None]] = {
            "run_started": self._run_started,
            "run_finished": self._run_finished,
            "agent_started": self._agent_started,
            "agent_finished": self._agent_finished,
            "model_started": self._models.started,
            "model_finished": self._models.finished,
            "tool_started": self._tools.started,
            "tool_finished": self._tools.finished,
            "playbook_given": self._memory.given,
            EVENT_KIND: self._event,
        }

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

    def take(self, entry: LogEntry, body: dict[str, Any]) -> None:
        """Takes in the next entry of the run."""
        if entry.kind != "run_finished" or body.get("status") != "interrupted":  # which is written when it is found
            self._tree.advance(body.get("timestamp"))
        if (take := self._takes.get(entry.kind)) is not None:
            take(entry.seq, body)
        elif entry.kind in _NOTES:
            self._note(entry.kind, body)

    def _run_started(self, seq: int, body: dict[str, Any]) -> None:
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
                "playground.invocation.id": short(self._invocation_id),
                "playground.simulated": bool(body.get(SIMULATED_MARK)),
                "playground.faults": body.get("faults") or None,
            }
        )

    def _end_wait(self) -> None:
        if self._wait is not None:
            seq, since = self._wait
            self._tree.end(self._tree.begin(seq, "wait", below=self._tree.root, start=since))
            self._wait = None

    def _run_finished(self, seq: int, body: dict[str, Any]) -> None:
        tree, self._status = self._tree, str(body.get("status") or "completed")
        for span in tree.still_open():
            if span is not tree.root:
                span.set({"playground.outcome": None if self._status == "paused" else self._status})
                tree.end(span)
        if self._status == "paused":
            self._wait = (seq, tree.at)
        tree.agents.clear()
        tree.tools.clear()
        self._models.clear()
        assert tree.root is not None
        tree.root.set({"playground.run.status": self._status})
        if self._status in ("failed", "interrupted"):
            words = str(body.get("error_message") or "") if self._content is not None else ""
            tree.fail(tree.root, short(body.get("error_code")) or OTHER_ERROR, words)
        tree.end(tree.root)

    def _agent_started(self, seq: int, body: dict[str, Any]) -> None:
        branch, name = branch_of(body), str(body.get("agent") or "")
        paused = self._paused.get((branch, name)) if body.get("resumed") else None
        if paused:
            span = paused.pop()
            self._tree.reopen(span)
        else:
            kind = str(body.get("type") or "")
            operation = "invoke_workflow" if kind in WORKFLOWS else "invoke_agent"
            span = self._tree.begin(seq, operation, short(name), below=self._tree.parent(branch))
            span.set({"gen_ai.operation.name": operation, "gen_ai.agent.name": short(name)})
            span.set({"playground.agent.type": short(kind), "playground.branch": short(branch) or None})
        self._tree.agents.setdefault(branch, []).append((name, span))

    def _agent_finished(self, _seq: int, body: dict[str, Any]) -> None:
        branch, name = branch_of(body), str(body.get("agent") or "")
        stack = self._tree.agents.get(branch, [])
        place = next((place for place in reversed(range(len(stack))) if stack[place][0] == name), None)
        if place is None:
            return
        _, span = stack.pop(place)
        outcome = str(body.get("outcome") or "ok")
        if outcome == "paused":
            self._paused.setdefault((branch, name), []).append(span)
        else:
            span.set({"playground.outcome": short(outcome)})
        if outcome == "error":
            self._tree.fail(span, self._tree.failure_within(span))
        self._tree.end(span)

    def _event(self, seq: int, body: dict[str, Any]) -> None:
        self._tools.said(body)
        self._memory.changed(seq, body)
        if body.get("author") == "user":
            self._message(body)
        else:
            self._models.answered(body)

    def _message(self, body: dict[str, Any]) -> None:
        root = self._tree.root
        assert root is not None
        if self._content is not None and body.get("content") and "gen_ai.input.messages" not in root.attributes:
            root.set({"gen_ai.input.messages": to_json([message(body["content"])])})

    def _note(self, kind: str, body: dict[str, Any]) -> None:
        span = self._models.of(body) or self._tree.parent(branch_of(body))
        assert span is not None
        fields = (*_NOTES[kind], "reason", "error") if self._content is not None else _NOTES[kind]
        told = {f"playground.{name}": body.get(name) for name in fields}
        span.events.append(SpanEvent(kind, self._tree.at, attributes(told)))
