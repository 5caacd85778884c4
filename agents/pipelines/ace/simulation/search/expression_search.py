"""Searches small arithmetic expressions over a few quantities for one with a given value.

Expressions grow by one operation at a time. Larger ones are not enumerated: the value is worked backwards through the last
operation, and the missing part looked up (meet in the middle). Only amounts of one unit are added.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from agents.pipelines.ace.simulation.expressions.expression import PI, Expression, write
from agents.pipelines.ace.simulation.expressions.units import NO_UNIT, Unit
from agents.pipelines.ace.simulation.search.parts import (
    LARGEST,
    LARGEST_EXPONENT,
    Part,
    combine,
    constant,
    expression_of,
    fingerprint,
    quantity,
)

MOST_QUANTITIES = 6
MOST_FOUND = 300
MOST_STEPS = 60_000
"""Most lookups of a search, which bounds its time."""

_CLOSE = 1e-9
_FAR_FETCHED = 6
"""Highest cost: a costlier expression has the value by chance."""
_WITHIN_REACH = 2
"""Operations of the largest expressions that are enumerated."""


class Given(NamedTuple):
    """A quantity to build with."""

    name: str
    value: float
    unit: Unit = NO_UNIT


class Target(NamedTuple):
    """The value to find, with its tolerance, and its unit; None if unknown."""

    value: float
    slack: float
    unit: Unit | None = None


class Depth(NamedTuple):
    """The extent of a search: most operations, and constants with the signs beside them, e.g. `("1", "+-")`."""

    operations: int
    constants: tuple[tuple[str, str], ...]


class Found(NamedTuple):
    """An expression with the value. It is strong if it uses all quantities and its unit fits."""

    expression: Expression
    is_strong: bool


_FEW = (("1", "+-"), ("2", "*^"), ("0.5", "*"), ("100", "*/"))
_MORE = (*_FEW, ("60", "*/"), (PI, "*"), ("3", "/^"), ("1000", "*/"))
_MOST = (*_MORE, ("3.6", "*/"), ("12", "*/"), ("365", "*/"), ("10", "*/"), ("0.5", "^"))
_DEPTHS = (Depth(2, _FEW), Depth(3, _FEW), Depth(4, _MORE), Depth(4, _MOST), Depth(5, _MOST))


def depth_of(reflection_round: int) -> Depth:
    """The extent of a round's search: larger in each, up to the fifth."""
    return _DEPTHS[max(1, min(reflection_round, len(_DEPTHS))) - 1]


def search(
    given: Sequence[Given], target: Target, depth: Depth, fits: Callable[[Expression], bool] = lambda _: True
) -> list[Found]:
    """Expressions with the target's value, by cost.

    Units must fit; if nothing is found, the search is repeated without them, as questions do not always name units.

    Args:
        given: The quantities; at most `MOST_QUANTITIES` are used.
        target: The value to find.
        depth: The extent of the search.
        fits: A further condition on expressions.
    """
    kept = tuple(given[:MOST_QUANTITIES])
    found = _Search(kept, target, depth).found(fits)
    if found or all(one.unit == NO_UNIT for one in kept):
        return found
    return _Search([one._replace(unit=NO_UNIT) for one in kept], target._replace(unit=None), depth).found(fits)


_BY_VALUE = attrgetter("value")


