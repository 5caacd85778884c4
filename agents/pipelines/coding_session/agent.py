"""The agents that an imported session of a coding agent is shown with. Their tools are not here: nothing of it is run."""

from __future__ import annotations

from agents import AgentTool, LlmAgent

INSTRUCTION = """\
This session of a coding agent was recorded in another program. You have neither its tools nor its files. Answer what the
person asks about it from what the session shows, and say so where it does not tell.
"""

helper = LlmAgent(
    name="SubAgent",
    description="An agent that the coding agent gave a task of its own.",
    instruction=INSTRUCTION,
)
root_agent = LlmAgent(
    name="CodingAgent",
    description="A coding agent as another program recorded it.",
    instruction=INSTRUCTION,
    tools=[AgentTool(helper)],
)
