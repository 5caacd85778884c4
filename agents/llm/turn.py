"""The think of a turn: one model call, with the callbacks around it, as events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any, Protocol, get_args

from google.genai import types

from agents.agent import first_answer
from agents.event import Event, unchecked_event
from agents.llm.contents import IncludeContents
from agents.llm.model_call import ModelCall
from agents.llm.planners import BasePlanner
from agents.llm.silence_limit import SilenceLimit
from agents.llm.tool_calls import give_ids
from agents.model import BaseLlm, LlmRequest, LlmResponse, StopReason, copy_with
from agents.models.call import generate
from agents.models.connections import redact
from agents.runtime.context import CallbackContext, InvocationContext
from agents.runtime.run_config import StreamingMode

Callbacks = Callable[..., Any] | Sequence[Callable[..., Any]] | None

_RESPONSE_FIELDS = frozenset(LlmResponse.model_fields)
_USUAL_FIELDS: dict[str, type] = {
    "content": types.Content,
    "finish_reason": types.FinishReason,
    "model_version": str,
    "usage_metadata": types.GenerateContentResponseUsageMetadata,
}
"""What most answers consist of. Pydantic would not look into these values, so that it need not check them."""
_STOP_REASONS = get_args(StopReason)


class Thinker(Protocol):
    """The part of an agent that one model call uses."""

    @property
    def include_contents(self) -> IncludeContents:
        """The rule that selects the history."""
        ...

    @property
    def before_model_callback(self) -> Callbacks:
        """May answer in place of the model."""
        ...

    @property
    def after_model_callback(self) -> Callbacks:
        """May change the model's answer."""
        ...

    @property
    def on_model_error_callback(self) -> Callbacks:
        """May answer for a failed model."""
        ...

    @property
    def planner(self) -> BasePlanner | None:
        """Reads the plan in the model's answer."""
        ...

    def model_for(self, context: InvocationContext) -> BaseLlm:
        """The agent's model; raises `ModelNotFoundError` if there is none."""
        ...


async def think(
    context: InvocationContext, agent: Thinker, request: LlmRequest, model: BaseLlm | None, *, turn: int, is_selected: bool
) -> AsyncGenerator[Event, None]:
    """Calls an agent's model, callbacks included.

    Args:
        context: The agent's context.
        agent: The agent with the model and the callbacks.
        request: What the model is sent.
        model: The agent's model when the request was made; None if there was none.
        turn: Which call of the agent's turn it is, from 1.
        is_selected: Whether the history in the request is exactly what the agent's rule selects.

    Yields:
        The pieces and then the whole of the answer.

    Raises:
        ModelNotFoundError: There is no model.
        LlmCallsLimitExceededError: The run has made all its calls.
        Exception: The model's error, if no callback answers in its place.
    """
    view = CallbackContext(context)
    before, after, on_error = _callbacks(context, agent)
    if before:
        response = await first_answer(before, callback_context=view, llm_request=request)
        if response is not None:
            yield _event(context, request, response, Event.new_id(), view)
            return
    if before or model is None:  # a callback may have chosen another
        model = agent.model_for(context)
    if request.model != model.model:
        request.model = model.model
    stream = context.run_config.streaming_mode is StreamingMode.SSE
    select = None if before or not is_selected else agent.include_contents
    event_id = ""
    plan = _Plan(agent.planner, view) if agent.planner is not None else None
    with (
        ModelCall(context, request, stream=stream, select=select, turn=turn) as call,
        SilenceLimit(context.run_config.model_timeout, request.model) as limit,
    ):
        context.flush_soon()
        responses = generate(model, request, stream=stream)
        try:
            while (response := await _next_response(on_error, request, responses, call, limit, view)) is not None:
                if after:
                    changed = await first_answer(after, callback_context=view, llm_response=response)
                    response = response if changed is None else changed
                if plan is not None and (response := plan.read(response)) is None:
                    continue
                event_id = event_id or Event.new_id()
                event = _event(context, request, response, event_id, view)
                yield event
                if not event.partial:  # a second whole answer would be a second event
                    event_id, view = "", CallbackContext(context)
                    plan = _Plan(agent.planner, view) if agent.planner is not None else None
        finally:
            await responses.aclose()


