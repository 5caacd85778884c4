"""An agent that works with a model: think, act, observe, until the model is done.

The turn reads top to bottom in `LlmAgent._run_async_impl`.
"""

from __future__ import annotations

import json
import operator
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import ClassVar

from google.genai import types
from pydantic import ValidationError

from agents.agent import BaseAgent
from agents.errors import OutputSchemaError, RoutingError, known
from agents.event import Event
from agents.llm.compaction.compact import compact_before_call
from agents.llm.contents import history_for, say_in_turn
from agents.llm.instruction import (
    Filled,
    InstructionProvider,
    artifact_names,
    filled_in,
    filled_template,
    join_filled,
)
from agents.llm.open_calls import OpenCalls, open_calls_of, own_events
from agents.llm.planners import BasePlanner, BuiltInPlanner
from agents.llm.settings import LlmAgentSettings
from agents.llm.tool_calls import run_calls
from agents.llm.tool_results import Act
from agents.llm.turn import Turn, think
from agents.model import JSON_IN_WORDS, LlmRequest, copy_with, unchecked
from agents.models.identity import introduced
from agents.runtime.context import InvocationContext, ReadonlyContext, ToolContext
from agents.runtime.output import explain_misfit, parse_answer
from agents.runtime.position import Frame
from agents.tool import BaseTool
from agents.tools.agent_tool import AgentTool
from agents.tools.built_in import GoogleSearchTool
from agents.tools.transfer import TRANSFER, TransferToAgentTool, transfer_instruction

MOST_HAND_OVERS = 100
"""Limit of nested transfers: each agent runs inside the one before it, and Python's stack is finite."""

_NO_SETTINGS = types.GenerateContentConfig()


