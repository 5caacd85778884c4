"""A clerk that posts each word of the message to a ledger outside of the session, one after the other, and says so."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from agents import FunctionTool, LlmAgent, ToolContext


async def post(word: str, tool_context: ToolContext) -> dict[str, Any]:
    """Posts a word. The word "wait" waits, once it is posted, until somebody lets it go on."""
    folder = Path(tool_context.state["folder"])
    with (folder / "ledger").open("a") as ledger:
        ledger.write(f"{word}\n")
    while word == "wait" and not (folder / "go").exists():
        await asyncio.sleep(0.02)
    return {"posted": word}


def careful(word: str, **_: Any) -> bool:
    """Whether a user is asked first."""
    return word == "ask"


root_agent = LlmAgent(
    name="Clerk",
    instruction="{words}",
    tools=[FunctionTool(post, read_only_hint=False, require_confirmation=careful)],
)
