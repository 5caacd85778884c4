"""Prints what happens in a run."""

from __future__ import annotations

from collections import deque
from typing import Any

from google.genai import types

from agents.agent import BaseAgent
from agents.event import Event
from agents.flows.plugins import BasePlugin
from agents.model import LlmRequest, LlmResponse
from agents.plugins.reflect_retry import is_reflection
from agents.runtime.context import CallbackContext, ToolContext
from agents.runtime.invocation import InvocationContext
from agents.tool import BaseTool

_LONGEST = 300
"""Characters of a value that are printed."""

_MOST_ERRORS = 100
"""Calls whose errors are remembered as printed, the latest."""

_GREY, _RESET = "\033[90m", "\033[0m"


class LoggingPlugin(BasePlugin):
    """Prints messages, agents, model calls, tool calls, events and errors as they happen.

    Args:
        name: Unique in the runner; each line begins with it.
    """

    def __init__(self, name: str = "logging_plugin") -> None:
        super().__init__(name)
        self._printed: deque[str | None] = deque(maxlen=_MOST_ERRORS)

    async def on_user_message_callback(self, *, invocation_context: InvocationContext, user_message: types.Content) -> None:
        """Prints the message."""
        session = invocation_context.session
        self._print(
            "🚀 USER MESSAGE RECEIVED",
            invocation=invocation_context.invocation_id,
            app=session.app_name,
            user=session.user_id,
            session=session.id,
            agent=invocation_context.agent_name,
            content=_content(user_message),
        )

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> None:
        """Prints that the run starts."""
        self._print(
            "🏃 INVOCATION STARTING",
            invocation=invocation_context.invocation_id,
            agent=invocation_context.agent_name,
        )

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> None:
        """Prints the event."""
        self._print(
            "📢 EVENT YIELDED",
            event=event.id,
            author=event.author,
            content=_content(event.content),
            final=event.is_final_response(),
            state=event.actions.state_delta,
        )

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        """Prints that the run has ended."""
        self._print("✅ INVOCATION COMPLETED", invocation=invocation_context.invocation_id)

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:
        """Prints why the run failed."""
        self._print("❌ INVOCATION FAILED", invocation=invocation_context.invocation_id, error=_error(error))

    async def before_agent_callback(self, *, agent: BaseAgent, callback_context: CallbackContext) -> None:
        """Prints that an agent starts."""
        self._print("🤖 AGENT STARTING", agent=agent.name)

    async def after_agent_callback(self, *, agent: BaseAgent, callback_context: CallbackContext) -> None:
        """Prints that an agent has ended."""
        self._print("🤖 AGENT COMPLETED", agent=agent.name)

    async def before_model_callback(self, *, callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        """Prints what a model is asked."""
        self._print(
            "🧠 LLM REQUEST",
            model=llm_request.model,
            agent=callback_context.agent_name,
            instruction=llm_request.system_instruction,
            tools=", ".join(llm_request.tools_dict),
        )

    async def after_model_callback(self, *, callback_context: CallbackContext, llm_response: LlmResponse) -> None:
        """Prints what a model answers, with its tokens."""
        usage = llm_response.usage_metadata
        self._print(
            "🧠 LLM RESPONSE",
            agent=callback_context.agent_name,
            content=_content(llm_response.content),
            partial=llm_response.partial,
            error=llm_response.error_message,
            tokens=usage and f"{usage.prompt_token_count} in, {usage.candidates_token_count} out",
        )

    async def on_model_error_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest, error: Exception
    ) -> None:
        """Prints a model's error."""
        self._print("🧠 LLM ERROR", agent=callback_context.agent_name, error=_error(error))

    async def before_tool_callback(self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext) -> None:
        """Prints a tool's call."""
        self._print("🔧 TOOL STARTING", **_call(tool, tool_context), args=tool_args)

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: Any
    ) -> None:
        """Prints a tool's result, unless its error is printed and this is another plugin's answer to it."""
        if tool_context.function_call_id in self._printed:
            return
        title = "🔧 TOOL ERROR" if is_reflection(result) else "🔧 TOOL COMPLETED"
        self._print(title, **_call(tool, tool_context), result=result)

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, error: Exception
    ) -> None:
        """Prints a tool's error."""
        self._print("🔧 TOOL ERROR", **_call(tool, tool_context), args=tool_args, error=_error(error))
        self._printed.append(tool_context.function_call_id)

    def _print(self, title: str, **values: Any) -> None:
        lines = [title, *(f"   {name}: {_short(value)}" for name, value in values.items() if value not in (None, "", {}))]
        for line in lines:
            print(f"{_GREY}[{self.name}] {line}{_RESET}")


def _call(tool: BaseTool, context: ToolContext) -> dict[str, Any]:
    return {"tool": tool.name, "agent": context.agent_name, "call": context.function_call_id}


def _short(value: Any) -> str:
    """A value on one line; characters that a terminal would obey are escaped."""
    text = str(value).strip()
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in cut)


def _error(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _content(content: types.Content | None) -> str:
    return " | ".join(map(_part, content.parts or [])) if content is not None else ""


def _part(part: types.Part) -> str:
    if part.text:
        return part.text
    if held := part.function_call or part.function_response:
        return f"{'call of' if part.function_call else 'response of'} {held.name}"
    return "another part"
