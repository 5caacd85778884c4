"""Two agents, one after the other: the second reads what the first has written."""

from google.adk.agents import LlmAgent, SequentialAgent

planner = LlmAgent(
    name="planner",
    description="Plans the answer.",
    instruction="Write a plan for what the user asks for: at most five steps, one line each.",
    output_key="plan",
)
author = LlmAgent(
    name="author",
    description="Writes the answer.",
    instruction="Write what the user asks for. Follow this plan:\n\n{plan}",
)
root_agent = SequentialAgent(
    name="plan_and_write",
    description="Plans, then writes.",
    sub_agents=[planner, author],
)
