"""A clerk that looks at some words and posts others to a ledger outside of the session; both take a while."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from agents import FunctionTool, LlmAgent, ToolContext

SECONDS = float(os.environ.get("PLAYGROUND_BENCH_SECONDS", "1"))


async def post(word: str, tool_context: ToolContext) -> dict[str, Any]:
    """Posts a word."""
    name = tool_context._invocation_context.session.id
    with (Path(os.environ["PLAYGROUND_BENCH_LEDGERS"]) / name).open("a") as ledger:
        ledger.write(f"{word}\n")
    await asyncio.sleep(SECONDS)
    return {"posted": word}


async def look(word: str) -> dict[str, Any]:
    """Looks at a word."""
    await asyncio.sleep(SECONDS)
    return {"seen": word}


root_agent = LlmAgent(
    name="Clerk", instruction="{words}", tools=[FunctionTool(post, read_only_hint=False), FunctionTool(look)]
)
