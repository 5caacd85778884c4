"""What the bakery sells, and for how much."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

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


def price_list() -> str:
    """What there is, one line for each."""
    return "\n".join(f"- {item}: {price}" for item, price in PRICES.items())


def total(ordered: Mapping[str, int]) -> str:
    """What an order costs."""
    return str(sum((PRICES[item] * count for item, count in ordered.items()), Decimal("0.00")))
