"""An agent with a tool that runs only after the user has said yes."""

from google.adk.agents import LlmAgent
from google.adk.tools import FunctionTool


def refund(order: str, amount: float) -> dict:
    """Pays money back.

    Args:
        order: The order's number.
        amount: How much, in euros.
    """
    return {"refunded": amount, "order": order}


root_agent = LlmAgent(
    name="cashier",
    description="Pays money back for orders.",
    instruction="Pay back what the user asks for with refund. Ask for the order number and the amount if one is missing.",
    tools=[FunctionTool(refund, require_confirmation=True)],
)
