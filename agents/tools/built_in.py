"""Gemini's own tools: Gemini runs them while it answers, so no call comes back. Other models refuse them, see `BaseLlm`."""

from __future__ import annotations

from google.genai import types

from agents.model import LlmRequest
from agents.runtime.context import ToolContext
from agents.tool import BaseTool


class GoogleSearchTool(BaseTool):
    """Lets Gemini search with Google. The answer's event then has its sources in `grounding_metadata`.

    Args:
        bypass_multi_tools_limit: Whether an agent with other tools searches through an agent tool instead: Gemini 2
            cannot search and call functions in one request.
    """

    def __init__(self, *, bypass_multi_tools_limit: bool = False) -> None:
        super().__init__(name="google_search", description="google_search")
        self.bypass_multi_tools_limit = bypass_multi_tools_limit

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Asks for the tool; see `BaseTool`."""
        llm_request.append_built_in(types.Tool(google_search=types.GoogleSearch()))


class UrlContextTool(BaseTool):
    """Lets Gemini read the pages whose addresses are in the conversation."""

    def __init__(self) -> None:
        super().__init__(name="url_context", description="url_context")

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Asks for the tool; see `BaseTool`."""
        llm_request.append_built_in(types.Tool(url_context=types.UrlContext()))


google_search = GoogleSearchTool()
url_context = UrlContextTool()
