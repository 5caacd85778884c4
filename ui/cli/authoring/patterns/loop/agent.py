"""A writer and a critic, in a loop that the critic ends."""

from google.adk.agents import LlmAgent, LoopAgent
from google.adk.tools import exit_loop

writer = LlmAgent(
    name="writer",
    description="Writes the text.",
    instruction="Write what the user asks for. If there is criticism, write it all again and change what it names.\n\n"
    "Criticism: {criticism?}",
    output_key="draft",
)
critic = LlmAgent(
    name="critic",
    description="Says what is wrong with the text.",
    instruction="Name at most two things that would make the text better, in one sentence each. "
    "If nothing important is wrong, call exit_loop instead.\n\nText: {draft}",
    output_key="criticism",
    tools=[exit_loop],
)
root_agent = LoopAgent(
    name="writing",
    description="Writes a text and improves it.",
    max_iterations=4,
    sub_agents=[writer, critic],
)
