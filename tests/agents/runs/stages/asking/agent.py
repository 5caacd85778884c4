"""A clerk who asks before paying more than a limit, and files who is told of it."""

from __future__ import annotations

from typing import Any

from google.genai import types

from agents import FunctionTool, LlmAgent, LongRunningFunctionTool, SequentialAgent, ToolContext, get_user_choice


def too_much(amount: int, tool_context: ToolContext) -> bool:
    """Whether a person has to say yes."""
    return amount > tool_context.state.get("limit", 100)


async def pay(amount: int, tool_context: ToolContext) -> dict[str, Any]:
    """Pays, and files a receipt."""
    receipt = types.Part(text=f"paid {amount}")
    return {"paid": amount, "receipt": await tool_context.save_artifact("receipt.txt", receipt)}


def ask_the_bank(question: str) -> None:
    """Asks; the answer comes later."""


root_agent = SequentialAgent(
    name="Office",
    sub_agents=[
        LlmAgent(
            name="Clerk",
            tools=[FunctionTool(pay, require_confirmation=too_much), LongRunningFunctionTool(ask_the_bank), get_user_choice],
        ),
        LlmAgent(name="Filing", include_contents="none"),
    ],
)
