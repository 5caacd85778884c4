"""Tools whose result comes after they return: from the user, or from a job that they started."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.genai import types

from agents.tools.function import FunctionTool

_NOTE = (
    "This starts something that takes time. Do not call it again for the same thing while its result is awaited or pending."
)


class LongRunningFunctionTool(FunctionTool):
    """A function whose result comes later.

    If it returns None, the call stays without a response and the run pauses; a message with a
    `FunctionResponse` of the call's id resumes it. Any other return value is the response, and the agent continues
    at once.

    Args:
        func: As for `FunctionTool`.
        read_only_hint: As for `FunctionTool`.

    Raises:
        ToolError: The signature cannot be offered to a model.
    """

    def __init__(self, func: Callable[..., Any], *, read_only_hint: bool = True) -> None:
        super().__init__(func, read_only_hint=read_only_hint)
        self.is_long_running = True

    def _get_declaration(self) -> types.FunctionDeclaration:
        declaration = super()._get_declaration()
        declaration.description = f"{declaration.description}\n\n{_NOTE}" if declaration.description else _NOTE
        return declaration
