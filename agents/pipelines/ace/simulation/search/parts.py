"""Expressions as a search builds them: with their value, each written in one way only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from agents.models.simulated.reading.expression import PI, Expression, Name, Number, Operation

SMALLEST, LARGEST = 1e-12, 1e15
LARGEST_EXPONENT = 60
MOST_CONSTANTS = 2

_ORDER_OF_QUANTITIES, _ORDER_OF_OPERATIONS = 50, 99
_SAME_RANK = {"+": ("+", "-"), "*": ("*", "/")}


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """An expression while it is built.

    Its `used` has a bit for each quantity in it, `order` is of a leaf, and `size` counts operations.
    """

    value: float
    used: int
    constants: int
    sign: str = ""
    left: Part | None = None
    right: Part | None = None
    order: int = _ORDER_OF_OPERATIONS
    uses: str = "+-*/^"
    written: Expression | None = None
    size: int = 0


def quantity(name: str, value: float, index: int, place: int) -> Part:
    """The part that is a quantity; `index` counts the quantities from 0, and `place` is the first index of its name."""
    return Part(value, 1 << index, 0, order=_ORDER_OF_QUANTITIES + place, written=Name(name))


def constant(text: str, uses: str, index: int) -> Part:
    """The part that is a number or pi; `uses` are the signs that it may stand beside."""
    if text == PI.words:
        return Part(math.pi, 0, 0, order=index, uses=uses, written=PI)
    return Part(float(text), 0, 1, order=index, uses=uses, written=Number(Fraction(text)))


def combine(sign: str, left: Part, right: Part) -> Part | None:
    """An operation, None if it has no value, or is another one in other words."""
    constants = left.constants + (0 if sign == "^" else right.constants)  # a square is no far-fetched number
    if not (left.used or right.used or constants):
        return None
    if left.used & right.used or constants > MOST_CONSTANTS or sign not in left.uses or sign not in right.uses:
        return None
    if sign in _SAME_RANK and _comes_later(_SAME_RANK[sign], left, right):
        left, right = right, left
    if not _is_usual(sign, left, right):
        return None
    value = _value(sign, left.value, right.value)
    if not SMALLEST < abs(value) < LARGEST:
        return None
    return Part(value, left.used | right.used, constants, sign, left, right, size=left.size + right.size + 1)


def _comes_later(same_rank: tuple[str, ...], left: Part, right: Part) -> bool:
    """Whether two sides are to be swapped: a sum goes on behind; else constants come first, then quantities."""
    if left.sign in same_rank:
        return False
    return right.sign in same_rank or left.order > right.order


def _is_usual(sign: str, left: Part, right: Part) -> bool:
    """Whether an operation is written as one usually writes it; all its other forms are left out."""
    inner = left.right.order if left.right else 0
    match sign:
        case "+":
            return right.sign not in ("+", "-") and left.sign != "-" and (left.sign != "+" or right.order > inner)
        case "-":
            return right.sign not in ("+", "-") and (left.sign != "-" or right.order > inner)
        case "*":
            return right.sign not in ("*", "/") and left.sign != "/" and (left.sign != "*" or right.order > inner)
        case "/":
            return "/" not in (left.sign, right.sign) and not (left.constants and left.sign == "")
        case _:
            return not right.sign and left.sign != "^" and bool(left.used)


def _value(sign: str, left: float, right: float) -> float:
    """The value, 0 where there is none."""
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right if right else 0.0
        case _:
            usual = left > 0 and 0 < right <= LARGEST_EXPONENT and abs(right * math.log(left)) < 34  # noqa: PLR2004  e^34 = 10^15
            return left**right if usual else 0.0


def fingerprint(part: Part) -> float:
    """What an expression comes to with other quantities: the same for the same expression in other words."""
    return float(f"{_elsewhere(part):.9e}")


def _elsewhere(part: Part) -> float:
    if part.left is None or part.right is None:
        return part.value * (1 + 0.1 * math.sqrt(part.order)) if part.used else part.value
    left, right = _elsewhere(part.left), _elsewhere(part.right)
    if part.sign == "^":
        return abs(left) ** min(right, 8.0)
    return _value(part.sign, left, right)


def expression_of(part: Part) -> Expression:
    """The expression that a part stands for."""
    if part.left is None or part.right is None:
        assert part.written is not None
        return part.written
    return Operation(part.sign, expression_of(part.left), expression_of(part.right))
