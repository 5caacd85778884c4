"""The think of a turn: one model call, with the callbacks around it, as events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Self

from google.genai import types

from agents.event import Event
from agents.llm.model_call import ModelCall
from agents.llm.planners import BasePlanner
from agents.llm.settings import LlmAgentSettings
from agents.llm.tool_calls import calls_in, with_ids
from agents.model import BaseLlm, LlmRequest, LlmResponse, copy_with
from agents.models.call import generate
from agents.models.connections import redact
from agents.runtime.context import CallbackContext, InvocationContext
from agents.runtime.run_config import StreamingMode
from agents.runtime.run_plugins import first_answer
from agents.tool import BaseTool

Callbacks = Callable[..., Any] | Sequence[Callable[..., Any]] | None


_RESPONSE_FIELDS = frozenset(LlmResponse.model_fields)


@dataclass(slots=True)
class Turn:
    """The progress of an agent's turn.

    Attributes:
        retries: How often the model may still be asked again because its answer does not fit.
        thinks: How often the model was called.
        is_selected: Whether the model is sent exactly the history that `include_contents` selects.
        model: The model that the request is for; None if there is none.
        tools: The tools that the model was offered, by name; a callback may have added some.
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
    tools: Mapping[str, BaseTool] = field(default_factory=dict[str, BaseTool])
    answer: Event | None = None
    complaint: str | None = None
    is_over: bool = False
    hand_over_to: str | None = None
    said: str = ""

    def begin_call(self) -> None:
        """Counts a model call; its answer is open."""
        self.thinks += 1
        self.answer = self.complaint = None

    @property
    def is_answered(self) -> bool:
        """Whether the model's last response is its final answer: no tool calls, and it fits the schema."""
        return self.complaint is None and not self.calls

    @property
    def calls(self) -> list[types.FunctionCall]:
        """The model's tool calls."""
        if self.answer is None:
            return []
        answer = self.answer
        return [] if answer.error_code or answer.stop_reason != "tool_use" else answer.get_function_calls()


async def think(
    context: InvocationContext, agent: LlmAgentSettings, request: LlmRequest, turn: Turn
) -> AsyncGenerator[Event, None]:
    """One model call of an agent, with the callbacks around it.

    Args:
        context: The agent's context.
        agent: The agent with the model and the callbacks.
        request: What the model is sent.
        turn: The progress of the agent's turn; this call is counted, and its answer is open.

    Yields:
        The pieces of the answer if the run streams, then the whole of it.

    Raises:
        ModelNotFoundError: There is no model.
        LlmCallsLimitExceededError: The run has made all its calls.
        Exception: The model's error, if no callback answers in its place.
    """
    turn.begin_call()
    callbacks, answer = _ModelCallbacks.of(context, agent), _Answer(context, agent.planner)
    model, chosen_from = turn.model, None
    if callbacks.before:
        request = deepcopy(request)  # it shares its contents with the session's events
        offered = list(request.contents)
        given = await first_answer(callbacks.before, callback_context=answer.view, llm_request=request)
        if given is not None:
            yield answer.event_of(given, request)
            return
        kept = {id(content) for content in request.contents}
        turn.tools = request.tools_dict
        chosen_from = agent.include_contents if any(id(content) not in kept for content in offered) else None
    if callbacks.before or model is None:  # a callback may have chosen another
        model = agent.model_for(context)
        request.model = model.model
    stream = context.run_config.streaming_mode is StreamingMode.SSE
    select = agent.include_contents if turn.is_selected and not callbacks.before else None
    await context.allow_call()
    with ModelCall(context, request, stream=stream, select=select, chosen_from=chosen_from, turn=turn.thinks) as call:
        context.flush_soon()
        responses = generate(model, request, stream=stream)
        try:
            while True:
                try:
                    response = await call.next_of(responses)
                except Exception as error:
                    call.failed(error)
                    await responses.aclose()  # what the model might still say is ignored
                    answer = answer.or_next()
                    if (response := await _instead(callbacks, answer, request, error)) is None:
                        raise
                if response is None:
                    return
                answer = answer.or_next()
                if callbacks.after:
                    response = await _changed(callbacks, answer, response)
                if (shown := answer.planned(response)) is not None:
                    yield answer.event_of(shown, request)
        finally:
            await responses.aclose()


