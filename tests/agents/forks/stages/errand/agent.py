"""An agent that sends each word of the message, and one that reports."""

from __future__ import annotations

from typing import Any

from agents import FunctionTool, LlmAgent, SequentialAgent, ToolContext

SENT: list[str] = []
"""What was really sent."""


def send(word: str, tool_context: ToolContext) -> dict[str, Any]:
    """Sends a word."""
    SENT.append(word)
    tool_context.state["sent"] = [*tool_context.state.get("sent", []), word]
    return {"number": len(SENT)}


sender = LlmAgent(
    name="Sender",
    instruction="send {words}",
    include_contents="none",
    tools=[FunctionTool(send, read_only_hint=False)],
)
reporter = LlmAgent(name="Reporter", instruction="sent {sent?}", include_contents="none", output_key="report")
root_agent = SequentialAgent(name="Errand", sub_agents=[sender, reporter])
