"""An agent that has others as its tools."""

from google.adk.agents import LlmAgent
from google.adk.tools import AgentTool

researcher = LlmAgent(
    name="researcher",
    description="Finds out what is known about a subject.",
    instruction="List what you know about the subject: at most five facts, one line each.",
)
checker = LlmAgent(
    name="checker",
    description="Checks statements.",
    instruction="Say of each statement whether it is right, wrong or uncertain, with the reason in one sentence.",
)
root_agent = LlmAgent(
    name="reporter",
    description="Writes short reports.",
    instruction="Write a report of one paragraph about what the user asks. Call researcher for facts, then checker with "
    "those that you use.",
    tools=[AgentTool(researcher), AgentTool(checker)],
)
