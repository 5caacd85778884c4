"""A graph of functions and agents: a route, a question to the user, two agents at once and a join."""

from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.events.request_input import RequestInput
from google.adk.workflow import JoinNode, Workflow


def measure(node_input: str):
    """Chooses the way by the length of the text."""
    return Event(output=node_input, route="text" if len(node_input.split()) > 3 else "too_short")


def ask(node_input: str):
    """Asks the user for more; what they answer is the node's output."""
    return RequestInput(message=f"There is little in {node_input!r}. Which text is it about?")


def keep(node_input: str, ctx):
    """Keeps the text in the state and passes it on."""
    ctx.state["text"] = node_input
    return node_input


summary = LlmAgent(
    name="summary",
    description="Sums a text up.",
    instruction="Sum the text up in one sentence.",
)
title = LlmAgent(
    name="title",
    description="Finds a title.",
    instruction="Find a title of at most six words for the text.",
)


def publish(node_input: dict):
    """Makes one answer of what both agents said."""
    return Event(message=f"{node_input['title']}\n\n{node_input['summary']}")


root_agent = Workflow(
    name="digest",
    description="Gives a text a title and a summary.",
    edges=[
        ("START", measure, {"text": keep, "too_short": ask}),
        (ask, keep),
        (keep, (title, summary), JoinNode(name="both"), publish),
    ],
)
