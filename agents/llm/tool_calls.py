"""The act and observe of a turn: runs the calls a model asked for and makes their responses one event.

A call may be left waiting: for a job that it started, or for the user to confirm it.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.genai import types

from agents.errors import PlaygroundError, ToolError, known
from agents.event import EventActions, ToolConfirmation
from agents.llm.tool_results import Act, Outcome, as_response, edited_args, in_words, new_call_id, observe, refusal_in
from agents.log import seconds_since
from agents.model import copy_with
from agents.models.connections import redact
from agents.models.tool_arguments.unreadable_call import why_unreadable
from agents.runtime.confirmation import Decision
from agents.runtime.context import InvocationContext, ToolContext
from agents.runtime.run_plugins import RunPlugins, first_answer
from agents.tool import BaseTool
from agents.tools.agent_tool import may_have_effects
from agents.tools.tracebacks import TRACEBACK, failure_marks, log_failure

CANCELLED = "cancelled"
"""The log's text for a call that was cancelled."""

UNKNOWN = ToolConfirmation(
    hint="The server that ran this call stood still or ended before it had the result, so the call may have had its effect. "
    "Look whether it did. Should it be made again?"
)
"""The question about a call whose effect is not known."""

Callbacks = Callable[..., Any] | Sequence[Callable[..., Any]] | None
_SCALARS = frozenset({str, int, float, bool, type(None)})
_NOBODY_DECIDED: Mapping[str, Decision] = {}
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ToolCallbacks:
    """An agent's callbacks around its tools."""

    before: Callbacks = None
    after: Callbacks = None
    on_error: Callbacks = None


def calls_in(content: types.Content | None) -> list[types.FunctionCall]:
    """The function calls in a content, in order."""
    parts = content.parts if content is not None else None
    return [call for part in parts if (call := part.function_call)] if parts else []


def with_ids(content: types.Content, calls: Sequence[types.FunctionCall]) -> types.Content:
    """A content with an id for each of its function calls that has none. The model's own ids stay."""
    if all(call.id for call in calls):
        return content
    parts = [
        copy_with(part, function_call=copy_with(call, id=new_call_id()))
        if (call := part.function_call) and not call.id
        else part
        for part in content.parts or ()
    ]
    return copy_with(content, parts=parts)


def _with_plugins(plugins: RunPlugins, own: ToolCallbacks) -> ToolCallbacks:
    args = {"args": "tool_args"}
    return ToolCallbacks(
        plugins.ahead_of("before_tool_callback", own.before, renamed=args),
        plugins.ahead_of("after_tool_callback", own.after, renamed={**args, "tool_response": "result"}),
        plugins.ahead_of("on_tool_error_callback", own.on_error, renamed=args),
    )


async def run_calls(
    context: InvocationContext,
    calls: Sequence[types.FunctionCall],
    tools: Mapping[str, BaseTool],
    callbacks: ToolCallbacks,
    decisions: Mapping[str, Decision] = _NOBODY_DECIDED,
    begun: frozenset[str] = _NONE,
) -> Act:
    """Runs `calls` together; their responses, in call order, are one event.

    A tool that raises or does not exist becomes an error response, marked in `custom_metadata["tool_errors"]` by call
    id. State deltas are merged deeply.

    Args:
        context: The context of the agent whose calls they are.
        calls: What to run.
        tools: The agent's tools, by name.
        callbacks: The agent's.
        decisions: The user's answers about calls to confirm, by call id; a rejected call gets an error response.
        begun: Ids of the calls that were made before the run was cut off. The user is asked before one that may have had
            effects is made again.

    Raises:
        Exception: What a tool with `raise_on_error` raised; the other calls are cancelled.
    """
    if context.plugins is not None:
        callbacks = _with_plugins(context.plugins, callbacks)
    for call in calls:
        _record_start(context, call, decisions.get(call.id or ""))
    entered: set[int] = set()

    async def run(index: int) -> Outcome:
        entered.add(index)
        call = calls[index]
        is_unknown = call.id in begun and may_have_effects(tools.get(call.name or ""))
        return await _run_call(context, call, tools, callbacks, decisions.get(call.id or ""), is_unknown=is_unknown)

    try:
        await context.flush()
        outcomes = [await run(0)] if len(calls) == 1 else await _together([run(index) for index in range(len(calls))])
    finally:
        for index, call in enumerate(calls):
            if index not in entered:  # cancelled before its first step
                _record_end(context, call, CANCELLED, 0)
    return observe(context, calls, outcomes, decisions)


