"""What a family of questions is: a formula, the numbers that it is asked about, and ways to ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Draw(NamedTuple):
    """How a quantity is drawn: from `low` to `high` by `step`, counted in `unit` ("€" stands for any currency)."""

    low: str
    high: str
    step: str = "1"
    unit: str = ""


class Family(NamedTuple):
    """A formula with its questions.

    Attributes:
        name: What is asked for.
        kind: Which house rule its answers are written by.
        formula: How the answer is had from the quantities.
        draws: The quantities, by name.
        texts: Ways to ask, a paragraph each, with the quantities in braces.
        unit: Of a measurement.
        exact: Whether an answer only counts if it is written by the house rule too.
    """

    name: str
    kind: str
    formula: str
    draws: Mapping[str, Draw]
    texts: str
    unit: str = ""
    exact: bool = False

    @property
    def ways(self) -> list[str]:
        """The ways to ask, one line each."""
        return [" ".join(text.split()) for text in self.texts.strip().split("\n\n")]
