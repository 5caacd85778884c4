"""The agents of the help desk: a coordinator, and four specialists that it transfers conversations to."""

from __future__ import annotations

from typing import Any

from agents import LlmAgent
from agents.pipelines.help_desk import records

HELP_DESK_INSTRUCTION = """\
You are the first at the help desk of a bicycle shop.

Do not answer questions yourself: hand the conversation to the agent whose description fits. If none fits, or somebody who
should know has handed it back, say which matters there is help with, and ask what it is about. If you are greeted, greet.
Answer in the language that you are written to in.
"""

SPECIALIST_INSTRUCTION = """\
You are a specialist at the help desk of a bicycle shop. Your matters are: {matters}.

Answer with what {tool} says, in one or two sentences, and promise nothing that it did not say. {first}
If you are asked about something else, hand the conversation back to HelpDesk, without answering.
Answer in the language that you are written to in.
"""

ASK_FOR_NUMBER = "It takes a number of four digits; if none was given, ask for it."


def track_order(number: int) -> dict[str, Any]:
    """Says where an order is.

    Args:
        number: The order's number, four digits.
    """
    return records.order(number)


def look_up_bill(number: int) -> dict[str, Any]:
    """Says what a bill comes to, in euros, and how often it was paid.

    Args:
        number: The bill's number, four digits.
    """
    return records.bill(number)


def look_up_account(number: int) -> dict[str, Any]:
    """Says how an account stands; if its user cannot log in, sends a link for a new password to its e-mail address.

    Args:
        number: The user's number, four digits.
    """
    return records.account(number)


def search_manual(problem: str) -> dict[str, Any]:
    """Looks for advice in the repair manual.

    Args:
        problem: What is wrong, in a few words.
    """
    return {"advice": records.advice(problem)}


def specialist(name: str, matters: str, tool: Any, first: str) -> LlmAgent:
    """An agent with one tool, for certain matters; it may hand back to the help desk, but to no other specialist."""
    return LlmAgent(
        name=name,
        description=f"Helps with {matters}.",
        instruction=SPECIALIST_INSTRUCTION.format(matters=matters, tool=tool.__name__, first=first),
        tools=[tool],
        disallow_transfer_to_peers=True,
    )


root_agent = LlmAgent(
    name="HelpDesk",
    description="Finds out what a question is about, and who helps with that.",
    instruction=HELP_DESK_INSTRUCTION,
    sub_agents=[
        specialist("OrderAgent", "orders, parcels, delivery and addresses", track_order, ASK_FOR_NUMBER),
        specialist("BillAgent", "bills, payments, prices, discounts and refunds", look_up_bill, ASK_FOR_NUMBER),
        specialist("AccessAgent", "accounts, passwords and logging in", look_up_account, ASK_FOR_NUMBER),
        specialist(
            "RepairAgent", "repairs, brakes, tyres, gears, lights and noises", search_manual, "Take the person's words."
        ),
    ],
)
