"""Tool calls as spans `execute_tool`: one a call, from its start to its result, a wait for the user included."""

from __future__ import annotations

from typing import Any, cast

from agents.history.nodes import ToolCall
from agents.records import ToolFinished
from agents.telemetry.content import to_json
from agents.telemetry.span import short
from agents.telemetry.span_tree import CANCELLED, SpanTree, error_name


class ToolCalls:
    """The tool calls of a run."""

    def __init__(self, tree: SpanTree, *, content: bool) -> None:
        self._tree = tree
        self._content = content
        self._unanswered: dict[tuple[str | None, str], ToolCall] = {}
        """Calls whose result is to come in an event, by branch and call id."""
        self._arguments: dict[str, Any] = {}

    def started(self, call: ToolCall) -> None:
        """Takes in the start of a call, or that the user has confirmed or refused it."""
        record = call.started
        span = self._tree.of.get(call)
        if span is None:
            tool = short(record.tool)
            span = self._tree.begin(call.seq, "execute_tool", tool, below=self._tree.parent(record.branch))
            self._tree.of[call] = span
            span.set(
                {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": tool,
                    "gen_ai.tool.type": "function",
                    "gen_ai.tool.call.id": short(record.call_id),
                    "gen_ai.agent.name": short(record.agent),
                }
            )
        else:
            self._tree.reopen(span)
        self._unanswered.pop((record.branch, record.call_id), None)
        span.set({"playground.tool.confirmed": record.confirmed})
        arguments = self._arguments.get(record.call_id) if record.edited_args is None else record.edited_args
        if self._content and arguments is not None:
            span.set({"gen_ai.tool.call.arguments": to_json(arguments)})

    def finished(self, call: ToolCall, record: ToolFinished) -> None:
        """Takes in the end of a call."""
        span, error = self._tree.of[call], record.error or ""
        if error == CANCELLED:
            span.set({"playground.outcome": CANCELLED})
        elif error:
            self._tree.fail(span, error_name(error), error if self._content else "")
        self._unanswered[record.branch, record.call_id] = call
        self._tree.end(span)

    def said(self, body: dict[str, Any]) -> None:
        """Takes in an event: calls with their arguments, and results."""
        content = cast("dict[str, Any]", body.get("content") or {})
        for part in cast("list[dict[str, Any]]", content.get("parts") or []):
            if call := cast("dict[str, Any] | None", part.get("function_call")):
                self._arguments[str(call.get("id") or "")] = call.get("args") or {}
            elif answer := cast("dict[str, Any] | None", part.get("function_response")):
                self._answer(body.get("branch"), answer)

    def _answer(self, branch: str | None, answer: dict[str, Any]) -> None:
        call = self._unanswered.pop((branch, str(answer.get("id") or "")), None)
        if call is None:
            return
        span = self._tree.of[call]
        if call.finished is not None and call.finished.waits:
            self._tree.end(span)  # the user's answer is the result
        if self._content:
            span.set({"gen_ai.tool.call.result": to_json(answer.get("response"))})