async def _together(runs: Sequence[Coroutine[Any, Any, Outcome]]) -> list[Outcome]:
    """What `runs` return, in their order; the first exception cancels the others."""
    tasks = [asyncio.ensure_future(run) for run in runs]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _record_start(context: InvocationContext, call: types.FunctionCall, decision: Decision | None) -> None:
    decided: dict[str, Any] = {} if decision is None else {"confirmed": decision.confirmed}
    if (args := edited_args(decision)) is not None:
        decided["edited_args"] = args
    context.add_record("tool_started", {"tool": call.name, "call_id": call.id, **decided})


def _record_end(
    context: InvocationContext, call: types.FunctionCall, error: str | None, duration: float, *, waits: bool = False
) -> None:
    more: dict[str, Any] = {"error": error} if error else {"waits": True} if waits else {}
    context.add_record("tool_finished", {"tool": call.name, "call_id": call.id, "duration": duration, **more})


async def _run_call(
    context: InvocationContext,
    call: types.FunctionCall,
    tools: Mapping[str, BaseTool],
    callbacks: ToolCallbacks,
    decision: Decision | None,
    *,
    is_unknown: bool,
) -> Outcome:
    actions = EventActions()
    said = None if decision is None else decision.confirmation
    tool_context = ToolContext(context, function_call_id=call.id, event_actions=actions, tool_confirmation=said)
    started = time.perf_counter_ns()
    outcome, error = Outcome(actions, None), CANCELLED
    try:
        if is_unknown:
            outcome = _waiting(call, tool_context, UNKNOWN)
        elif (unreadable := why_unreadable(call)) is not None and edited_args(decision) is None:
            outcome = _failed(actions, unreadable)
        elif decision is not None and not decision.confirmed:
            tool = tools.get(call.name or "")
            told = None if tool is None else await tool.rejected(tool_context=tool_context)
            outcome = _rejected(call, decision) if told is None else _answered(call, actions, told)
        else:
            outcome = await _outcome_of(call, tools, callbacks, tool_context, edited_args(decision))
        tool_context.collect_edits()
        outcome.told = tool_context.told
        error = outcome.error
    except Exception as raised:
        error = _told(raised)
        raise
    finally:
        _record_end(context, call, error, seconds_since(started), waits=outcome.response is None)
    return outcome


def _rejected(call: types.FunctionCall, decision: Decision) -> Outcome:
    reason = f": {decision.reason}" if decision.reason else "."
    error = f"The call of {call.name} was rejected by the person who was asked to confirm it{reason}"
    response = {"error": error, "payload": decision.payload} if decision.has_own_payload else {"error": error}
    return Outcome(EventActions(), response, error=error)


