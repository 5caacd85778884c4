"""What a million tokens cost, by model. What a run has cost is worked out where it is shown. Knows no log and no page."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field

_FREE = ("simulated", "local/", "replay/", "ollama/")
_FILE = ".gguf"


class Price(BaseModel):
    """A model's price.

    Attributes:
        input: US dollars for a million tokens that are sent.
        output: US dollars for a million tokens that come back, thoughts among them.
        cached: US dollars for a million tokens sent that the provider had kept; None for the price of any other.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0, le=100_000, allow_inf_nan=False)
    output: float = Field(ge=0, le=100_000, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, le=100_000, allow_inf_nan=False)


NOTHING = Price(input=0, output=0)
"""What a model on one's own machine costs."""

PRICES: Mapping[str, Price] = {
    "gemini-2.5-pro": Price(input=1.25, output=10.0, cached=0.31),
    "gemini-2.5-flash": Price(input=0.30, output=2.50, cached=0.075),
    "gemini-2.5-flash-lite": Price(input=0.10, output=0.40, cached=0.025),
}
"""List prices of Google's for text, prompts up to 200,000 tokens, as of 2025. They change: a person can, too."""


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
    return NOTHING if name.startswith(_FREE) or name.endswith(_FILE) else None