class LlmAgent(LlmAgentSettings):
    """An agent whose model decides what it says, which tools it calls and which agent it transfers to.

    Its fields are those of `LlmAgentSettings`.
    """

    _may_wait: ClassVar[bool] = False  # the start of its model call is stored before the call
    keeps_its_place: ClassVar[bool] = True

    # -- one turn, top to bottom

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        turn = Turn(retries=self.output_retries)
        if ctx.position is not None:
            async with aclosing(self._go_on(ctx, turn, ctx.position)) as events:
                async for event in events:
                    yield event
        while not (turn.is_over or ctx.end_invocation):
            await compact_before_call(ctx)
            request = await self._request(ctx, turn)
            turn.tools = request.tools_dict
            events = think(ctx, self, request, turn)
            try:
                async for event in events:
                    self._note(turn, event)
                    yield event
            finally:
                await events.aclose()
            calls = turn.calls
            if (not calls and turn.complaint is None) or ctx.end_invocation:
                return
            act = (
                await run_calls(ctx, calls, turn.tools, self._tool_callbacks) if calls else Act([self._ask_again(ctx, turn)])
            )
            for observation in act.events:
                yield self._as_answer(turn, act, observation)
            self._observe(ctx, turn, act)
        if turn.hand_over_to is not None:
            async with aclosing(self._hand_over(ctx, turn.hand_over_to)) as events:
                async for event in events:
                    yield event

    def _note(self, turn: Turn, event: Event) -> None:
        if not event.partial:
            turn.answer, turn.complaint = event, self.settle_output(event, said_before=turn.said)
            turn.said += event.text

    def _observe(self, ctx: InvocationContext, turn: Turn, act: Act) -> None:
        """Updates the turn after its tool calls: it is over if they wait, transfer, or are the answer themselves."""
        turn.is_over = act.is_waiting or act.is_answer or act.hand_over_to is not None
        if ctx.end_invocation:
            return
        if act.is_waiting:
            ctx.pause()
        else:
            turn.hand_over_to = act.hand_over_to

    async def _go_on(self, ctx: InvocationContext, turn: Turn, stood: Frame) -> AsyncGenerator[Event, None]:
        """What is left of a turn that had paused or was cut: its calls without a result, run if they may."""
        turn.thinks, turn.retries = stood.thinks, turn.retries - stood.retries
        if self.output_key and not stood.is_cut:  # the last answer of a cut one is noted again
            turn.said = "".join(event.text for event in own_events(ctx))
        act, found = Act(), self._left_of(ctx, turn, stood)
        if turn.complaint is not None:
            yield self._ask_again(ctx, turn)
        elif found.to_run:
            request = LlmRequest()
            await self._offer_tools(ctx, request, self.transfer_targets)
            tools, begun = request.tools_dict, ctx.begun_calls
            act = await run_calls(ctx, found.to_run, tools, self._tool_callbacks, found.decisions, begun)
        act.is_waiting = act.is_waiting or found.is_waiting
        act.is_answer = act.is_answer or found.is_answer
        act.hand_over_to = act.hand_over_to or found.hand_over_to
        for event in act.events:
            yield self._as_answer(turn, act, event)
        self._observe(ctx, turn, act)

    def _left_of(self, ctx: InvocationContext, turn: Turn, stood: Frame) -> OpenCalls:
        if stood.transfer is not None:
            return OpenCalls(hand_over_to=stood.transfer if stood.waiting else None, is_answer=not stood.waiting)
        if stood.is_cut:
            last = next((event for event in reversed(own_events(ctx)) if event.content is not None), None)
            if last is None or is_retry(last):
                return OpenCalls()
            if last.stop_reason is not None:
                self._note(turn, last)
                return OpenCalls(to_run=turn.calls, is_answer=turn.is_answered)
            if not (last.get_function_calls() or last.get_function_responses()):  # of a subclass, after its model
                return OpenCalls(is_answer=True)
        return open_calls_of(ctx)

    async def _hand_over(self, ctx: InvocationContext, name: str) -> AsyncGenerator[Event, None]:
        """Runs another agent in this one's place."""
        agent = self.root_agent.find_agent(name)
        if agent is None:
            raise RoutingError(
                f"Agent {self.name!r} was to hand over to {name!r}, and there is no agent of that name in its tree. It can "
                f"hand over to: {known(target.name for target in self.transfer_targets)}."
            )
        if ctx.hand_overs >= MOST_HAND_OVERS:
            raise RoutingError(
                f"{MOST_HAND_OVERS} agents in a row handed over instead of answering, at last {self.name!r} to {name!r}. "
                "Say in their instructions who answers what, or forbid the way back with disallow_transfer_to_parent."
            )
        ctx.hand_overs += 1
        if ctx.position is None or ctx.position.transfer is None:
            ctx.record("transfer", to=name)
        async with aclosing(agent.run_async(ctx)) as events:
            async for event in events:
                yield event

    # -- what the model is sent

    async def _request(self, ctx: InvocationContext, turn: Turn) -> LlmRequest:
        """Settings, identity, instruction, history, plan, tools."""
        settings = self.generate_content_config or _NO_SETTINGS
        name, tools, planner, targets = self.name, self.tools, self.planner, self.transfer_targets
        labels = {**(ctx.run_config.labels or {}), **(settings.labels or {}), "adk_agent_name": name}
        template = self._only_template(self.instruction)
        if template is None:
            filled = await self._filled_instruction(ctx)
        else:
            filled = filled_template(template, ctx.session.state, agent_name=name)
        static = self.static_text
        instruction = introduced(name, self.description, static or filled.text)
        config = copy_with(settings, labels=labels, system_instruction=instruction)
        turn.model = model = self._model_in(ctx)  # there may be no model, if a callback answers in its place
        plans_in_words = planner is not None and not isinstance(planner, BuiltInPlanner)
        node_run = ctx.node_run
        contents = history_for(
            ctx.session.events if node_run is None else node_run.among(ctx.session.events),
            agent_name=name,
            branch=ctx.branch,
            include_contents=self.include_contents,
            keep_own_ids=model is not None and model.pairs_calls_by_id,
            keep_own_thoughts=plans_in_words,
        )
        if static and filled.text:
            say_in_turn(contents, filled.text)
        request = unchecked(
            LlmRequest,
            model=None if model is None else model.model,
            config=config,
            contents=contents,
            tools_dict={},
            filled=filled.at_the_end_of(instruction) if filled.values and not static else None,
        )
        history = tuple(contents) if tools else ()
        if planner is not None:
            self._ask_for_plan(ctx, request, planner)
        if tools or targets or self._calls_agents:
            await self._offer_tools(ctx, request, targets)
        if self.code_executor is not None:
            self.code_executor.process_llm_request(request)
        # A tool may have added contents, such as memories; and a plan in words is shown again.
        turn.is_selected = (
            not plans_in_words and not static and node_run is None and (not tools or _same(history, request.contents))
        )
        if self.output_schema is not None:
            self._ask_for_json(request)
        return request

    def _ask_for_plan(self, ctx: InvocationContext, request: LlmRequest, planner: BasePlanner) -> None:
        if isinstance(planner, BuiltInPlanner):
            planner.apply_thinking_config(request)
        elif instruction := planner.build_planning_instruction(ReadonlyContext(ctx), request):
            request.append_instructions([instruction])

    def _only_template(self, own: str | InstructionProvider) -> str | None:
        """This agent's instruction, if it can be filled from state alone: no function, no tree's, no artifacts."""
        if not isinstance(own, str) or artifact_names(own):
            return None
        root = self.root_agent
        return None if isinstance(root, LlmAgent) and root.global_instruction else own

    async def _filled_instruction(self, ctx: InvocationContext) -> Filled:
        """The tree's instruction and this agent's, filled from state and artifacts."""
        root, view = self.root_agent, ReadonlyContext(ctx)
        sources = [await self.canonical_instruction(view)]
        if isinstance(root, LlmAgent) and root.global_instruction:
            sources.insert(0, await root.canonical_global_instruction(view))
        filled = [Filled(text) if final else await filled_in(text, ctx) for text, final in sources]
        return join_filled(filled, between="\n\n")

    async def _offer_tools(self, ctx: InvocationContext, request: LlmRequest, targets: Sequence[BaseAgent]) -> None:
        if self.tools or self._calls_agents:
            tool_context = ToolContext(ctx)
            for tool in await self.canonical_tools(tool_context):
                await tool.process_llm_request(tool_context=tool_context, llm_request=request)
        if targets:
            tool = TransferToAgentTool([target.name for target in targets])
            if TRANSFER in request.tools_dict:  # the plain function, which takes any name
                request.tools_dict[TRANSFER] = tool
            else:
                request.append_tools([tool])
            request.append_instructions([transfer_instruction(targets)])

    async def canonical_tools(self, ctx: ReadonlyContext | None = None) -> list[BaseTool]:
        """The tools as objects, functions wrapped; see `GoogleSearchTool` for what may become an agent of its own."""
        tools = await super().canonical_tools(ctx)
        searching = [tool for tool in tools if isinstance(tool, GoogleSearchTool) and tool.bypass_multi_tools_limit]
        if not searching or (len(tools) == 1 and not self.transfer_targets):
            return tools
        return [self._searcher if tool in searching else tool for tool in tools]

    @property
    def _searcher(self) -> BaseTool:
        agent = LlmAgent(
            name="google_search_agent",
            model=self._chosen_model() or "",
            description="Searches the web with Google.",
            instruction="Answer the request with what Google Search finds.",
            tools=[GoogleSearchTool()],
        )
        return AgentTool(agent)

    # -- the answer

    def settle_output(self, event: Event, *, said_before: str = "") -> str | None:
        """Puts the answer into the event's state delta; returns the reason if it does not fit the schema.

        Args:
            event: A whole answer of the model; one with calls is an answer only without a schema.
            said_before: What the model said earlier in the turn.
        """
        schema, key = self.output_schema, self.output_key
        if event.error_code:
            return None
        if schema is None:
            if key and (text := event.text):
                event.actions.state_delta[key] = _whole_characters(said_before + text)
            return None
        if event.long_running_tool_ids or (text := event.final_text()) is None:
            return None
        try:
            value = parse_answer(self._output_adapter, _whole_characters(text))
        except ValidationError as error:
            return explain_misfit(error, event.stop_reason)
        if key:
            event.actions.state_delta[key] = value
        return None

    def _as_answer(self, turn: Turn, act: Act, event: Event) -> Event:
        """An event of tool calls; if it has the answer in words, that is settled like the model's own."""
        settles = act.is_answer and event.text and event.seq is None
        if settles and (complaint := self.settle_output(event, said_before=turn.said)) is not None:
            raise OutputSchemaError(f"Agent {self.name!r} was to answer with JSON that fits output_schema. {complaint}")
        return event

    def _settle_callback_answer(self, event: Event) -> None:
        if event.text:
            self.settle_output(event)

    def _ask_for_json(self, request: LlmRequest) -> None:
        """Constrains the answer to the schema; with tools only in the instruction, since not every model takes both."""
        if not request.tools_dict:
            request.config.response_schema = self.output_schema
            request.config.response_mime_type = "application/json"
            return
        schema = json.dumps(self._output_adapter.json_schema(), ensure_ascii=False)
        request.json_in_words = True
        request.append_instructions([f"{JSON_IN_WORDS}{schema}"])

    def _ask_again(self, ctx: InvocationContext, turn: Turn) -> Event:
        """Tells the model what is wrong with its answer, unless its retries are used up."""
        if turn.retries <= 0:
            raise OutputSchemaError(f"Agent {self.name!r} was to answer with JSON that fits output_schema. {turn.complaint}")
        turn.retries -= 1
        text = f"{turn.complaint} Answer again, with JSON only."
        return Event(
            invocation_id=ctx.invocation_id,
            author=self.name,
            branch=ctx.branch,
            content=types.Content(role="user", parts=[types.Part(text=text)]),
            custom_metadata={"output_retry": True},
        )


def is_retry(event: Event) -> bool:
    """Whether an event asks a model again because its answer did not fit."""
    return "output_retry" in (event.custom_metadata or {})


def _whole_characters(text: str) -> str:
    """A text for state: a model may cut a character in half."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def _same(before: Sequence[types.Content], after: Sequence[types.Content]) -> bool:
    return len(before) == len(after) and all(map(operator.is_, before, after))


Agent = LlmAgent
