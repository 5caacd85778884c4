"""A tool that offers the user several options and waits until one is chosen."""

from __future__ import annotations

from agents.tools.long_running import LongRunningFunctionTool

USER_CHOICE = "get_user_choice"
"""The tool's name."""


class GetUserChoiceTool(LongRunningFunctionTool):
    """Offers the user options. The run pauses until one is chosen."""

    def __init__(self) -> None:
        def get_user_choice(options: list[str]) -> str | None:
            """Offers the user options to choose one from, and waits for the choice."""

        super().__init__(get_user_choice)


get_user_choice = GetUserChoiceTool()