def _callbacks(context: InvocationContext, agent: Thinker) -> tuple[Callbacks, Callbacks, Callbacks]:
    """The callbacks before a model call, after it and for its error; the plugins' come first."""
    before, after, on_error = agent.before_model_callback, agent.after_model_callback, agent.on_model_error_callback
    if context.plugins is not None:
        before = context.plugins.ahead_of("before_model_callback", before)
        after = context.plugins.ahead_of("after_model_callback", after)
        on_error = context.plugins.ahead_of("on_model_error_callback", on_error)
    return before, after, on_error


class _Plan:
    """Reads the pieces and the whole of one answer with the agent's planner."""

    def __init__(self, planner: BasePlanner, view: CallbackContext) -> None:
        self._planner = planner
        self._view = view
        self._stream = planner.planning_stream()

    def read(self, response: LlmResponse) -> LlmResponse | None:
        """The response after the planner; None for a piece of which nothing is to be shown yet."""
        content = response.content
        if content is None or not content.parts:
            return response
        if not response.partial:
            parts = self._planner.process_planning_response(self._view, content.parts)
        elif self._stream is None:
            return response
        elif not (parts := self._stream.read(content.parts)):
            return None
        return copy_with(response, content=copy_with(content, parts=parts)) if parts else response


async def _next_response(
    on_error: Callbacks,
    request: LlmRequest,
    responses: AsyncGenerator[LlmResponse, None],
    call: ModelCall,
    limit: SilenceLimit,
    view: CallbackContext,
) -> LlmResponse | None:
    """The model's next piece or whole answer, or a callback's answer for a failed model; None after the last."""
    if call.was_replaced:
        return None
    try:
        response = await limit.next_of(responses)
        call.saw(response)
    except Exception as error:
        call.failed(error)
        answer = await first_answer(on_error, callback_context=view, llm_request=request, error=error)
        if answer is None:
            raise
        call.was_replaced = True
        response = answer
    return response


def _event(
    context: InvocationContext, request: LlmRequest, response: LlmResponse, event_id: str, view: CallbackContext
) -> Event:
    said: dict[str, Any] = {
        "id": event_id,
        "invocation_id": context.invocation_id,
        "author": context.agent.name,
        "branch": context.branch,
    }
    is_usual = _take_over(response, said)
    if said.get("partial"):
        return Event(**said)
    view.collect_edits()
    calls = response.get_function_calls()
    if "error_message" in said:
        said["error_message"] = redact(said["error_message"])
    if said.get("stop_reason", "end_turn") == "end_turn":
        said["stop_reason"] = "error" if said.get("error_code") else "tool_use" if calls else "end_turn"
    event = unchecked_event(view.actions, said) if is_usual else Event(actions=view.actions, **said)
    if calls:
        give_ids(event)
        if later := _long_running(context, request, event):
            event.long_running_tool_ids = later
    return event


def _take_over(response: LlmResponse, said: dict[str, Any]) -> bool:
    """Adds what a response says to an event's fields; whether none of it needs a check there."""
    fields, is_usual = response.__dict__, True
    for name in response.__pydantic_fields_set__ if type(response) is LlmResponse else _RESPONSE_FIELDS:
        if (value := fields[name]) is not None:
            said[name] = value
            if type(value) is not _USUAL_FIELDS.get(name) and not (name == "stop_reason" and value in _STOP_REASONS):
                is_usual = False
    return is_usual


def _long_running(context: InvocationContext, request: LlmRequest, event: Event) -> set[str] | None:
    """Ids of the calls in `event` that may be answered later; None for none."""
    if not context.may_pause:
        return None
    tools = request.tools_dict
    found = {
        call.id
        for call in event.get_function_calls()
        if call.id and getattr(tools.get(call.name or ""), "is_long_running", False)
    }
    return found or None
