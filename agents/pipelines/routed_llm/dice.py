"""How likely a total of dice is."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate


def chance_of_at_least(total: int, *, dice: int, sides: int) -> Fraction:
    """How likely so many dice come to `total` or more."""
    ways = [1]  # of each total, from the number of dice on
    for _ in range(dice):
        up_to = list(accumulate([*ways, *[0] * (sides - 1)], initial=0))  # of all totals below: one die adds `sides` of them
        ways = [ways_up_to - up_to[max(0, place - sides)] for place, ways_up_to in enumerate(up_to)][1:]
    return Fraction(sum(ways[max(0, total - dice) :]), sides**dice)
