"""What the two simulated models answer for the dice table.

Both read the message and the results of the tool. The quick one says what came up and no more; the careful one thinks
first, and puts the total beside what was to be expected.
"""

from __future__ import annotations

from typing import Any

from agents.models.simulated import Reply, SimulatedRequest
from agents.pipelines.routed_llm.dice import chance_of_at_least, read_roll

WHAT_THERE_IS = "I can roll dice. Say how many and of which kind, for example 3d6 or two ten-sided dice."


def be_quick(request: SimulatedRequest) -> Reply | str:
    """Calls the tool, or says in a few words what it gave."""
    if (rolled := _last_roll(request)) is None:
        return _call(request, thought=False)
    if "error" in rolled:
        return str(rolled["error"])
    return f"{_listed(rolled)}."


def be_careful(request: SimulatedRequest) -> Reply | str:
    """Calls the tool after some thought, or explains what it gave."""
    if (rolled := _last_roll(request)) is None:
        return _call(request, thought=True)
    if "error" in rolled:
        return f"{rolled['error']} Ask for fewer, or for smaller ones."
    came_up, sides = list(rolled["came_up"]), int(rolled["sides"])
    dice, total = len(came_up), sum(came_up)
    expected = dice * (sides + 1) / 2
    chance = float(chance_of_at_least(total, dice=dice, sides=sides))
    beside = "as much as" if total == expected else "more than" if total > expected else "less than"
    return Reply(
        f"{_listed(rolled)}. That is {beside} the {expected:g} to be expected of {_named(dice, sides)}. "
        f"It comes to {total} or more in {_percent(chance)} of all rolls.",
        thought=f"A mean of {(sides + 1) / 2:g} each makes {expected:g}. Then the chance of {total} or more.",
    )


def _last_roll(request: SimulatedRequest) -> dict[str, Any] | None:
    results = request.tool_results("roll_dice")
    return results[-1].response or {} if results else None


def _call(request: SimulatedRequest, *, thought: bool) -> Reply | str:
    if (wanted := read_roll(request.last_user_text())) is None:
        return WHAT_THERE_IS
    dice, sides = wanted
    why = f"The message asks for {_named(dice, sides)}. I must not make up a roll, so the tool rolls." if thought else ""
    return Reply(calls=[("roll_dice", {"dice": dice, "sides": sides})], thought=why)


def _listed(rolled: dict[str, Any]) -> str:
    came_up: list[int] = rolled["came_up"]
    listed = " + ".join(str(value) for value in came_up)
    return listed if len(came_up) == 1 else f"{listed} = {sum(came_up)}"


def _named(dice: int, sides: int) -> str:
    return f"{dice} {'die' if dice == 1 else 'dice'} of {sides} sides"


def _percent(chance: float) -> str:
    return "fewer than 0.1 %" if chance < 0.001 else f"{100 * chance:.1f} %"  # noqa: PLR2004  as it is said


QUICK_SIMULATION = {"DiceTable": be_quick}
CAREFUL_SIMULATION = {"DiceTable": be_careful}
