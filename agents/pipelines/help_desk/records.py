"""What the specialists of the help desk can look up: orders, bills and advice. Made up, drawn from the number asked for.

What is not there is said by a `ToolError`, which a model can read. Knows no agent.
"""

from __future__ import annotations

import random
import re
from typing import Any

from agents.errors import ToolError

FIRST, LAST = 1000, 9999
ITEMS = ("a saddle", "two tyres", "a chain", "a bell", "a set of lights", "a helmet", "a pump", "mudguards")
PLACES = ("in the warehouse", "on its way", "with the courier", "at the pick-up point", "delivered")
ADVICE = {
    "brakes brake squeak squeal braking stop pads": (
        "Wipe the rims with a dry cloth and look at the pads: below 2 mm they must be changed. "
        "Pads that touch with their front edge first do not squeak."
    ),
    "flat tyre tire puncture air tube valve wheel": (
        "Find the hole by holding the tube under water, roughen the place, put on a patch, wait five minutes. "
        "Then feel along the inside of the tyre for what made the hole."
    ),
    "chain gear gears shift shifting slip slips jump jumps derailleur": (
        "Clean and oil the chain first. If it still jumps, turn the barrel adjuster by a quarter and try again; "
        "a chain that is longer than 30.7 cm over 24 links is worn out."
    ),
    "light lights lamp battery dynamo dark": (
        "Take the battery out, wait ten seconds and put it back. "
        "With a dynamo, look for a loose cable at the fork: it is nearly always that."
    ),
    "saddle seat knee knees height handlebar handlebars back": (
        "Sit on it with your heel on the lowest pedal: the leg should be just straight. Move the saddle by 1 cm at a time."
    ),
}

_WORD = re.compile(r"[a-z]+")


def order(number: int) -> dict[str, Any]:
    """How an order stands.

    Raises:
        ToolError: There is no such order.
    """
    draw = _draw("order", number)
    where = draw.choice(PLACES)
    days = {} if where == "delivered" else {"days_left": draw.randint(1, 6)}
    return {"order": number, "item": draw.choice(ITEMS), "where": where, **days}


def bill(number: int) -> dict[str, Any]:
    """How a bill stands; amounts are in euros.

    Raises:
        ToolError: There is no such bill.
    """
    draw = _draw("bill", number)
    amount = round(draw.uniform(8, 240), 2)
    times_paid = draw.choice((0, 1, 1, 1, 2))
    return {"bill": number, "amount": amount, "times_paid": times_paid}


def advice(problem: str) -> str:
    """What helps with a problem.

    Raises:
        ToolError: The manual has nothing about it.
    """
    words = set(_WORD.findall(problem.lower()))
    best = max(ADVICE, key=lambda topics: len(words & set(topics.split())))
    if not words & set(best.split()):
        raise ToolError("The manual has nothing about this.")
    return ADVICE[best]


def _draw(kind: str, number: int) -> random.Random:
    if not FIRST <= number <= LAST:
        raise ToolError(f"There is no {kind} {number}; they have numbers from {FIRST} to {LAST}.")
    return random.Random(f"{kind} {number}")  # noqa: S311  a made-up parcel is no secret
