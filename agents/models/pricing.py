"""Prices of models: US dollars for a million tokens, and for a thousand Google searches.

The session view computes costs in the browser, by the same rules: it gets `price_rows`. Both sides are tested against the
same cases, `tests/agents/models/price_cases.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from agents.models.provider import Price
from agents.models.providers import all_providers
from agents.records import ModelFinished, Tokens

if TYPE_CHECKING:
    from google.genai import types

NOTHING = Price(input=0, output=0, grounded_prompts=0, search_queries=0)
"""The price of a model on the user's machine."""

PriceRow = tuple[str, float, float, float | None, float | None, float | None]
"""A name as in `price_rows`, and the five amounts of a `Price` in their order."""

ANY = "*"
"""Matches anything, at the beginning or the end of a name."""


def list_prices() -> dict[str, Price]:
    """The providers' list prices, by model. They change; users can override them."""
    return {model: price for provider in all_providers() for model, price in provider.prices.items()}


def price_rows(table: Mapping[str, Price]) -> list[PriceRow]:
    """A price table as rows, for a reader that takes the first row that matches.

    Returns:
        The table, longest names first, then the names of models that are free unless the table has a price for them.
    """
    return [
        (name, price.input, price.output, price.cached, price.grounded_prompts, price.search_queries)
        for name, price in _in_order(table)
    ]


def price_of(model: str, table: Mapping[str, Price]) -> Price | None:
    """The price of a model.

    Args:
        model: Its name, as in a run's log: "gemini-3.8-flash-001" matches "gemini-3.8-flash".
        table: Prices by name. The longest name that the model's begins with wins.

    Returns:
        None if the table has no price for it. Models on this machine are free unless the table has a price for them.
    """
    name = model.removeprefix("models/")
    return next((price for listed, price in _in_order(table) if _fits(listed, name)), None)


def priced_names(asked: str, answered: str | None) -> tuple[str, ...]:
    """The names under which the price of a call is looked up, in order.

    Args:
        asked: The requested model. A name with a provider's prefix, such as "llama/", comes first: servers of such
            providers may report another name.
        answered: The model that the response names, e.g. one that a router chose.
    """
    if not answered:
        return (asked,)
    return (asked, answered) if "/" in asked.removeprefix("models/") else (answered, asked)


def recorded_cost(call: ModelFinished, table: Mapping[str, Price]) -> float | None:
    """What a call cost by its record; see `call_cost`."""
    return call_cost(call.model, call.answered_by, call.usage, call.searches, table)


def call_cost(
    asked: str, answered: str | None, tokens: Mapping[str, int] | Tokens, searches: int, table: Mapping[str, Price]
) -> float | None:
    """What a model call cost, in US dollars; 0 for one that used nothing.

    Args:
        asked: The requested model.
        answered: See `priced_names`.
        tokens: As a `model_finished` record counts them: "cached" is a part of "input"; "thoughts" come besides "output".
        searches: Google searches, see `google_searches`.
        table: Prices by name.

    Returns:
        None if the model has no price, or it searched and there is no fee.
    """
    if not tokens and not searches:
        return 0.0
    prices = (price_of(name, table) for name in priced_names(asked, answered))
    price = next((found for found in prices if found is not None), None)
    if price is None or (searches and price.grounded_prompts is None and price.search_queries is None):
        return None
    sent, received = tokens.get("input", 0), tokens.get("output", 0) + tokens.get("thoughts", 0)
    kept = min(tokens.get("cached", 0), sent)
    cached = price.input if price.cached is None else price.cached
    fee = (price.grounded_prompts or 0.0) + searches * (price.search_queries or 0.0) if searches else 0.0
    return ((sent - kept) * price.input + kept * cached + received * price.output) / 1e6 + fee / 1e3


def price_source(model: str) -> str:
    """The source of a model's list price; "" if it has none."""
    return next((provider.price_source for provider in all_providers() if model in provider.prices), "")


def google_searches(grounding: types.GroundingMetadata | None) -> int:
    """The number of billed Google searches of a model call.

    Google bills different queries, and ignores empty ones (https://ai.google.dev/gemini-api/docs/google-search). An answer
    with web sources and no query counts as one search.
    """
    if grounding is None:
        return 0
    queries = {query for query in grounding.web_search_queries or () if query}
    return len(queries) or int(any(chunk.web for chunk in grounding.grounding_chunks or ()))


def _in_order(table: Mapping[str, Price]) -> list[tuple[str, Price]]:
    listed = sorted(table.items(), key=lambda row: len(row[0]), reverse=True)
    return [*listed, *((free, NOTHING) for provider in all_providers() for free in provider.free)]


def _fits(listed: str, name: str) -> bool:
    """Whether `name` is `listed`, a version of it, or matches its `ANY`."""
    if listed.endswith(ANY):
        return name.startswith(listed.removesuffix(ANY))
    if listed.startswith(ANY):
        return name.endswith(listed.removeprefix(ANY))
    return name == listed or name.startswith((f"{listed}-", f"{listed}:", f"{listed}@"))
