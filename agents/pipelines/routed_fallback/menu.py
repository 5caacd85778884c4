"""What the bakery sells, and how an order is read from a message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from agents.models.simulated.language.things import pattern_of, things_in
from agents.models.simulated.language.words import any_of, words_beside

PRICES = {
    "loaf of rye": Decimal("4.20"),
    "roll": Decimal("0.60"),
    "pretzel": Decimal("1.10"),
    "croissant": Decimal("1.90"),
    "cinnamon bun": Decimal("2.80"),
    "coffee": Decimal("2.50"),
    "tea": Decimal("2.20"),
}
"""Item → price of one."""

MOST_OF_ONE = 99

_NAMES: dict[str, list[str]] = words_beside(__file__, "names.toml")
_NAMED = re.compile(pattern_of(_NAMES), re.IGNORECASE)
_ASKS_PRICE, _ORDERS = (
    re.compile(rf"(?<![a-z])(?:{any_of(words_beside(__file__)[key])})(?![a-z])", re.IGNORECASE)
    for key in ("asks_price", "orders")
)


def asks_price(message: str) -> bool:
    """Whether a message asks what something costs, and orders nothing."""
    return _ASKS_PRICE.search(message) is not None and _ORDERS.search(message) is None


def read_order(message: str) -> dict[str, int]:
    """Item → how many a message orders, one where it names no whole number; {} if it orders nothing that there is."""
    ordered: dict[str, int] = {}
    for thing in things_in(message, list(_NAMES), _NAMED):
        count = 1 if thing.count is None or thing.count % 1 else int(max(0, min(thing.count, MOST_OF_ONE)))
        ordered[thing.name] = min(ordered.get(thing.name, 0) + count, MOST_OF_ONE)
    return {item: count for item, count in ordered.items() if count}


def price_list() -> str:
    """What there is, one line for each."""
    return "\n".join(f"- {item}: {price}" for item, price in PRICES.items())


def total(ordered: Mapping[str, int]) -> str:
    """What an order costs."""
    return str(sum((PRICES[item] * count for item, count in ordered.items()), Decimal("0.00")))
