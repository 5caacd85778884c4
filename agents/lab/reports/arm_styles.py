"""The lines of the arms in every chart: an arm has the same colour and dashes wherever it is drawn."""

from __future__ import annotations

from typing import NamedTuple


class ArmStyle(NamedTuple):
    """A line.

    Attributes:
        colour: As `#rrggbb`; it can be told from a light and from a dark background.
        dashes: Lengths of dashes and gaps, so that colour never carries meaning alone.
    """

    colour: str
    dashes: tuple[int, ...]


ARM_STYLES = (
    ArmStyle("#6366f1", (1, 0)),
    ArmStyle("#d97706", (6, 4)),
    ArmStyle("#16a34a", (2, 3)),
    ArmStyle("#dc2626", (10, 3)),
    ArmStyle("#0284c7", (10, 3, 2, 3)),
    ArmStyle("#8b8fa3", (4, 2)),
)
"""Of the arms in order, and over again."""


def arm_style(place: int) -> ArmStyle:
    """The line of the arm at a place, from 0."""
    return ARM_STYLES[place % len(ARM_STYLES)]
