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
    ArmStyle("#db2777", (1, 0)),
    ArmStyle("#0d9488", (6, 4)),
    ArmStyle("#a16207", (2, 3)),
    ArmStyle("#9333ea", (10, 3)),
    ArmStyle("#65a30d", (10, 3, 2, 3)),
    ArmStyle("#ea580c", (4, 2)),
)
"""Of the first arms in order."""


def arm_style(place: int) -> ArmStyle:
    """The line of the arm at a place, from 0. Beyond the list a colour comes again with the dashes of another one."""
    again, at = divmod(place, len(ARM_STYLES))
    return ArmStyle(ARM_STYLES[at].colour, ARM_STYLES[(at + again) % len(ARM_STYLES)].dashes)
