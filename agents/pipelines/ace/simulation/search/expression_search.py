"""Searches for the simplest expression over all of a question's quantities that has a given value.

Each quantity is used as often as it is given, with one constant at most, or two if so asked. Expressions are put together
from those over fewer quantities; the last operation is worked backwards from the value (meet in the middle).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from agents.models.simulated.reading.expression import Expression
from agents.pipelines.ace.simulation.search.parts import (
    LARGEST,
    LARGEST_EXPONENT,
    MOST_CONSTANTS,
    Part,
    combine,
    constant,
    expression_of,
    fingerprint,
    quantity,
)

MOST_QUANTITIES = 6
_MOST_WITH_SQUARES, _MOST_WITH_CONSTANTS, _MOST_WITH_TWO = 3, 4, 2
"""Quantities, above which there are too many expressions with squares, with a constant, and with two."""
_MOST_TRIED = 3000
_CLOSE = 1e-9

Constant = tuple[str, str]
"""A number or "pi", and the signs that it may stand beside: `("1", "+-")`."""


class Given(NamedTuple):
    """A quantity to build with."""

    name: str
    value: float


class Target(NamedTuple):
    """The value to find, with its tolerance."""

    value: float
    slack: float


def search(
    given: Sequence[Given],
    target: Target,
    constants: Sequence[Constant] = (),
    fits: Callable[[Expression], bool] = lambda _: True,
    most_constants: int = 1,
) -> list[Expression]:
    """The expressions with the target's value and the fewest operations; several if they are equally simple.

    Args:
        given: The quantities: at most `MOST_QUANTITIES`, else nothing is found.
        target: The value to find.
        constants: Numbers that may be used; one that may stand beside "^" is a power of a single quantity.
        fits: A further condition on expressions.
        most_constants: How many constants an expression over few quantities may have: 1 or 2.
    """
    if not 0 < len(given) <= MOST_QUANTITIES:
        return []
    return _Search(given, target, constants).simplest(fits, most_constants)


_BY_VALUE = attrgetter("value")
_Parts = list[Part]


class _Search:
    """One search; a set of quantities is a number with a bit for each."""

    def __init__(self, given: Sequence[Given], target: Target, constants: Sequence[Constant]) -> None:
        self._target = target
        self._count = len(given)
        self._leaves = [quantity(one.name, one.value, index, given.index(one)) for index, one in enumerate(given)]
        self._constants = [constant(text, uses, index) for index, (text, uses) in enumerate(constants)]
        self._built: dict[tuple[int, int], _Parts] = {}

    def simplest(self, fits: Callable[[Expression], bool], most_constants: int) -> list[Expression]:
        most = MOST_CONSTANTS if self._count <= _MOST_WITH_TWO else 1 if self._count <= _MOST_WITH_CONSTANTS else 0
        most_constants = min(most, most_constants) if self._constants else 0
        with_value = [part for constants in range(most_constants + 1) for part in self._with_value(constants)]
        kept: dict[float, Expression] = {}
        least = math.inf
        for part in sorted(with_value, key=attrgetter("size"))[:_MOST_TRIED]:
            if part.size > least:
                break
            mark = fingerprint(part)
            if mark not in kept and fits(expression := expression_of(part)):
                kept[mark], least = expression, part.size
        return list(kept.values())

    def _with_value(self, constants: int) -> Iterator[Part]:
        """The expressions over all quantities, with a number of constants, that have the target's value."""
        value, whole = self._target.value, (1 << self._count) - 1
        slack = max(self._target.slack * (1 + _CLOSE), abs(value) * _CLOSE)
        if self._count == 1:
            yield from _between(self._parts(whole, constants), value - slack, value + slack)
            return
        for one, other in self._pairs(whole, constants):
            few, many = (one, other) if len(one) <= len(other) else (other, one)
            for known in few:
                for sign, is_left, *ends in _inverse(known.value, value - slack, value + slack):
                    for part in _between(many, min(ends), max(ends)):
                        if made := combine(sign, *((known, part) if is_left else (part, known))):
                            yield made

    def _parts(self, quantities: int, constants: int) -> _Parts:
        """All expressions over some quantities with a number of constants, by value."""
        key = quantities, constants
        if key not in self._built:
            made = self._leaf(quantities) if not constants and quantities.bit_count() == 1 else self._made(*key)
            self._built[key] = sorted(made, key=_BY_VALUE)
        return self._built[key]

    def _leaf(self, quantities: int) -> Iterator[Part]:
        leaf = self._leaves[quantities.bit_length() - 1]
        yield leaf
        powers = self._constants if self._count <= _MOST_WITH_SQUARES else []
        yield from (made for power in powers if "^" in power.uses and (made := combine("^", leaf, power)))

    def _made(self, quantities: int, constants: int) -> Iterator[Part]:
        for one, other in self._pairs(quantities, constants):
            for left in one:
                for right in other:
                    for sign in "+-*/^":
                        if made := combine(sign, left, right):
                            yield made
                        if sign not in "+*" and (made := combine(sign, right, left)):
                            yield made

    def _pairs(self, quantities: int, constants: int) -> Iterator[tuple[_Parts, _Parts]]:
        """What an expression may be made of: the parts over some of its quantities, and those over the others."""
        some = (quantities - 1) & quantities
        while some:
            if some > (others := quantities ^ some):
                for inner in range(constants + 1):
                    yield self._parts(some, inner), self._parts(others, constants - inner)
            some = (some - 1) & quantities
        if constants:
            yield self._parts(quantities, constants - 1), self._constants


def _between(parts: _Parts, low: float, high: float) -> _Parts:
    return parts[bisect_left(parts, low, key=_BY_VALUE) : bisect_right(parts, high, key=_BY_VALUE)]


def _inverse(known: float, low: float, high: float) -> Iterator[tuple[str, bool, float, float]]:
    """The ends of the missing value's range, with the sign and whether the known value is on the left."""
    yield "+", False, low - known, high - known
    yield "-", False, low + known, high + known
    yield "-", True, known - high, known - low
    if known:
        yield "*", False, low / known, high / known
        yield "/", False, low * known, high * known
    if low * high > 0:
        yield "/", True, known / low, known / high
    if low > 0 and 0.5 <= known <= LARGEST_EXPONENT and known != 1 and high < LARGEST:  # noqa: PLR2004  a square root
        yield "^", False, low ** (1 / known), high ** (1 / known)
    if low > 0 and known > 0 and known != 1:
        yield "^", True, math.log(low, known), math.log(high, known)
