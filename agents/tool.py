"""The tool contract: what a model may call, one by one or as a set."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from google.genai import types

from agents.model import LlmRequest
from agents.runtime.context import ReadonlyContext, ToolContext


class BaseTool:
    """Something a model may call.

    Args:
        name: What the model calls it by.
        description: What the model reads to decide.
        is_long_running: Whether the answer may come later than the call returns.
        read_only_hint: Whether it changes nothing outside the session, in the words of MCP's tool annotations. What is
            not read-only, e.g. a payment, is not done again by a counterfactual run unless the user confirms it.
    """

    answers_in_words: ClassVar[bool] = False
    """Whether a result that ends the turn is also shown as a text."""

    def __init__(
        self,
        *,
        name: str,
        description: str,
        is_long_running: bool = False,
        custom_metadata: dict[str, Any] | None = None,
        read_only_hint: bool = True,
    ) -> None:
        self.name = name
        self.description = description
        self.is_long_running = is_long_running
        self.custom_metadata = custom_metadata
        self.read_only_hint = read_only_hint

    def _get_declaration(self) -> types.FunctionDeclaration | None:
        """The declaration that the model is sent; None for a tool that only changes the request."""
        return None

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        """Runs the tool.

        Args:
            args: The arguments as the model gave them.
            tool_context: State, actions and the id of the call.

        Returns:
            A dictionary for the model, or any value, which is then sent as `{"result": value}`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define run_async(*, args, tool_context).")

    async def rejected(self, *, tool_context: ToolContext) -> Any:
        """Called when the user has rejected the call, which is then not run.

        Returns:
            What the model is told in place of the rejection; None for just that.
        """
        return None

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Adds this tool to a request; override it to change the request otherwise."""
        llm_request.append_tools([self])


ToolPredicate = Callable[..., bool]
"""`predicate(tool, readonly_context)`: whether a model is offered a tool."""


class BaseToolset(ABC):
    """Tools that belong together; it stands in `LlmAgent.tools` for all of them.

    Args:
        tool_filter: Names of the tools to offer, or a `ToolPredicate`; None for all.
        tool_name_prefix: Stands before the tools' names, with an underscore.
    """

    def __init__(self, *, tool_filter: ToolPredicate | list[str] | None = None, tool_name_prefix: str | None = None) -> None:
        self.tool_filter = tool_filter
        self.tool_name_prefix = tool_name_prefix

    @abstractmethod
    async def get_tools(self, readonly_context: ReadonlyContext | None = None) -> Sequence[BaseTool]:
        """The tools to offer, without the prefix; asked before each model call."""

    @property
    def known_tools(self) -> Sequence[BaseTool]:
        """The tools that are known before a run, without the prefix; () if they must be asked for."""
        return ()

    @property
    def shown_names(self) -> list[str]:
        """What the graph shows: the names of the tools that are known, else one for all of them."""
        return [self.prefixed(tool).name for tool in self.known_tools] or [type(self).__name__]

    async def get_tools_with_prefix(self, readonly_context: ReadonlyContext | None = None) -> list[BaseTool]:
        """The tools to offer."""
        return [self.prefixed(tool) for tool in await self.get_tools(readonly_context)]

    def prefixed(self, tool: BaseTool) -> BaseTool:
        """A tool as a model is offered it: a copy whose name has the prefix."""
        if not self.tool_name_prefix:
            return tool
        named = copy.copy(tool)
        named.name = f"{self.tool_name_prefix}_{tool.name}"

        def declaration() -> types.FunctionDeclaration | None:
            own = tool._get_declaration()  # pyright: ignore[reportPrivateUsage]  ADK's name for it
            return own and own.model_copy(update={"name": named.name})

        vars(named)["_get_declaration"] = declaration
        return named

    def _is_tool_selected(self, tool: BaseTool, readonly_context: ReadonlyContext | None) -> bool:
        wanted = self.tool_filter
        if wanted is None or callable(wanted):
            return wanted is None or wanted(tool, readonly_context)
        return tool.name in wanted