async def _outcome_of(
    call: types.FunctionCall,
    tools: Mapping[str, BaseTool],
    callbacks: ToolCallbacks,
    tool_context: ToolContext,
    edited: dict[str, Any] | None,
) -> Outcome:
    """Runs a call, callbacks included."""
    actions = tool_context.actions
    tool = tools.get(call.name or "") or _Missing(call.name, tools)
    # Callbacks and tools may change their copy; the log keeps the model's arguments.
    args = _copy_of((call.args or {}) if edited is None else edited)
    given = {"tool": tool, "args": args, "tool_context": tool_context}
    result = await first_answer(callbacks.before, **given) if callbacks.before else None
    if (asked := _question_in(tool_context)) is not None:
        return _waiting(call, tool_context, asked)
    if result is None:
        try:
            result = await tool.run_async(args=args, tool_context=tool_context)
        except Exception as error:  # a tool may raise anything; the model is told
            result = await first_answer(callbacks.on_error, **given, error=error)
            if result is None:
                if getattr(tool, "raise_on_error", False):
                    raise
                return _raised(call, actions, tool, error)
            if isinstance(tool, _Missing):
                return _answered(call, actions, result)  # no tool ran, so there is no "after"
        if (asked := actions.requested_tool_confirmations.pop(call.id or "", None)) is not None:
            return _waiting(call, tool_context, asked)
    if callbacks.after and not tool_context.waits_for_person:
        tool_context.has_run = True
        result = _own_result(result)
        changed = await first_answer(callbacks.after, **given, tool_response=result)
        result = result if changed is None else changed
    if tool_context.waits_for_person or (result is None and getattr(tool, "is_long_running", False)):
        return _waiting(call, tool_context)
    return _answered(call, actions, result, is_text=tool.answers_in_words)


def _question_in(tool_context: ToolContext) -> ToolConfirmation | None:
    """What a callback before the tool asks the user; None for a question that the user has approved."""
    asked = tool_context.actions.requested_tool_confirmations.pop(tool_context.function_call_id or "", None)
    told = tool_context.tool_confirmation
    if asked is not None and told is not None and told.confirmed and told.hint == asked.hint:
        return None
    return asked


def _own_result(result: Any) -> Any:
    """A result that callbacks may edit: a tool may keep what it returns."""
    try:
        return copy.deepcopy(result)
    except Exception:  # noqa: BLE001  a tool may return anything, e.g. an open file, which has no copy
        return result


def _copy_of(args: dict[str, Any]) -> dict[str, Any]:
    is_flat = all(type(value) in _SCALARS for value in args.values())  # of which `deepcopy` makes the same, slowly
    return dict(args) if is_flat else copy.deepcopy(args)


def _waiting(call: types.FunctionCall, tool_context: ToolContext, asked: ToolConfirmation | None = None) -> Outcome:
    tool_context.actions.skip_summarization = None  # ADK tools set it to end the turn; a waiting call is no answer yet
    if tool_context.may_pause or tool_context.waits_for_person:
        return Outcome(tool_context.actions, None, asked=asked)
    return _failed(
        tool_context.actions,
        f"{call.name} needs the user's answer, and agent {tool_context.agent_name!r} cannot wait for one: it was called as "
        "a tool. Answer without it. The author of this agent can make it a sub-agent instead, which can wait.",
    )


def _answered(call: types.FunctionCall, actions: EventActions, result: Any, *, is_text: bool = False) -> Outcome:
    try:
        outcome = Outcome(actions, *as_response(result), refusal_in(result))
    except (ValueError, RecursionError) as error:
        return _failed(actions, f"The result of {call.name} cannot be put into JSON: {_told(error)}")
    if is_text and actions.skip_summarization and outcome.error is None and result is not None:
        outcome.text = in_words(outcome.response or {})
    return outcome


def _raised(call: types.FunctionCall, actions: EventActions, tool: BaseTool, error: Exception) -> Outcome:
    outcome = _failed(actions, _told(error))
    if not isinstance(tool, _Missing):
        outcome.traceback = failure_marks(error).get(TRACEBACK)
        if not isinstance(error, PlaygroundError):
            log_failure(f"Tool {call.name!r} failed.", error)
    return outcome


def _failed(actions: EventActions, error: str) -> Outcome:
    return Outcome(actions, {"error": error}, error=error)


class _Missing(BaseTool):
    """Stands for a tool that does not exist."""

    def __init__(self, name: str | None, tools: Mapping[str, BaseTool]) -> None:
        super().__init__(name=name or "", description="")
        self._known = known(tools)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        raise ToolError(
            f"There is no tool {self.name!r}. The tools are: {self._known}. Call one of them, or answer without."
        )


def _told(error: Exception) -> str:
    """An error as models and logs show it."""
    return redact(str(error) if isinstance(error, ToolError) else f"{type(error).__name__}: {error}")
