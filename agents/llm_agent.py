"""An agent that works with a model: think, act, observe, until the model is done.

The turn reads top to bottom in `LlmAgent._run_async_impl`. Knows no provider and no storage.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, ClassVar

from google.genai import types
from pydantic import Field, PrivateAttr, TypeAdapter, ValidationError, field_validator

from agents.agent import BaseAgent, first_answer
from agents.config import redact
from agents.contents import IncludeContents, history_for
from agents.context import CallbackContext, InvocationContext, ReadonlyContext, StreamingMode, ToolContext
from agents.errors import ModelNotFoundError, OutputSchemaError
from agents.event import Event
from agents.instruction import InstructionProvider, fill_template, resolve_instruction
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.model_call import ModelCall, SilenceLimit
from agents.models.registry import LLMRegistry
from agents.output import explain_misfit, parse_answer
from agents.tool import BaseTool
from agents.tool_calls import ToolCallbacks, give_ids, run_calls
from agents.tools.function import FunctionTool

Callback = Callable[..., Any | Awaitable[Any]]
Callbacks = Callback | list[Callback] | None

_NO_SETTINGS = types.GenerateContentConfig()
_RESPONSE_FIELDS = frozenset(LlmResponse.model_fields)


class LlmAgent(BaseAgent):
    """An agent whose model decides what it says and which tools it calls.

    Attributes:
        model: A name that `LLMRegistry` knows, or a model object. Without one: the nearest ancestor's, else the run's.
        instruction: What the agent is to do; `{key}` is filled from state. Or a function of a `ReadonlyContext`.
        global_instruction: For the whole tree, when set on its root.
        tools: Functions and tools that the model may call.
        generate_content_config: Temperature and the like.
        include_contents: "default" sends the visible history, "none" only this turn's.
        input_schema: Pydantic model of what this agent expects when it is used as a tool.
        output_schema: Type that the answer must fit, as JSON: a pydantic model, `list[Model]`, `dict`, …
        output_key: State key that the final answer is written to; with `output_schema`, the parsed value.
        output_retries: How often the model is told that its answer does not fit `output_schema`.
        before_model_callback: `callback(callback_context=, llm_request=)`; a response that it returns is the answer.
        after_model_callback: `callback(callback_context=, llm_response=)`; a response that it returns is used instead.
        on_model_error_callback: `callback(callback_context=, llm_request=, error=)`; the same.
        before_tool_callback: `callback(tool=, args=, tool_context=)`; what it returns is the result.
        after_tool_callback: `callback(tool=, args=, tool_context=, tool_response=)`; the same.
        on_tool_error_callback: `callback(tool=, args=, tool_context=, error=)`; the same.
    """

    _may_wait: ClassVar[bool] = False  # the start of its model call is stored before the call

    model: str | BaseLlm = ""
    instruction: str | InstructionProvider = ""
    global_instruction: str | InstructionProvider = ""
    tools: list[Callable[..., Any] | BaseTool] = Field(default_factory=list[Callable[..., Any] | BaseTool])
    generate_content_config: types.GenerateContentConfig | None = None
    include_contents: IncludeContents = "default"
    input_schema: Any = None
    output_schema: Any = None
    output_key: str | None = None
    output_retries: int = Field(default=1, ge=0)
    before_model_callback: Callbacks = None
    after_model_callback: Callbacks = None
    on_model_error_callback: Callbacks = None
    before_tool_callback: Callbacks = None
    after_tool_callback: Callbacks = None
    on_tool_error_callback: Callbacks = None
    _made: dict[int, tuple[Any, BaseTool]] = PrivateAttr(default_factory=dict[int, tuple[Any, BaseTool]])
    _adapter: tuple[Any, TypeAdapter[Any]] | None = PrivateAttr(default=None)
    _named_model: tuple[str, BaseLlm] | None = PrivateAttr(default=None)

    def model_post_init(self, context: Any, /) -> None:
        """Makes tools of functions now, so that one that cannot be a tool is refused here and not in mid-run."""
        super().model_post_init(context)
        for tool in self.tools:
            self._as_tool(tool)

    @field_validator("generate_content_config")
    @classmethod
    def _carries_settings_only(cls, value: types.GenerateContentConfig | None) -> types.GenerateContentConfig | None:
        for field, instead in (
            ("tools", "tools"),
            ("system_instruction", "instruction"),
            ("response_schema", "output_schema"),
            ("response_json_schema", "output_schema"),
        ):
            if value is not None and getattr(value, field):
                raise ValueError(f"generate_content_config must not set {field}: use LlmAgent({instead}=…).")
        return value

    # -- one turn, top to bottom

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        retries = self.output_retries
        while not ctx.end_invocation:
            request = await self._request(ctx)
            answer: Event | None = None
            complaint: str | None = None
            async with aclosing(self._think(ctx, request)) as events:
                async for event in events:
                    if not event.partial:
                        answer, complaint = event, self._settle_output(event)
                    yield event
            if answer is None or answer.error_code or ctx.end_invocation:
                return
            if answer.stop_reason == "tool_use" and (calls := answer.get_function_calls()):
                observation = await run_calls(ctx, calls, request.tools_dict, self._tool_callbacks)
                yield observation
                if observation.actions.skip_summarization or observation.actions.transfer_to_agent:
                    return
            elif complaint is None:
                return
            elif retries == 0:
                raise OutputSchemaError(f"Agent {self.name!r} was to answer with JSON that fits output_schema. {complaint}")
            else:
                retries -= 1
                yield self._ask_again(ctx, complaint)

    async def _request(self, ctx: InvocationContext) -> LlmRequest:
        """What the model is sent: settings, instruction, history, tools."""
        settings = self.generate_content_config or _NO_SETTINGS
        labels = {**(settings.labels or {}), "adk_agent_name": self.name}
        instruction = await self._filled_instruction(ctx)
        request = LlmRequest(
            config=settings.model_copy(update={"labels": labels, "system_instruction": instruction or None})
        )
        model = self._model_for(ctx)  # there may be none, if a callback answers in its place
        request.contents = history_for(
            ctx.session.events,
            agent_name=self.name,
            branch=ctx.branch,
            include_contents=self.include_contents,
            keep_own_ids=model is not None and model.pairs_calls_by_id,
        )
        if self.tools:
            tool_context = ToolContext(ctx)
            for tool in await self.canonical_tools(tool_context):
                await tool.process_llm_request(tool_context=tool_context, llm_request=request)
        if self.output_schema is not None:
            self._ask_for_json(request)
        return request

    async def _filled_instruction(self, ctx: InvocationContext) -> str:
        """The tree's instruction and this agent's, filled from state."""
        state, root = ctx.session.state, self.root_agent
        if isinstance(self.instruction, str) and not (isinstance(root, LlmAgent) and root.global_instruction):
            return fill_template(self.instruction, state, agent_name=self.name)
        view = ReadonlyContext(ctx)
        sources = [await self.canonical_instruction(view)]
        if isinstance(root, LlmAgent) and root.global_instruction:
            sources.insert(0, await root.canonical_global_instruction(view))
        texts = [text if final else fill_template(text, state, agent_name=self.name) for text, final in sources]
        return "\n\n".join(text for text in texts if text)

    async def _think(self, ctx: InvocationContext, request: LlmRequest) -> AsyncGenerator[Event, None]:
        """Calls the model, callbacks included; yields the pieces and then the whole of its answer."""
        view = CallbackContext(ctx)
        if self.before_model_callback:
            response = await first_answer(self.before_model_callback, callback_context=view, llm_request=request)
            if response is not None:
                yield self._event(ctx, response, Event.new_id(), view)
                return
        model = self._model_for(ctx) or self.canonical_model
        request.model = model.model
        stream = ctx.run_config.streaming_mode is StreamingMode.SSE
        select = None if self.before_model_callback else self.include_contents
        event_id = ""
        with (
            ModelCall(ctx, request, stream=stream, select=select) as call,
            SilenceLimit(ctx.run_config.model_timeout, request.model) as limit,
        ):
            ctx.flush_soon()
            async with aclosing(model.generate_content_async(request, stream=stream)) as responses:
                while (response := await self._next_response(request, responses, call, limit, view)) is not None:
                    event_id = event_id or Event.new_id()
                    event = self._event(ctx, response, event_id, view)
                    yield event
                    if not event.partial:  # another whole would be another event
                        event_id, view = "", CallbackContext(ctx)

    async def _next_response(
        self,
        request: LlmRequest,
        responses: AsyncGenerator[LlmResponse, None],
        call: ModelCall,
        limit: SilenceLimit,
        view: CallbackContext,
    ) -> LlmResponse | None:
        """The model's next piece or whole, as the callbacks want it; None after the last."""
        if call.was_replaced:
            return None
        try:
            response = await limit.next_of(responses)
            call.saw(response)
        except Exception as error:
            call.finish(error=f"{type(error).__name__}: {error}")
            answer = await first_answer(
                self.on_model_error_callback, callback_context=view, llm_request=request, error=error
            )
            if answer is None:
                raise
            call.was_replaced = True
            response = answer
        if response is None or not self.after_model_callback:
            return response
        changed = await first_answer(self.after_model_callback, callback_context=view, llm_response=response)
        return response if changed is None else changed

    def _event(self, ctx: InvocationContext, response: LlmResponse, event_id: str, view: CallbackContext) -> Event:
        said = {name: value for name, value in response.__dict__.items() if value is not None and name in _RESPONSE_FIELDS}
        place = {"id": event_id, "invocation_id": ctx.invocation_id, "author": self.name, "branch": ctx.branch}
        if response.partial:
            return Event(**place, **said)
        view.state.collect_edits()
        event = Event(**place, actions=view.actions, **said)
        if event.error_message:
            event.error_message = redact(event.error_message)
        if calls := event.get_function_calls():
            give_ids(event)
        if event.stop_reason in (None, "end_turn"):
            event.stop_reason = "error" if event.error_code else "tool_use" if calls else "end_turn"
        return event

    # -- the answer

    def _settle_output(self, event: Event) -> str | None:
        """Puts the final answer into the event's state delta; returns what is wrong with it if it does not fit."""
        if event.error_code or not event.is_final_response():
            return None
        text = event.text.encode(errors="replace").decode()  # a model may cut a character in half; state holds text
        value: Any = text
        if self.output_schema is not None:
            try:
                value = parse_answer(self._output_adapter, text)
            except ValidationError as error:
                return explain_misfit(error, event.stop_reason)
        if self.output_key and (text or self.output_schema is not None):
            event.actions.state_delta[self.output_key] = value
        return None

    def _settle_callback_answer(self, event: Event) -> None:
        if event.text:
            self._settle_output(event)

    def _ask_for_json(self, request: LlmRequest) -> None:
        """Constrains the answer to the schema; beside tools only by words, since not every model takes both."""
        if not request.tools_dict:
            request.config.response_schema = self.output_schema
            request.config.response_mime_type = "application/json"
            return
        schema = json.dumps(self._output_adapter.json_schema(), ensure_ascii=False)
        request.append_instructions(
            [f"When you need no more tools, answer with JSON only, fitting this JSON schema:\n{schema}"]
        )

    def _ask_again(self, ctx: InvocationContext, complaint: str) -> Event:
        text = f"{complaint} Answer again, with JSON only."
        return Event(
            invocation_id=ctx.invocation_id,
            author=self.name,
            branch=ctx.branch,
            content=types.Content(role="user", parts=[types.Part(text=text)]),
            custom_metadata={"output_retry": True},
        )

    @property
    def _output_adapter(self) -> TypeAdapter[Any]:
        if self._adapter is None or self._adapter[0] is not self.output_schema:
            self._adapter = (self.output_schema, TypeAdapter(self.output_schema))
        return self._adapter[1]

    # -- what the fields stand for

    @property
    def canonical_model(self) -> BaseLlm:
        """The model object: this agent's own, or its nearest ancestor's.

        Raises:
            ModelNotFoundError: Neither it nor an agent above it names a model.
        """
        if (model := self._chosen_model()) is None:
            raise ModelNotFoundError(
                f"Agent {self.name!r} has no model, nor has an agent above it. "
                "Set LlmAgent(model=…), or choose one for the run: RunConfig(model=…)."
            )
        return model

    def _chosen_model(self) -> BaseLlm | None:
        agent: BaseAgent | None = self
        while agent is not None:
            if isinstance(agent, LlmAgent) and agent.model:
                return agent._own_model(agent.model)
            agent = agent.parent_agent
        return None

    def _own_model(self, model: str | BaseLlm) -> BaseLlm:
        if isinstance(model, BaseLlm):
            return model
        if self._named_model is None or self._named_model[0] != model:
            self._named_model = (model, LLMRegistry.new_llm(model))
        return self._named_model[1]

    def _model_for(self, ctx: InvocationContext) -> BaseLlm | None:
        if (model := self._chosen_model()) is not None:
            return model
        return self._own_model(ctx.run_config.model) if ctx.run_config.model else None

    async def canonical_instruction(self, ctx: ReadonlyContext) -> tuple[str, bool]:
        """The instruction before it is filled from state, and whether it is not to be, because a function wrote it."""
        return await resolve_instruction(self.instruction, ctx)

    async def canonical_global_instruction(self, ctx: ReadonlyContext) -> tuple[str, bool]:
        """The same for the whole tree's instruction."""
        return await resolve_instruction(self.global_instruction, ctx)

    async def canonical_tools(self, ctx: ReadonlyContext | None = None) -> list[BaseTool]:
        """The tools as objects, functions wrapped."""
        return [self._as_tool(tool) for tool in self.tools]

    def _as_tool(self, tool: Callable[..., Any] | BaseTool) -> BaseTool:
        if isinstance(tool, BaseTool):
            return tool
        if id(tool) not in self._made:
            self._made[id(tool)] = (tool, FunctionTool(tool))
        return self._made[id(tool)][1]

    @property
    def _tool_callbacks(self) -> ToolCallbacks:
        return ToolCallbacks(self.before_tool_callback, self.after_tool_callback, self.on_tool_error_callback)


Agent = LlmAgent
