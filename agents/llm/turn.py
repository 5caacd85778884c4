"""The think of a turn: one model call, with the callbacks around it, as events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any, Protocol

from agents.agent import first_answer
from agents.event import Event
from agents.llm.contents import IncludeContents
from agents.llm.model_call import ModelCall
from agents.llm.planners import BasePlanner
from agents.llm.silence_limit import SilenceLimit
from agents.llm.tool_calls import give_ids
from agents.model import BaseLlm, LlmRequest, LlmResponse, copy_with
from agents.models.call import generate
from agents.models.connections import redact
from agents.runtime.context import CallbackContext, InvocationContext
from agents.runtime.run_config import StreamingMode

Callbacks = Callable[..., Any] | Sequence[Callable[..., Any]] | None

_RESPONSE_FIELDS = frozenset(LlmResponse.model_fields)


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
    context: InvocationContext, agent: Thinker, request: LlmRequest, *, turn: int, is_selected: bool = True
) -> AsyncGenerator[Event, None]:
    """Calls an agent's model, callbacks included.

    Args:
        context: The agent's context.
        agent: The agent with the model and the callbacks.
        request: What the model is sent.
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
    before, after, on_error = agent.before_model_callback, agent.after_model_callback, agent.on_model_error_callback
    if context.plugins is not None:
        before = context.plugins.ahead_of("before_model_callback", before)
        after = context.plugins.ahead_of("after_model_callback", after)
        on_error = context.plugins.ahead_of("on_model_error_callback", on_error)
    if before:
        response = await first_answer(before, callback_context=view, llm_request=request)
        if response is not None:
            yield _event(context, request, response, Event.new_id(), view)
            return
    model = agent.model_for(context)
    if request.model != model.model:
        request.model = model.model
    stream = context.run_config.streaming_mode is StreamingMode.SSE
    select = None if before or not is_selected else agent.include_contents
    event_id = ""
    plan = _Plan(agent.planner, view)
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
                if (response := plan.read(response)) is None:
                    continue
                event_id = event_id or Event.new_id()
                event = _event(context, request, response, event_id, view)
                yield event
                if not event.partial:  # a second whole answer would be a second event
                    event_id, view = "", CallbackContext(context)
                    plan = _Plan(agent.planner, view)
        finally:
            await responses.aclose()


class _Plan:
    """Reads the pieces and the whole of one answer with the agent's planner, if it has one."""

    def __init__(self, planner: BasePlanner | None, view: CallbackContext) -> None:
        self._planner = planner
        self._view = view
        self._stream = None if planner is None else planner.planning_stream()

    def read(self, response: LlmResponse) -> LlmResponse | None:
        """The response after the planner; None for a piece of which nothing is to be shown yet."""
        content = response.content
        if self._planner is None or content is None or not content.parts:
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
    said = {name: value for name, value in response.__dict__.items() if value is not None and name in _RESPONSE_FIELDS}
    place = {
        "id": event_id,
        "invocation_id": context.invocation_id,
        "author": context.agent.name,
        "branch": context.branch,
    }
    if response.partial:
        return Event(**place, **said)
    view.collect_edits()
    calls = response.get_function_calls()
    if response.error_message:
        said["error_message"] = redact(response.error_message)
    if response.stop_reason in (None, "end_turn"):
        said["stop_reason"] = "error" if response.error_code else "tool_use" if calls else "end_turn"
    event = Event(**place, actions=view.actions, **said)
    if calls:
        give_ids(event)
        if later := _long_running(context, request, event):
            event.long_running_tool_ids = later
    return event


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
