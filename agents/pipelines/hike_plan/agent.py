"""The graph of the hike: a reader, one scout for each leg, a function beside them, and a guide after the join."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from agents import LlmAgent, Workflow
from agents.workflow import JoinNode, node

READ_INSTRUCTION = """\
You read the legs of a hike: how many kilometres each has, and whether it leads up, down, or along the flat.

Keep their order, and add nothing up. If the request names no legs, answer with an empty list.
"""

SCOUT_INSTRUCTION = """\
You say how many minutes one leg of a hike takes.

Minutes a kilometre: {pace?}
Uphill takes half as long again, downhill four fifths of it. Round to whole minutes.
"""

GUIDE_INSTRUCTION = """\
You write the plan of a hike: a line for each leg with its kilometres and minutes, then one line with the sums and the water.

All figures are given to you; work out none yourself. If legs are missing, say how many. If none are given at all, say what a
request must name: the kilometres of each leg.
Answer in the language of the request.

<request>
{request}
</request>
"""


class Leg(BaseModel):
    """One leg of a hike."""

    km: float = Field(gt=0)
    way: Literal["up", "down", "flat"]


class TimedLeg(Leg):
    """A leg and how long it takes."""

    minutes: int


def pack(node_input: list[Leg]) -> dict[str, Any]:
    """The whole way, and the water for it: a litre for each 6 kilometres that were begun."""
    km = round(sum(leg.km for leg in node_input), 1)
    return {"km": km, "litres": -int(-km // 6)}


def add_up(node_input: dict[str, Any]) -> dict[str, Any]:
    """What the join has collected, with the minutes added up. A scout that gave nothing is a missing leg."""
    legs = [leg for leg in node_input["LegScout"] if leg is not None]
    missing = len(node_input["LegScout"]) - len(legs)
    return {**node_input["pack"], "legs": legs, "missing": missing, "minutes": sum(leg["minutes"] for leg in legs)}


reader = LlmAgent(
    name="RouteReader",
    description="Reads the legs of the hike from the request.",
    instruction=READ_INSTRUCTION,
    output_schema=list[Leg],
)
scout = LlmAgent(
    name="LegScout",
    description="Says how long one leg takes.",
    instruction=SCOUT_INSTRUCTION,
    output_schema=TimedLeg,
)
scouts = node(scout, parallel_worker=True)
all_known = JoinNode(name="all_known", description="Waits until all legs are timed and the bag is packed.")
guide = LlmAgent(
    name="HikeGuide",
    description="Writes the plan.",
    instruction=GUIDE_INSTRUCTION,
    output_key="plan",
)
root_agent = Workflow(
    name="HikePlan",
    description="Times the legs of a hike side by side, and joins them into a plan.",
    edges=[("START", reader, (scouts, pack), all_known, add_up, guide)],
)
