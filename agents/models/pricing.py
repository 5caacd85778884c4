"""Prices per million tokens, by model. The costs of a run are computed where they are shown."""

from __future__ import annotations

from collections.abc import Mapping

from agents.models.provider import Price
from agents.models.providers import all_providers

NOTHING = Price(input=0, output=0)
"""The price of a model on the user's machine."""


def list_prices() -> dict[str, Price]:
    """The providers' list prices, by model. They change: users can change them, too."""
    return {model: price for provider in all_providers() for model, price in provider.prices.items()}


def price_of(model: str, table: Mapping[str, Price]) -> Price | None:
    """A model's price.

    Args:
        model: Its name, as a run's log has it: "gemini-2.5-flash-001" finds "gemini-2.5-flash".
        table: Prices by name. The longest name that begins the model's counts.

    Returns:
        None where the table has none. What runs on this machine costs nothing, unless the table says otherwise.
    """
    name = model.removeprefix("models/")
    fitting = [listed for listed in table if name == listed or name.startswith((f"{listed}-", f"{listed}:", f"{listed}@"))]
    if fitting:
        return table[max(fitting, key=len)]
    return NOTHING if any(provider.is_free(name) for provider in all_providers()) else None


def price_source(model: str) -> str:
    """Where the list price of a model is from; "" where it has none."""
    return next((provider.price_source for provider in all_providers() if model in provider.prices), "")
