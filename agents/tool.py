"""The tool contract: what a model may call."""

from __future__ import annotations

from typing import Any, ClassVar

from google.genai import types

from agents.model import LlmRequest
from agents.runtime.context import ToolContext


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

    def __init__(self, *, name: str, description: str, is_long_running: bool = False, read_only_hint: bool = True) -> None:
        self.name = name
        self.description = description
        self.is_long_running = is_long_running
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

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Adds this tool to a request; override it to change the request otherwise."""
        llm_request.append_tools([self])
