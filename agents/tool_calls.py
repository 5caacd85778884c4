"""The act and observe of a turn: runs the calls a model asked for and makes their responses one event.

Knows nothing of models or of where the event goes.
"""

from __future__ import annotations

import asyncio
import copy
import math
import time
import uuid
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from google.genai import types
from pydantic_core import to_jsonable_python

from agents.agent import first_answer
from agents.config import redact
from agents.contents import OWN_ID_PREFIX
from agents.context import InvocationContext, ToolContext
from agents.errors import ToolError, known
from agents.event import Event, EventActions
from agents.tool import BaseTool

CANCELLED = "cancelled"
"""What the log says of a call that did not end by itself."""

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
    """Gives an id to every function call in `event` that has none. What the model gave stays as it is."""
    if event.content is None or all(call.id for call in event.get_function_calls()):
        return
    parts = [
        part.model_copy(update={"function_call": call.model_copy(update={"id": f"{OWN_ID_PREFIX}{uuid.uuid4()}"})})
        if (call := part.function_call) and not call.id
        else part
        for part in event.parts
    ]
    event.content = event.content.model_copy(update={"parts": parts})


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
    begun: set[int] = set()

    async def run(index: int) -> _Outcome:
        begun.add(index)
        return await _run_call(context, calls[index], tools, callbacks)

    try:
        await context.flush()
        outcomes = [await run(0)] if len(calls) == 1 else await _together([run(index) for index in range(len(calls))])
    finally:
        for index, call in enumerate(calls):
            if index not in begun:  # cancelled before its first step
                _record_end(context, call, CANCELLED, 0)
    return _merged_event(context, calls, outcomes)


async def _together(runs: Sequence[Coroutine[Any, Any, _Outcome]]) -> list[_Outcome]:
    """What `runs` return, in their order; the first exception cancels the others."""
    tasks = [asyncio.ensure_future(run) for run in runs]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# Copied instead of made: google-genai checks each new object for some 15 µs.
_PART, _USER, _RESPONSE = types.Part(), types.Content(role="user"), types.FunctionResponse()


def _response_part(call: types.FunctionCall, outcome: _Outcome) -> types.FunctionResponse:
    said = {"id": call.id, "name": call.name, "response": outcome.response}
    return _RESPONSE.model_copy(update={**said, "parts": outcome.parts} if outcome.parts else said)


def _merged_event(context: InvocationContext, calls: Sequence[types.FunctionCall], outcomes: Sequence[_Outcome]) -> Event:
    parts = [
        _PART.model_copy(update={"function_response": _response_part(call, outcome)})
        for call, outcome in zip(calls, outcomes, strict=True)
    ]
    errors = {call.id: outcome.error for call, outcome in zip(calls, outcomes, strict=True) if outcome.error}
    return Event(
        invocation_id=context.invocation_id,
        author=context.agent.name,
        branch=context.branch,
        content=_USER.model_copy(update={"parts": parts}),
        actions=_merged([outcome.actions for outcome in outcomes], context.session.state),
        custom_metadata={"tool_errors": errors} if errors else None,
    )


async def _run_call(
    context: InvocationContext, call: types.FunctionCall, tools: Mapping[str, BaseTool], callbacks: ToolCallbacks
) -> _Outcome:
    actions = EventActions()
    tool_context = ToolContext(context, function_call_id=call.id, event_actions=actions)
    started = time.perf_counter()
    error: str | None = CANCELLED
    try:
        response, parts, error = await _answer_to(call, tools, callbacks, tool_context)
        tool_context.state.collect_edits()
    except Exception as raised:
        error = _told(raised)
        raise
    finally:
        _record_end(context, call, error, time.perf_counter() - started)
    return _Outcome(response, parts, actions, error)


def _record_end(context: InvocationContext, call: types.FunctionCall, error: str | None, duration: float) -> None:
    failed = {"error": error} if error else {}
    context.record("tool_finished", tool=call.name, call_id=call.id, duration=round(duration, 6), **failed)


