"""The fields of an `LlmAgent`, and what they default to.

The turn itself is in `llm_agent.py`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, ClassVar, Literal

from google.genai import types
from pydantic import Field, PrivateAttr, TypeAdapter, field_validator

from agents.agent import BaseAgent
from agents.errors import ModelNotFoundError
from agents.llm.code_executors import BuiltInCodeExecutor
from agents.llm.contents import IncludeContents
from agents.llm.instruction import InstructionProvider, resolve_instruction
from agents.llm.planners import BasePlanner
from agents.llm.tool_calls import ToolCallbacks
from agents.model import BaseLlm
from agents.models.registry import LLMRegistry
from agents.runtime.context import InvocationContext, ReadonlyContext
from agents.tool import BaseTool, BaseToolset
from agents.tools.function import FunctionTool

Callback = Callable[..., Any | Awaitable[Any]]
Callbacks = Callback | list[Callback] | None

_NODE_TOOL = "agents.workflow.node_tool"
"""Its module, which builds on this one."""


class LlmAgentSettings(BaseAgent):
    """The fields of an `LlmAgent`.

    Attributes:
        model: A name in `LLMRegistry`, or a model object. Without one: the nearest ancestor's, else the run's.
            `RunConfig.agent_models` overrides it.
        instruction: What the agent is to do; `{key}` is filled from state. Or a function of a `ReadonlyContext`.
        global_instruction: For the whole tree, when set on its root.
        static_instruction: Text that never changes and is sent as it is, so that a provider can cache it. `instruction` is
            then sent in the turn, before the latest message.
        tools: Functions, tools, toolsets and graphs that the model may call.
        generate_content_config: Temperature and the like.
        include_contents: "default" sends the visible history, "none" only this turn's.
        input_schema: Pydantic model of what this agent expects when it is used as a tool.
        output_schema: Type that the answer must fit, as JSON: a pydantic model, `list[Model]`, `dict`, …
        output_key: State key that the final answer is written to; with `output_schema`, the parsed value.
        output_retries: How often the model is asked again if its answer does not fit `output_schema`.
        mode: "single_turn" answers once; "task" talks with the user until its model calls `finish_task`, with what it gives
            as the arguments; "chat" answers the user, with the session's history. As nodes of graphs, agents without a mode
            are "single_turn". As sub-agents, the first two are tools of their parent, which sees what they give; to others
            it may transfer.
        parallel_worker: As a node of a graph: whether it is run once for each item of a list, in parallel.
        planner: Makes the model plan before it acts.
        code_executor: Lets the model run code, where its provider runs it.
        disallow_transfer_to_parent: Whether its model may not transfer to its parent. It does not keep the conversation
            then either: the next message goes to the tree's root.
        disallow_transfer_to_peers: Whether it may not transfer to the parent's other sub-agents.
        before_model_callback: `callback(callback_context=, llm_request=)`; a response that it returns is the answer.
        after_model_callback: `callback(callback_context=, llm_response=)`; a response that it returns is used instead.
        on_model_error_callback: `callback(callback_context=, llm_request=, error=)`; the same.
        before_tool_callback: `callback(tool=, args=, tool_context=)`; what it returns is the result.
        after_tool_callback: `callback(tool=, args=, tool_context=, tool_response=)`; the same.
        on_tool_error_callback: `callback(tool=, args=, tool_context=, error=)`; the same.
    """

    _hands_over: ClassVar[bool] = True

    model: str | BaseLlm = ""
    instruction: str | InstructionProvider = ""
    global_instruction: str | InstructionProvider = ""
    static_instruction: str | types.Content | None = None
    tools: list[Callable[..., Any] | BaseTool | BaseToolset | BaseAgent] = Field(default_factory=list[Any])
    generate_content_config: types.GenerateContentConfig | None = None
    include_contents: IncludeContents = "default"
    input_schema: Any = None
    output_schema: Any = None
    output_key: str | None = None
    output_retries: int = Field(default=1, ge=0)
    mode: Literal["chat", "task", "single_turn"] | None = None
    parallel_worker: bool = False
    planner: BasePlanner | None = None
    code_executor: BuiltInCodeExecutor | None = None
    disallow_transfer_to_parent: bool = False
    disallow_transfer_to_peers: bool = False
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
        """Makes tools of functions now, so that an invalid one is refused here and not during a run."""
        super().model_post_init(context)
        if any(isinstance(tool, BaseAgent) for tool in self.tools):
            self.tools = [self._as_tool(tool) if isinstance(tool, BaseAgent) else tool for tool in self.tools]
        for tool in self.tools:
            if not isinstance(tool, BaseToolset):
                self._as_tool(tool)

    @field_validator("static_instruction")
    @classmethod
    def _is_text(cls, value: str | types.Content | None) -> str | types.Content | None:
        if isinstance(value, types.Content) and not all(part.text for part in value.parts or []):
            raise ValueError("static_instruction has a part that is no text. Files go into a message or an artifact.")
        return value

    @property
    def static_text(self) -> str:
        """The static instruction as text; "" without one."""
        if isinstance(static := self.static_instruction, types.Content):
            return "\n\n".join(part.text or "" for part in static.parts or [])
        return static or ""

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

    @property
    def _output_adapter(self) -> TypeAdapter[Any]:
        if self._adapter is None or self._adapter[0] is not self.output_schema:
            self._adapter = (self.output_schema, TypeAdapter(self.output_schema))
        return self._adapter[1]

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
        if model := self.model:
            return self._own_model(model)
        parent = self.parent_agent
        while parent is not None:
            if isinstance(parent, LlmAgentSettings) and parent.model:
                return parent._own_model(parent.model)
            parent = parent.parent_agent
        return None

    def _own_model(self, model: str | BaseLlm) -> BaseLlm:
        if not isinstance(model, str):
            return model
        if self._named_model is None or self._named_model[0] != model:
            self._named_model = (model, LLMRegistry.new_llm(model))
        return self._named_model[1]

    def model_for(self, context: InvocationContext) -> BaseLlm:
        """The model in a run: what was chosen for this agent, its own, its nearest ancestor's, or the run's.

        Raises:
            ModelNotFoundError: There is none.
        """
        return self._model_in(context) or self.canonical_model

    def _model_in(self, ctx: InvocationContext) -> BaseLlm | None:
        chosen = ctx.run_config.agent_models
        if chosen and self.name in chosen:
            return self._own_model(chosen[self.name])
        if (own := self.model) and not isinstance(own, str):
            return own
        if (model := self._chosen_model()) is not None:
            return model
        return self._own_model(ctx.run_config.model) if ctx.run_config.model else None

    async def canonical_instruction(self, ctx: ReadonlyContext) -> tuple[str, bool]:
        """The instruction before it is filled from state, and whether a function wrote it: then it is not filled."""
        return await resolve_instruction(self.instruction, ctx)

    async def canonical_global_instruction(self, ctx: ReadonlyContext) -> tuple[str, bool]:
        """The same for the whole tree's instruction."""
        return await resolve_instruction(self.global_instruction, ctx)

    async def canonical_tools(self, ctx: ReadonlyContext | None = None) -> list[BaseTool]:
        """The tools as objects, functions wrapped and toolsets asked for theirs."""
        found: list[BaseTool] = []
        for tool in self.tools:
            found += await tool.get_tools_with_prefix(ctx) if isinstance(tool, BaseToolset) else [self._as_tool(tool)]
        return found + [self._as_tool(agent) for agent in self.sub_agents if is_called(agent)]

    def _as_tool(self, tool: Callable[..., Any] | BaseTool | BaseAgent) -> BaseTool:
        if isinstance(tool, BaseTool):
            return tool
        # Not `self._made`: pydantic looks for it elsewhere first, and raises and catches two errors on the way.
        made: dict[int, tuple[Any, BaseTool]] = (self.__pydantic_private__ or {})["_made"]
        if id(tool) not in made:
            if isinstance(tool, BaseAgent):
                made[id(tool)] = (tool, import_module(_NODE_TOOL).NodeTool(tool, self))
            else:
                made[id(tool)] = (tool, FunctionTool(tool))
        return made[id(tool)][1]

    @property
    def _tool_callbacks(self) -> ToolCallbacks:
        return ToolCallbacks(self.before_tool_callback, self.after_tool_callback, self.on_tool_error_callback)

    @property
    def _calls_agents(self) -> bool:
        return any(is_called(agent) for agent in self.sub_agents)

    @property
    def transfer_targets(self) -> list[BaseAgent]:
        """The agents that its model may transfer to: sub-agents, the parent and its other sub-agents, unless disallowed.

        Sub-agents that are called as tools, by their `mode`, are none of them.
        """
        parent = self.parent_agent
        own = [agent for agent in self.sub_agents if not is_called(agent)]
        if parent is None or not parent._hands_over:
            return own
        above: list[BaseAgent] = [] if self.disallow_transfer_to_parent else [parent]
        others = () if self.disallow_transfer_to_peers else parent.sub_agents
        return [*own, *above, *(agent for agent in others if agent is not self and not is_called(agent))]

    @property
    def keeps_the_conversation(self) -> bool:
        """Whether the user's next message goes to this agent if it spoke last: only if it can transfer back."""
        agent: BaseAgent | None = self
        while agent is not None:
            if not isinstance(agent, LlmAgentSettings) or agent.disallow_transfer_to_parent:
                return False
            agent = agent.parent_agent
        return True


def is_called(agent: BaseAgent) -> bool:
    """Whether a sub-agent is a tool of its parent, rather than one that the parent may transfer to."""
    return isinstance(agent, LlmAgentSettings) and agent.mode in ("task", "single_turn")
