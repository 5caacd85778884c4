"""What a million tokens cost, by model. What a run has cost is worked out where it is shown.

The session view looks prices up in the browser, by live models' names too: it is given `price_rows` and repeats the one rule
of `_fits`. Both sides are tested against the same cases, `tests/agents/models/price_cases.json`.
"""

from __future__ import annotations

from collections.abc import Mapping

from agents.models.provider import Price
from agents.models.providers import all_providers

NOTHING = Price(input=0, output=0)
"""The price of a model on the user's machine."""

PriceRow = tuple[str, float, float, float | None]
"""A name as in `price_rows`, and US dollars for a million tokens sent, received, and cached; None: as any that is sent."""

ANY = "*"
"""Stands for anything, at the beginning or the end of a name."""


def list_prices() -> dict[str, Price]:
    """The providers' list prices, by model. They change: users can change them, too."""
    return {model: price for provider in all_providers() for model, price in provider.prices.items()}


def price_rows(table: Mapping[str, Price]) -> list[PriceRow]:
    """A table of prices for a reader that takes the first row whose name fits.

    Args:
        table: Prices by name.

    Returns:
        The table, longest names first, then the names of models that cost nothing unless the table says otherwise.
    """
    return [(name, price.input, price.output, price.cached) for name, price in _in_order(table)]


def price_of(model: str, table: Mapping[str, Price]) -> Price | None:
    """A model's price.

    Args:
        model: Its name, as a run's log has it: "gemini-2.5-flash-001" finds "gemini-2.5-flash".
        table: Prices by name. The longest name that begins the model's counts.

    Returns:
        None where the table has none. What runs on this machine costs nothing, unless the table says otherwise.
    """
    name = model.removeprefix("models/")
    return next((price for listed, price in _in_order(table) if _fits(listed, name)), None)


def priced_names(asked: str, answered: str | None) -> tuple[str, ...]:
    """The names that a call's price is looked up by, in order.

    Args:
        asked: The model that was asked. One with a provider's prefix, such as "llama/", is priced by that name: servers of
            such providers may call a model otherwise.
        answered: The model that says it answered, e.g. one that a router chose.
    """
    if not answered:
        return (asked,)
    return (asked, answered) if "/" in asked.removeprefix("models/") else (answered, asked)


def price_source(model: str) -> str:
    """Where the list price of a model is from; "" where it has none."""
    return next((provider.price_source for provider in all_providers() if model in provider.prices), "")


def _in_order(table: Mapping[str, Price]) -> list[tuple[str, Price]]:
    listed = sorted(table.items(), key=lambda row: len(row[0]), reverse=True)
    return [*listed, *((free, NOTHING) for provider in all_providers() for free in provider.free)]


def _fits(listed: str, name: str) -> bool:
    """Whether `name` is `listed`, a version of it, or what its `ANY` stands for."""
    if listed.endswith(ANY):
        return name.startswith(listed.removesuffix(ANY))
    if listed.startswith(ANY):
        return name.endswith(listed.removeprefix(ANY))
    return name == listed or name.startswith((f"{listed}-", f"{listed}:", f"{listed}@"))
