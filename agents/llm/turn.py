"""The think of a turn: one model call, with the callbacks around it, as events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, get_args

from google.genai import types

from agents.event import Event, no_actions, unchecked_event
from agents.llm.model_call import CANCELLED, ModelCall
from agents.llm.planners import BasePlanner
from agents.llm.settings import LlmAgentSettings
from agents.llm.silence_limit import SilenceLimit
from agents.llm.tool_calls import calls_in, with_ids
from agents.model import BaseLlm, LlmRequest, LlmResponse, StopReason, copy_with
from agents.models.call import generate
from agents.models.connections import redact
from agents.runtime.context import CallbackContext, InvocationContext
from agents.runtime.run_config import StreamingMode
from agents.runtime.run_plugins import first_answer

Callbacks = Callable[..., Any] | Sequence[Callable[..., Any]] | None

_RESPONSE_FIELDS = frozenset(LlmResponse.model_fields)
_USUAL_FIELDS: dict[str, type] = {
    "content": types.Content,
    "finish_reason": types.FinishReason,
    "model_version": str,
    "partial": bool,
    "usage_metadata": types.GenerateContentResponseUsageMetadata,
}
"""What most answers consist of. Pydantic would not look into these values, so that it need not check them."""
_STOP_REASONS = get_args(StopReason)
_STREAMING = StreamingMode.SSE  # read once: a member of an enumeration costs three times an attribute


@dataclass(slots=True)
class Turn:
    """The progress of an agent's turn.

    Attributes:
        retries: How often the model may still be asked again because its answer does not fit.
        thinks: How often the model was called.
        is_selected: Whether the model is sent exactly the history that `include_contents` selects.
        model: The model that the request is for; None if there is none.
        answer: The model's last answer.
        complaint: Why the answer does not fit `output_schema`, if it does not.
        is_over: Whether the model is not called again.
        hand_over_to: The agent to transfer to then, if any.
        said: What the model said in the turn so far, without thoughts.
    """

    retries: int
    thinks: int = 0
    is_selected: bool = True
    model: BaseLlm | None = None
    answer: Event | None = None
    complaint: str | None = None
    is_over: bool = False
    hand_over_to: str | None = None
    said: str = ""

    @property
    def is_answered(self) -> bool:
        """Whether the model's last response is its final answer: no tool calls, and it fits the schema."""
        return self.complaint is None and not self.calls

    @property
    def calls(self) -> list[types.FunctionCall]:
        """The model's tool calls."""
        if self.answer is None:
            return []
        said = self.answer.__dict__  # read once: an attribute of a model costs as much as four entries of a dictionary
        return [] if said["error_code"] or said["stop_reason"] != "tool_use" else calls_in(said["content"])