class _Search:
    """The state of one search."""

    def __init__(self, given: Sequence[Given], target: Target, depth: Depth) -> None:
        self._given, self._target, self._depth = given, target, depth
        self._steps = MOST_STEPS
        leaves = [quantity(one.name, one.value, one.unit, index) for index, one in enumerate(given)]
        leaves += [constant(text, uses, index) for index, (text, uses) in enumerate(depth.constants)]
        self._levels: list[list[Part]] = [sorted(leaves, key=_BY_VALUE)]

    def found(self, fits: Callable[[Expression], bool]) -> list[Found]:
        """The findings, each expression in one form; ends when larger expressions cannot be better."""
        kept: dict[float, tuple[float, str, Found]] = {}
        value, slack = self._target.value, self._target.slack
        slack = max(slack * (1 + _CLOSE), abs(value) * _CLOSE)
        for operations in range(1, self._depth.operations + 1):
            if any(found.is_strong and cost <= operations for cost, _, found in kept.values()):
                break
            for part in self._parts(operations, value - slack, value + slack):
                cost, is_strong = self._cost(part, operations)
                mark = fingerprint(part)
                if cost > _FAR_FETCHED or (mark in kept and cost >= kept[mark][0]) or not part.used:
                    continue
                if fits(expression := expression_of(part)):
                    kept[mark] = (cost, write(expression), Found(expression, is_strong))
                if len(kept) >= MOST_FOUND:
                    break
        return [found for _, _, found in sorted(kept.values(), key=lambda one: one[:2])]

    def _cost(self, part: Part, operations: int) -> tuple[float, bool]:
        """The cost of a part: operations, constants, unused quantities, a wrong unit; and whether it is strong."""
        unused = len(self._given) - part.used.bit_count()
        wanted = self._target.unit
        mismatch = 2.0 if wanted is not None and part.unit != wanted else 0.5 if wanted is None and part.unit else 0.0
        inexact = 0.5 if abs(part.value - self._target.value) > _CLOSE * max(1.0, abs(self._target.value)) else 0.0
        cost = operations + 0.5 * part.constants + 1.5 * unused + mismatch + inexact
        return cost, not unused and mismatch < 1

    def _next_level(self) -> Iterator[Part]:
        operations = len(self._levels)
        for other in range((operations - 1) // 2 + 1):
            one = operations - 1 - other
            for left in self._levels[one]:
                for right in self._levels[other]:
                    if left.used & right.used:
                        continue
                    for sign in "+-*/^":
                        if part := combine(sign, left, right):
                            yield part
                        if one != other and sign not in "+*" and (part := combine(sign, right, left)):
                            yield part

    def _parts(self, operations: int, low: float, high: float) -> Iterator[Part]:
        """The parts with this number of operations and a value between the two."""
        while len(self._levels) <= min(operations, _WITHIN_REACH):
            self._levels.append(sorted(self._next_level(), key=_BY_VALUE))
        if operations < len(self._levels):
            level = self._levels[operations]
            yield from level[bisect_left(level, low, key=_BY_VALUE) : bisect_right(level, high, key=_BY_VALUE)]
            return
        for other in reversed(range((operations - 1) // 2 + 1)):  # the more even, the fewer there are to look through
            one = operations - 1 - other
            if one <= _WITHIN_REACH or (other == 0 and one == _WITHIN_REACH + 1):
                yield from self._met(one, other, low, high)

    def _met(self, one: int, other: int, low: float, high: float) -> Iterator[Part]:
        """Parts made of two smaller ones: for each enumerated part the other one is looked up."""
        for known in self._levels[other]:
            for sign, is_left, least, most in _inverse(known.value, low, high):
                if sign not in known.uses:
                    continue
                self._steps -= 1
                if self._steps < 0:
                    return
                for part in self._parts(one, least, most):
                    pair = (known, part) if is_left else (part, known)
                    if made := combine(sign, *pair):
                        yield made


def _inverse(known: float, low: float, high: float) -> Iterator[tuple[str, bool, float, float]]:
    """Ranges of the missing value, with the sign and whether the known value is on the left."""
    yield "+", False, low - known, high - known
    yield "-", False, low + known, high + known
    yield "-", True, known - high, known - low
    if known:
        least, most = sorted((low / known, high / known))
        yield "*", False, least, most
        least, most = sorted((low * known, high * known))
        yield "/", False, least, most
    if low * high > 0:
        least, most = sorted((known / low, known / high))
        yield "/", True, least, most
    if low > 0 and 0.5 <= known <= LARGEST_EXPONENT and known != 1 and high < LARGEST:  # noqa: PLR2004  a square root
        yield "^", False, low ** (1 / known), high ** (1 / known)
