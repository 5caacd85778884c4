"""The agent of the dice table: one agent, one tool, and a model that is two models behind a router.

The quick one is always simulated. The careful one is the model that is chosen for the run, or simulated where that is.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from agents import (
    BaseLlm,
    ChosenModel,
    LlmAgent,
    LlmRequest,
    RouteDecision,
    RoutedLlm,
    RoutingErrorContext,
    ToolContext,
)
from agents.models.simulated.model import SimulatedLlm
from agents.pipelines.routed_llm.simulation import CAREFUL_SIMULATION, QUICK_SIMULATION

QUICK, CAREFUL = "simulated-quick", "careful"
MOST_DICE, MOST_SIDES = 20, 100

INSTRUCTION = """\
You keep the dice table. Call roll_dice with what the user wants rolled, then say what came up.
If the message names no dice, say what you can roll. Never make up a roll.
Answer in the language that you are written to in.
"""


def roll_dice(dice: int, sides: int, tool_context: ToolContext) -> dict[str, Any]:
    """Rolls dice of one kind.

    Args:
        dice: How many, 1 to 20.
        sides: How many sides each has, 2 to 100.
        tool_context: The state, with the seed and the number of rolls.
    """
    if not (1 <= dice <= MOST_DICE and 2 <= sides <= MOST_SIDES):  # noqa: PLR2004  one side is none
        return {"error": f"There are 1 to {MOST_DICE} dice of 2 to {MOST_SIDES} sides, not {dice} of {sides}."}
    state = tool_context.state
    rolled = state["rolls"] = int(state.get("rolls") or 0) + 1
    draw = random.Random(f"{state.get('seed')}/{rolled}")  # noqa: S311  a game, and the same again for the same seed
    return {"sides": sides, "came_up": [draw.randint(1, sides) for _ in range(dice)]}


def by_need(
    _models: Mapping[str, BaseLlm], llm_request: LlmRequest, error_context: RoutingErrorContext | None = None
) -> RouteDecision:
    """The quick model for decisions, the careful one to explain results; each is the other's fallback."""
    last = llm_request.contents[-1].parts or [] if llm_request.contents else []
    if any(part.function_response for part in last):
        need, order = "There is a result to explain.", (CAREFUL, QUICK)
    else:
        need, order = "There is nothing to explain yet.", (QUICK, CAREFUL)
    failed = error_context.failed_keys if error_context else ()
    left = [name for name in order if name not in failed]
    if not left:
        return RouteDecision(None, "Both have failed.")
    return RouteDecision(left[0], f"{need} The other model stands in." if failed else need)


model = RoutedLlm(
    model="quick-or-careful",
    models=[
        SimulatedLlm(model=QUICK, simulation=QUICK_SIMULATION),
        ChosenModel(model=CAREFUL, default=SimulatedLlm(simulation=CAREFUL_SIMULATION)),
    ],
    router=by_need,
)
root_agent = LlmAgent(
    name="DiceTable",
    description="Rolls dice with a tool, and says what came up.",
    model=model,
    instruction=INSTRUCTION,
    tools=[roll_dice],
)
