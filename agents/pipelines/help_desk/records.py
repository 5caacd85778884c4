"""The records of the help desk: orders, bills and accounts, made up from their numbers, and advice.

A missing record is a `ToolError`, which a model can read.
"""

from __future__ import annotations

import random
import re
from typing import Any

from agents.errors import ToolError
from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.words import words_beside

FIRST, LAST = 1000, 9999
ITEMS = ("a saddle", "two tyres", "a chain", "a bell", "a set of lights", "a helmet", "a pump", "mudguards")
PLACES = ("in the warehouse", "on its way", "with the courier", "at the pick-up point", "delivered")
NEEDS_PASSWORD = ("locked after three wrong passwords", "asking for a new password, since the old one has expired")
STANDINGS = ("in order", "waiting for its e-mail address to be confirmed", *NEEDS_PASSWORD)
_PAGES: list[dict[str, Any]] = words_beside(__file__, "manual.toml")["page"]

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


def account(number: int) -> dict[str, Any]:
    """How an account stands, and whether a link for a new password was sent to its e-mail address: where it is needed.

    Raises:
        ToolError: There is no such account.
    """
    standing = _draw("account", number).choice(STANDINGS)
    return {"account": number, "standing": standing, "link_sent": standing in NEEDS_PASSWORD}


def advice(problem: str) -> str:
    """What helps with a problem, in the language that it is told in.

    Raises:
        ToolError: The manual has nothing about it.
    """
    words = set(_WORD.findall(problem.lower()))
    found = [len(words & set(page["words"].split())) + sum(word in problem for word in page["cjk"]) for page in _PAGES]
    if not any(found):
        raise ToolError("The manual has nothing about this.")
    return str(_PAGES[found.index(max(found))][answer_language(problem)])


def _draw(kind: str, number: int) -> random.Random:
    if not FIRST <= number <= LAST:
        raise ToolError(f"There is no {kind} {number}; they have numbers from {FIRST} to {LAST}.")
    return random.Random(f"{kind} {number}")  # noqa: S311  a made-up parcel is no secret
