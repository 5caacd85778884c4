"""The act and observe of a turn: runs the calls a model asked for and makes their responses one event.

Knows nothing of models or of where the event goes.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from google.genai import types
from pydantic_core import to_jsonable_python

from agents.agent import first_answer
from agents.context import InvocationContext, ToolContext
from agents.errors import known
from agents.event import Event, EventActions
from agents.tool import BaseTool

OWN_ID_PREFIX = "adk-"
"""Ids that we give to calls without one; providers that pair by position are not shown them."""

Callbacks = Callable[..., Any] | Sequence[Callable[..., Any]] | None


@dataclass(frozen=True, slots=True)
class ToolCallbacks:
    """An agent's callbacks around its tools."""

    before: Callbacks = None
    after: Callbacks = None
    on_error: Callbacks = None


@dataclass(slots=True)
class _Outcome:
    response: dict[str, Any]
    parts: list[types.FunctionResponsePart]
    actions: EventActions
    error: str | None = None


def give_ids(event: Event) -> None:
    """Gives an id to every function call in `event` that has none."""
    for call in event.get_function_calls():
        if not call.id:
            call.id = f"{OWN_ID_PREFIX}{uuid.uuid4()}"


async def run_calls(
    context: InvocationContext, calls: Sequence[types.FunctionCall], tools: Mapping[str, BaseTool], callbacks: ToolCallbacks
) -> Event:
    """Runs `calls` together and returns their responses, in call order, as one event.

    A tool that raises or does not exist becomes an error response, marked in `custom_metadata["tool_errors"]` by call
    id. State deltas are merged deeply.

    Raises:
        Exception: What a tool with `raise_on_error` raised; the other calls are cancelled.
    """
    for call in calls:
        context.record("tool_started", tool=call.name, call_id=call.id)
    await context.flush()
    if len(calls) == 1:
        outcomes = [await _run_call(context, calls[0], tools, callbacks)]
    else:
        outcomes = await _run_together(context, calls, tools, callbacks)
    parts = [
        types.Part(
            function_response=types.FunctionResponse(
                id=call.id, name=call.name, response=outcome.response, parts=outcome.parts or None
            )
        )
        for call, outcome in zip(calls, outcomes, strict=True)
    ]
    errors = {call.id: outcome.error for call, outcome in zip(calls, outcomes, strict=True) if outcome.error}
    return Event(
        invocation_id=context.invocation_id,
        author=context.agent.name,
        branch=context.branch,
        content=types.Content(role="user", parts=parts),
        actions=_merged([outcome.actions for outcome in outcomes]),
        custom_metadata={"tool_errors": errors} if errors else None,
    )


async def _run_together(
    context: InvocationContext, calls: Sequence[types.FunctionCall], tools: Mapping[str, BaseTool], callbacks: ToolCallbacks
) -> list[_Outcome]:
    tasks = [asyncio.ensure_future(_run_call(context, call, tools, callbacks)) for call in calls]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _run_call(
    context: InvocationContext, call: types.FunctionCall, tools: Mapping[str, BaseTool], callbacks: ToolCallbacks
) -> _Outcome:
    actions = EventActions()
    tool_context = ToolContext(context, function_call_id=call.id, event_actions=actions)
    started = time.perf_counter()
    error: str | None = "cancelled"
    try:
        result, error = await _result_of(call, tools, callbacks, tool_context)
        tool_context.state.collect_edits()
    finally:
        duration = time.perf_counter() - started
        failed = {"error": error} if error else {}
        context.record("tool_finished", tool=call.name, call_id=call.id, duration=duration, **failed)
    response, parts = _as_response(result)
    return _Outcome(response, parts, actions, error)


async def _result_of(
    call: types.FunctionCall, tools: Mapping[str, BaseTool], callbacks: ToolCallbacks, tool_context: ToolContext
) -> tuple[Any, str | None]:
    """A call's result, and the error that it stands for, if it does."""
    tool = tools.get(call.name or "")
    if tool is None:
        message = f"There is no tool {call.name!r}. The tools are: {known(tools)}. Call one of them, or answer without."
        return {"error": message}, message
    args = dict(call.args or {})
    given = {"tool": tool, "args": args, "tool_context": tool_context}
    try:
        result = await first_answer(callbacks.before, **given)
        if result is None:
            result = await tool.run_async(args=args, tool_context=tool_context)
    except Exception as error:  # a tool may raise anything; the model is told
        answer = await first_answer(callbacks.on_error, **given, error=error)
        if answer is None:
            if getattr(tool, "raise_on_error", False):
                raise
            message = f"{type(error).__name__}: {error}"
            return {"error": message}, message
        result = answer
    changed = await first_answer(callbacks.after, **given, tool_response=result)
    result = result if changed is None else changed
    return result, _refusal(result)


def _refusal(result: Any) -> str | None:
    """The error that a tool reports by returning `{"error": "…"}`, as wrong arguments are."""
    if isinstance(result, dict) and list(cast("dict[Any, Any]", result)) == ["error"]:
        return str(cast("dict[str, Any]", result)["error"])
    return None


def _as_response(result: Any) -> tuple[dict[str, Any], list[types.FunctionResponsePart]]:
    """A tool's result as JSON for the model, and the images and files in it, which the JSON then refers to."""
    fields = cast("dict[Any, Any]", result) if isinstance(result, dict) else {"result": result}
    response: dict[str, Any] = {}
    parts: list[types.FunctionResponsePart] = []
    for name, value in fields.items():
        if isinstance(value, types.Part) and value.inline_data is not None:
            blob = value.inline_data
            label = blob.display_name or f"{name}-{len(parts) + 1}"
            parts.append(
                types.FunctionResponsePart(
                    inline_data=types.FunctionResponseBlob(mime_type=blob.mime_type, data=blob.data, display_name=label)
                )
            )
            response[str(name)] = {"$ref": label}
        else:
            response[str(name)] = to_jsonable_python(value, fallback=str, inf_nan_mode="strings")
    return response, parts


def _merged(all_actions: Sequence[EventActions]) -> EventActions:
    if len(all_actions) == 1:
        return all_actions[0]
    merged = EventActions()
    for actions in all_actions:
        merged.state_delta = _deeply(merged.state_delta, actions.state_delta)
        merged.artifact_delta |= actions.artifact_delta
        merged.escalate = actions.escalate or merged.escalate
        merged.skip_summarization = actions.skip_summarization or merged.skip_summarization
        merged.transfer_to_agent = actions.transfer_to_agent or merged.transfer_to_agent
    return merged


def _deeply(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    result = dict(first)
    for key, value in second.items():
        before = result.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            result[key] = _deeply(cast("dict[str, Any]", before), cast("dict[str, Any]", value))
        else:
            result[key] = value
    return result