class Thought:
    """One model call of an agent, with the callbacks around it, as events. Close it while it is open.

    It reads like an async generator and costs less: to begin and to end one takes as long as eight calls of a function.

    Args:
        context: The agent's context.
        agent: The agent with the model and the callbacks.
        request: What the model is sent.
        turn: The progress of the agent's turn; this call is counted, and its answer is open.
    """

    __slots__ = (
        "_after",
        "_agent",
        "_before",
        "_call",
        "_context",
        "_event_id",
        "_limit",
        "_on_error",
        "_own",
        "_plan",
        "_planner",
        "_request",
        "_responses",
        "_turn",
        "_view",
        "is_open",
    )

    def __init__(self, context: InvocationContext, agent: LlmAgentSettings, request: LlmRequest, turn: Turn) -> None:
        self._context = context
        self._agent = agent
        self._own = own = agent.__dict__
        self._request = request
        self._turn = turn
        turn.thinks += 1
        turn.answer = turn.complaint = None
        self._before, self._after, self._on_error = _callbacks(context, own)
        self._planner = own["planner"]
        self._call: ModelCall | None = None
        self._event_id = ""
        self.is_open = False
        """Whether the model is at work, so that there is something to close."""

    async def next_event(self) -> Event | None:
        """The next piece of the answer, or the whole of it; None after the last.

        Raises:
            ModelNotFoundError: There is no model.
            LlmCallsLimitExceededError: The run has made all its calls.
            Exception: The model's error, if no callback answers in its place.
        """
        if (call := self._call) is None:
            if self._event_id:  # a callback has answered
                return None
            if self._before and (answer := await self._answer_before()) is not None:
                return answer
            call = self._call_model()
        while not call.was_replaced:
            try:
                response = await self._limit.next_of(self._responses)
                call.saw(response)
            except Exception as error:
                if (response := await self._answer_instead(call, error)) is None:
                    raise
            if response is None:
                self._limit.stop()
                self.is_open = False
                break
            self._begin_answer()
            if self._after:
                response = await self._changed(response)
            if self._plan is None or (response := self._plan.read(response)) is not None:
                return self._event_of(response)
        return None

    async def aclose(self) -> None:
        """Ends the call of an open thought: as cancelled, if it has not ended."""
        if (call := self._call) is not None:
            try:
                await self._responses.aclose()
            finally:
                self._limit.stop()
                call.finish(error=CANCELLED)

    async def _answer_before(self) -> Event | None:
        """A callback's answer in place of the model's."""
        self._begin_answer()
        self._request = deepcopy(self._request)  # it shares its contents with the session's events
        response = await first_answer(self._before, callback_context=self._view, llm_request=self._request)
        return None if response is None else self._event_of(response)

    async def _answer_instead(self, call: ModelCall, error: Exception) -> LlmResponse | None:
        """A callback's answer for a failed model."""
        call.failed(error)
        self._begin_answer()
        request = deepcopy(self._request) if self._on_error else self._request
        given = {"callback_context": self._view, "llm_request": request, "error": error}
        response: LlmResponse | None = await first_answer(self._on_error, **given)
        call.was_replaced = response is not None
        return response

    async def _changed(self, response: LlmResponse) -> LlmResponse:
        """The response after the callbacks; a piece of an answer stays a piece."""
        own = response.model_copy(deep=True)  # a model may keep what it returns, e.g. a replay
        changed: LlmResponse | None = await first_answer(self._after, callback_context=self._view, llm_response=own)
        if changed is None or changed.partial == response.partial:
            return own if changed is None else changed
        return changed.model_copy(update={"partial": response.partial})

    def _call_model(self) -> ModelCall:
        context, request, turn = self._context, self._request, self._turn
        model = turn.model
        if self._before or model is None:  # a callback may have chosen another
            model = self._agent.model_for(context)
        if (name := model.model) != request.model:
            request.model = name
        config = context.run_config.__dict__
        stream = config["streaming_mode"] is _STREAMING
        select = None if self._before or not turn.is_selected else self._own["include_contents"]
        self._call = call = ModelCall(context, request, stream=stream, select=select, turn=turn.thinks)
        self._limit = SilenceLimit(config["model_timeout"], name)
        context.flush_soon()
        self._responses = generate(model, request, stream=stream)
        self.is_open = True
        return call

    def _begin_answer(self) -> None:
        """Prepares the next event, if it is not prepared."""
        if not self._event_id:
            self._event_id, self._view = Event.new_id(), CallbackContext(self._context)
            self._plan = _Plan(self._planner, self._view) if self._planner is not None else None

    def _event_of(self, response: LlmResponse) -> Event:
        event = _event(self._context, self._request, response, self._event_id, self._view)
        if not event.partial and self._call is not None:  # a second whole answer would be a second event
            self._event_id = ""
        return event


def _callbacks(context: InvocationContext, own: Mapping[str, Any]) -> tuple[Callbacks, Callbacks, Callbacks]:
    """The callbacks before a model call, after it and for its error; the plugins' come first."""
    before, after, on_error = own["before_model_callback"], own["after_model_callback"], own["on_model_error_callback"]
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


def _event(
    context: InvocationContext, request: LlmRequest, response: LlmResponse, event_id: str, view: CallbackContext
) -> Event:
    said: dict[str, Any] = {
        "id": event_id,
        "invocation_id": context.invocation_id,
        "author": context.agent_name,
        "branch": context.branch,
    }
    is_usual = _take_over(response, said)
    if said.get("partial"):
        return unchecked_event(no_actions(), said) if is_usual else Event(**said)
    view.collect_edits()
    calls = calls_in(said.get("content"))
    if "error_message" in said:
        said["error_message"] = redact(said["error_message"])
    if said.get("stop_reason", "end_turn") == "end_turn":
        said["stop_reason"] = "error" if said.get("error_code") else "tool_use" if calls else "end_turn"
    if calls:
        said["content"] = with_ids(said["content"], calls)
    event = unchecked_event(view.actions, said) if is_usual else Event(actions=view.actions, **said)
    if calls and (later := _long_running(context, request, event)):
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
        for call in calls_in(event.content)
        if call.id and getattr(tools.get(call.name or ""), "is_long_running", False)
    }
    return found or None
