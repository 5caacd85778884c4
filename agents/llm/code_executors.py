"""Code executors: who runs the code that a model writes. Names and arguments are those of ADK for Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.genai import types

if TYPE_CHECKING:
    from agents.model import LlmRequest


class BuiltInCodeExecutor:
    """Code execution by the model's provider: Gemini's own tool. No code is run on this machine."""

    def process_llm_request(self, llm_request: LlmRequest) -> None:
        """Asks for the tool in a request."""
        llm_request.append_built_in(types.Tool(code_execution=types.ToolCodeExecution()))