async def _answer_to(
    call: types.FunctionCall, tools: Mapping[str, BaseTool], callbacks: ToolCallbacks, tool_context: ToolContext
) -> tuple[dict[str, Any], list[types.FunctionResponsePart], str | None]:
    """The response to a call, files in it, and the error that it stands for, if it does."""
    tool = tools.get(call.name or "") or _Missing(call.name, tools)
    args = copy.deepcopy(call.args or {})  # callbacks and tools may change theirs; the log keeps what the model said
    given = {"tool": tool, "args": args, "tool_context": tool_context}
    result = await first_answer(callbacks.before, **given)
    if result is None:
        try:
            result = await tool.run_async(args=args, tool_context=tool_context)
        except Exception as error:  # a tool may raise anything; the model is told
            result = await first_answer(callbacks.on_error, **given, error=error)
            if result is None:
                if getattr(tool, "raise_on_error", False):
                    raise
                return {"error": _told(error)}, [], _told(error)
            if isinstance(tool, _Missing):
                return *_as_response(result), _refusal(result)  # no tool ran, so there is no "after"
    changed = await first_answer(callbacks.after, **given, tool_response=result)
    result = result if changed is None else changed
    try:
        return *_as_response(result), _refusal(result)
    except (ValueError, RecursionError) as error:
        message = f"The result of {call.name} cannot be put into JSON: {_told(error)}"
        return {"error": message}, [], message


class _Missing(BaseTool):
    """Stands for a tool that a model made up."""

    def __init__(self, name: str | None, tools: Mapping[str, BaseTool]) -> None:
        super().__init__(name=name or "", description="")
        self._known = known(tools)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        raise ToolError(
            f"There is no tool {self.name!r}. The tools are: {self._known}. Call one of them, or answer without."
        )


def _told(error: Exception) -> str:
    """An error as models and logs are told of it."""
    return redact(str(error) if isinstance(error, ToolError) else f"{type(error).__name__}: {error}")


def _refusal(result: Any) -> str | None:
    """The error that a tool reports by returning `{"error": "…"}`, as wrong arguments are."""
    if isinstance(result, dict) and list(cast("dict[Any, Any]", result)) == ["error"]:
        return str(cast("dict[str, Any]", result)["error"])
    return None


def _as_response(result: Any) -> tuple[dict[str, Any], list[types.FunctionResponsePart]]:
    """A tool's result as JSON for the model, and the images and files in it, which the JSON then refers to."""
    fields = cast("dict[Any, Any]", result) if isinstance(result, dict) else {"result": result}
    parts: list[types.FunctionResponsePart] = []
    return {str(name): _without_files(value, str(name), parts) for name, value in fields.items()}, parts


def _without_files(value: Any, name: str, parts: list[types.FunctionResponsePart]) -> Any:
    """`value` as JSON, with the files in it moved to `parts` and referred to by label."""
    if isinstance(value, dict):
        items = cast("dict[Any, Any]", value).items()
        return {str(key): _without_files(item, str(key), parts) for key, item in items}
    if isinstance(value, list | tuple):
        return [_without_files(item, name, parts) for item in cast("Sequence[Any]", value)]
    if not isinstance(value, types.Part) or (held := value.inline_data or value.file_data) is None:
        plain = to_jsonable_python(value, fallback=str, bytes_mode="base64")
        if isinstance(plain, dict | list):  # of a model or the like
            return _without_files(plain, name, parts)
        return str(plain) if isinstance(plain, float) and not math.isfinite(plain) else plain
    label = held.display_name or f"{name}-{len(parts) + 1}"
    if isinstance(held, types.Blob):
        blob = types.FunctionResponseBlob(mime_type=held.mime_type, data=held.data, display_name=label)
        parts.append(types.FunctionResponsePart(inline_data=blob))
    else:
        file = types.FunctionResponseFileData(mime_type=held.mime_type, file_uri=held.file_uri, display_name=label)
        parts.append(types.FunctionResponsePart(file_data=file))
    return {"$ref": label}


def _merged(all_actions: Sequence[EventActions], state: Mapping[str, Any]) -> EventActions:
    if len(all_actions) == 1:
        return all_actions[0]
    merged = EventActions()
    for actions in all_actions:
        merged.state_delta = _deeply(merged.state_delta, actions.state_delta)
        merged.artifact_delta |= actions.artifact_delta
        merged.escalate = actions.escalate or merged.escalate
        merged.skip_summarization = actions.skip_summarization or merged.skip_summarization
        merged.transfer_to_agent = actions.transfer_to_agent or merged.transfer_to_agent
    return _with_last_writes(merged, all_actions, state)


def _with_last_writes(merged: EventActions, all_actions: Sequence[EventActions], state: Mapping[str, Any]) -> EventActions:
    """Takes a container that several calls wrote as the last of them left it: it saw what the others had written."""
    for key in merged.state_delta:
        writes = [actions.state_delta[key] for actions in all_actions if key in actions.state_delta]
        last = state.get(key)
        if len(writes) > 1 and isinstance(last, dict | list) and any(write is last for write in writes):
            merged.state_delta |= _deeply({key: merged.state_delta[key]}, {key: last})
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
