"""Tool calls as spans `execute_tool`: one a call, from its start to its result, a wait for the user included."""

from __future__ import annotations

from typing import Any, cast

from agents.telemetry.content import to_json
from agents.telemetry.span import Span, short
from agents.telemetry.span_tree import CANCELLED, SpanTree, branch_of, error_name


class ToolCalls:
    """The tool calls of a run.

    Args:
        tree: The run's spans.
        content: Whether arguments and results are wanted.
    """

    def __init__(self, tree: SpanTree, *, content: bool) -> None:
        self._tree = tree
        self._content = content
        self._waiting: dict[tuple[str, str], Span] = {}
        self._ended: dict[tuple[str, str], Span] = {}
        """Calls whose result is to come in an event."""
        self._arguments: dict[str, Any] = {}

    def started(self, seq: int, body: dict[str, Any]) -> None:
        """Takes in a `tool_started` record: of a new call, or of one that the user has confirmed or refused."""
        branch, call_id = key = _key(body)
        span = self._waiting.pop(key, None)
        if span is None:
            tool = short(body.get("tool"))
            span = self._tree.begin(seq, "execute_tool", tool, below=self._tree.parent(branch))
            span.set(
                {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": tool,
                    "gen_ai.tool.type": "function",
                    "gen_ai.tool.call.id": short(call_id),
                    "gen_ai.agent.name": short(body.get("agent")),
                }
            )
        else:
            self._tree.reopen(span)
        span.set({"playground.tool.confirmed": body.get("confirmed")})
        arguments = body.get("edited_args", self._arguments.get(call_id))
        if self._content and arguments is not None:
            span.set({"gen_ai.tool.call.arguments": to_json(arguments)})
        self._tree.tools[key] = span

    def finished(self, _seq: int, body: dict[str, Any]) -> None:
        """Takes in a `tool_finished` record."""
        key, error = _key(body), str(body.get("error") or "")
        span = self._tree.tools.pop(key, None)
        if span is None:
            return
        if error == CANCELLED:
            span.set({"playground.outcome": CANCELLED})
        elif error:
            self._tree.fail(span, error_name(error), error if self._content else "")
        (self._waiting if body.get("waits") else self._ended)[key] = span
        self._tree.end(span)

    def said(self, body: dict[str, Any]) -> None:
        """Takes in an event: calls with their arguments, and results."""
        content = cast("dict[str, Any]", body.get("content") or {})
        for part in cast("list[dict[str, Any]]", content.get("parts") or []):
            if call := cast("dict[str, Any] | None", part.get("function_call")):
                self._arguments[str(call.get("id") or "")] = call.get("args") or {}
            elif answer := cast("dict[str, Any] | None", part.get("function_response")):
                self._answer(branch_of(body), answer)

    def _answer(self, branch: str, answer: dict[str, Any]) -> None:
        key = (branch, str(answer.get("id") or ""))
        span = self._ended.pop(key, None)
        if span is None and (span := self._waiting.pop(key, None)) is not None:
            self._tree.end(span)  # the user's answer is the result
        if span is not None and self._content:
            span.set({"gen_ai.tool.call.result": to_json(answer.get("response"))})


def _key(body: dict[str, Any]) -> tuple[str, str]:
    return branch_of(body), str(body.get("call_id") or "")