async def _instead(callbacks: _ModelCallbacks, answer: _Answer, request: LlmRequest, error: Exception) -> LlmResponse | None:
    """A callback's answer for a failed model."""
    if not callbacks.on_error:
        return None
    given = {"callback_context": answer.view, "llm_request": deepcopy(request), "error": error}
    return await first_answer(callbacks.on_error, **given)


async def _changed(callbacks: _ModelCallbacks, answer: _Answer, response: LlmResponse) -> LlmResponse:
    """The response after the callbacks; a piece of an answer stays a piece."""
    own = response.model_copy(deep=True)  # a model may keep what it returns, e.g. a replay
    changed: LlmResponse | None = await first_answer(callbacks.after, callback_context=answer.view, llm_response=own)
    if changed is None or changed.partial == response.partial:
        return own if changed is None else changed
    return changed.model_copy(update={"partial": response.partial})


@dataclass(slots=True)
class _ModelCallbacks:
    """The callbacks around a model call; the plugins' come first."""

    before: Callbacks
    after: Callbacks
    on_error: Callbacks

    @classmethod
    def of(cls, context: InvocationContext, agent: LlmAgentSettings) -> Self:
        own = cls(agent.before_model_callback, agent.after_model_callback, agent.on_model_error_callback)
        if (plugins := context.plugins) is None:
            return own
        return cls(
            plugins.ahead_of("before_model_callback", own.before),
            plugins.ahead_of("after_model_callback", own.after),
            plugins.ahead_of("on_model_error_callback", own.on_error),
        )


class _Answer:
    """One answer of the model as events: its pieces share the id of the whole.

    Attributes:
        view: The context of the callbacks; the state that they write is stored with the whole.
    """

    def __init__(self, context: InvocationContext, planner: BasePlanner | None) -> None:
        self._context = context
        self._planner = planner
        self._event_id = Event.new_id()
        self._is_whole = False
        self.view = CallbackContext(context)
        self._plan = planner.planning_stream() if planner is not None else None

    def or_next(self) -> _Answer:
        """This answer; after its whole, a new one, for a model that says more."""
        return _Answer(self._context, self._planner) if self._is_whole else self

    def planned(self, response: LlmResponse) -> LlmResponse | None:
        """The response as the planner reads it; None for a piece of which nothing is to be shown yet."""
        content = response.content
        if self._planner is None or content is None or not content.parts:
            return response
        if not response.partial:
            parts = self._planner.process_planning_response(self.view, content.parts)
        elif self._plan is None:
            return response
        elif not (parts := self._plan.read(content.parts)):
            return None
        return copy_with(response, content=copy_with(content, parts=parts)) if parts else response

    def event_of(self, response: LlmResponse, request: LlmRequest) -> Event:
        """The event of a piece, or of the whole."""
        self._is_whole = not response.partial
        return _event(self._context, request, response, self._event_id, self.view)


def _event(
    context: InvocationContext, request: LlmRequest, response: LlmResponse, event_id: str, view: CallbackContext
) -> Event:
    said = {name: value for name, value in vars(response).items() if value is not None and name in _RESPONSE_FIELDS}
    if not response.partial:
        view.collect_edits()
        calls = response.get_function_calls()
        if response.error_message is not None:
            said["error_message"] = redact(response.error_message)
        if response.stop_reason in (None, "end_turn"):
            said["stop_reason"] = "error" if response.error_code else "tool_use" if calls else "end_turn"
        if calls:
            said["content"] = with_ids(said["content"], calls)
            said["long_running_tool_ids"] = _long_running(context, request, said["content"])
        said["actions"] = view.actions
    return Event(id=event_id, invocation_id=context.invocation_id, author=context.agent_name, branch=context.branch, **said)


def _long_running(context: InvocationContext, request: LlmRequest, content: types.Content) -> set[str] | None:
    """Ids of the calls in `content` that may be answered later; None for none."""
    if not context.may_pause:
        return None
    tools = request.tools_dict
    found = {
        call.id for call in calls_in(content) if call.id and getattr(tools.get(call.name or ""), "is_long_running", False)
    }
    return found or None
