"""One agent with a tool."""

from google.adk.agents import LlmAgent


def count_words(text: str) -> dict:
    """Counts the words of a text.

    Args:
        text: The text.
    """
    return {"words": len(text.split())}


root_agent = LlmAgent(
    name="assistant",
    description="Answers questions about texts.",
    instruction="Answer the user in a few sentences. If a number of words matters, call count_words.",
    tools=[count_words],
)
