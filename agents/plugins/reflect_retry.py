"""Tells models about failed tool calls so that they try again, up to a limit."""

from __future__ import annotations

import json
from collections import Counter
from enum import Enum
from typing import Any, cast

from agents.flows.plugins import BasePlugin
from agents.runtime.context import ToolContext
from agents.tool import BaseTool

REFLECTION = "ERROR_HANDLED_BY_REFLECT_AND_RETRY_PLUGIN"
"""The `response_type` of a response that stands for an error; ADK's value."""

_MOST_SCOPES = 1_000
"""Scopes whose failures are remembered, the latest."""

_EVERYWHERE = ""
_TRY_AGAIN = """\
{tool} failed with {error}
Its arguments were: {args}

This was failure {count} in a row; after {most}, the tool must not be called again. Do not repeat the same call.
Find the cause first: an argument that is wrong or missing, a step that had to come before, a tool of another name, or a task
that is better done in smaller steps. Then make a corrected call, or take another way."""
_GIVE_UP = """\
{tool} failed with {error}
Its arguments were: {args}

It has now failed more than the {most} times in a row that are allowed. Do not call {tool} again for this task: use other
tools, or tell the user what cannot be done and why."""


class TrackingScope(Enum):
    """Which failures are counted together: those of one invocation, or all that the plugin sees."""

    INVOCATION = "invocation"
    GLOBAL = "global"


class ReflectAndRetryToolPlugin(BasePlugin):
    """Answers a failed tool call with what went wrong and how to go on, and counts failures in a row for each tool.

    The response has "response_type", "error_type", "error_details", "retry_count" and "reflection_guidance". A call that
    succeeds resets the count of its tool.

    Args:
        name: Unique in the runner.
        max_retries: Failures in a row, of one tool, that the model is told about; 0 for none.
        throw_exception_if_retry_exceeded: Whether one failure more ends the run with `PluginError`. Otherwise the model is
            told not to call the tool again.
        tracking_scope: Which failures are counted together.

    Raises:
        ValueError: `max_retries` is negative.
    """

    def __init__(
        self,
        name: str = "reflect_retry_tool_plugin",
        max_retries: int = 3,
        throw_exception_if_retry_exceeded: bool = True,
        tracking_scope: TrackingScope = TrackingScope.INVOCATION,
    ) -> None:
        if max_retries < 0:
            raise ValueError(f"max_retries must not be negative, and is {max_retries}.")
        super().__init__(name)
        self.max_retries = max_retries
        self.throw_exception_if_retry_exceeded = throw_exception_if_retry_exceeded
        self.scope = tracking_scope
        self._failures: dict[str, Counter[str]] = {}

    async def extract_error_from_result(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: Any
    ) -> Any:
        """The error in the result of a tool that did not raise; None if it succeeded. Override it for your tools."""

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: Any
    ) -> dict[str, Any] | None:
        """Resets the tool's count, unless its result has an error."""
        if is_reflection(result):
            return None
        given: dict[str, Any] = {"tool": tool, "tool_args": tool_args, "tool_context": tool_context}
        if error := await self.extract_error_from_result(**given, result=result):
            return self._answer_to(error, **given)
        self._failures.get(self._get_scope_key(tool_context), Counter()).pop(tool.name, None)
        return None

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, error: Exception
    ) -> dict[str, Any] | None:
        """Answers in place of the tool that raised."""
        return self._answer_to(error, tool=tool, tool_args=tool_args, tool_context=tool_context)

    def _get_scope_key(self, tool_context: ToolContext) -> str:
        """Names what is counted together. Override it for a scope of your own, such as a user."""
        return tool_context.invocation_id if self.scope is TrackingScope.INVOCATION else _EVERYWHERE

    def _answer_to(
        self, error: Any, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any]:
        failures = self._failures.setdefault(self._get_scope_key(tool_context), Counter())
        if len(self._failures) > _MOST_SCOPES:
            del self._failures[next(iter(self._failures))]
        failures[tool.name] += 1
        count = failures[tool.name]
        is_over = count > self.max_retries
        if is_over and self.throw_exception_if_retry_exceeded:
            raise error if isinstance(error, Exception) else RuntimeError(str(error))
        kind = type(error).__name__ if isinstance(error, Exception) else "ToolError"
        text = (_GIVE_UP if is_over else _TRY_AGAIN).format(
            tool=tool.name,
            error=f"{kind}: {error}",
            args=json.dumps(tool_args, ensure_ascii=False, default=str),
            count=count,
            most=self.max_retries,
        )
        return {
            "response_type": REFLECTION,
            "error_type": kind,
            "error_details": str(error),
            "retry_count": min(count, self.max_retries),
            "reflection_guidance": text,
        }


def is_reflection(result: Any) -> bool:
    """Whether a tool's result is the plugin's answer to an error."""
    return isinstance(result, dict) and cast("dict[str, Any]", result).get("response_type") == REFLECTION
