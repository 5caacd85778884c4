"""The graph of the parcel desk: two agents, and three functions that decide, work out and call."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from agents import Event, LlmAgent, Workflow
from agents.workflow import DEFAULT_ROUTE, Context, RetryConfig, node

MOST_KILOS = 1000.0
USUAL_LIMIT = 10.0

READ_INSTRUCTION = """\
You read what somebody wants to send: how many kilograms, and to which place.

Convert grams to kilograms. If the request does not say both, answer with 0 kilograms and an empty place.
"""

ANSWER_INSTRUCTION = """\
You tell somebody at the parcel desk how their parcel is sent, in one or two sentences.

You are given what was worked out: the weight, the place, who takes it, and the price in euros. Give no other figures. If the
carrier had to be called more than once, say so. If nobody takes the parcel, say why; if nothing was worked out, say what a
request must name: a weight and a place.
Answer in the language of the request.

<request>
{request}
</request>
"""


class Parcel(BaseModel):
    """What is to be sent."""

    kilos: float = Field(ge=0)
    place: str


def weigh(node_input: Parcel, limit: float = USUAL_LIMIT) -> Event:
    """Gives the route: light or heavy. What the desk cannot send has another one."""
    if not 0 < node_input.kilos <= MOST_KILOS:
        return Event(output=node_input.model_dump(), route="not sent")
    return Event(output=node_input.model_dump(), route="heavy" if node_input.kilos > limit else "light")


def stamp(node_input: Parcel) -> dict[str, Any]:
    """The price by post: 2 euros, and 1.50 a kilogram."""
    return node_input.model_dump() | {"by": "post", "euros": round(2 + 1.5 * node_input.kilos, 2)}


@node(retry_config=RetryConfig(max_attempts=3, initial_delay=0.5, jitter=0))
def call_carrier(node_input: Parcel, ctx: Context, engaged: int = 0) -> dict[str, Any]:
    """Asks the carrier for its price. The line may be engaged: then the runtime calls again."""
    if ctx.attempt_count <= engaged:
        raise ConnectionError("The carrier's line is engaged.")
    euros = round(9 + 0.8 * node_input.kilos, 2)
    return node_input.model_dump() | {"by": "carrier", "euros": euros, "calls": ctx.attempt_count}


reader = LlmAgent(
    name="ParcelReader",
    description="Reads weight and place from the request.",
    instruction=READ_INSTRUCTION,
    output_schema=Parcel,
)
clerk = LlmAgent(
    name="DeskClerk",
    description="Says how the parcel is sent and what it costs.",
    instruction=ANSWER_INSTRUCTION,
    output_key="answer",
)
root_agent = Workflow(
    name="ParcelDesk",
    description="Sends a parcel by post or by carrier: its weight chooses the way.",
    edges=[
        ("START", reader, weigh, {"light": stamp, "heavy": call_carrier, DEFAULT_ROUTE: clerk}),
        ((stamp, call_carrier), clerk),
    ],
)
