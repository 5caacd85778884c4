"""Arithmetic over names and numbers: what an expression is made of, its value, and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, Overflow, localcontext

LARGEST = Decimal(10) ** 18
LARGEST_EXPONENT = 200
PRECISION = 40

PI = "pi"
_KNOWN = {PI: Decimal("3.14159265358979323846")}

_OPERATORS: Mapping[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": Decimal.__add__,
    "-": Decimal.__sub__,
    "*": Decimal.__mul__,
    "/": Decimal.__truediv__,
    "^": Decimal.__pow__,
}
_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
_BINDS_AS_NEGATIVE, _BINDS_AS_PERCENT, _BINDS_AS_WHOLE = 3, 5, 6


@dataclass(frozen=True, slots=True)
class Number:
    """A number; never negative, that is what `Negative` is for."""

    value: Decimal


@dataclass(frozen=True, slots=True)
class Name:
    """Something that has a value: its words, one blank between them, as they were written."""

    words: str


@dataclass(frozen=True, slots=True)
class Percent:
    """A hundredth of something."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Negative:
    """Something with its sign turned."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Operation:
    """Two expressions, and what to do with them: one of + - * / ^."""

    sign: str
    left: Expression
    right: Expression


Expression = Number | Name | Percent | Negative | Operation


def write(expression: Expression) -> str:
    """An expression as `parse` reads it, with brackets where they are needed."""
    match expression:
        case Number(value):
            return plain(value)
        case Name(words):
            return words
        case Percent(of):
            return f"{_within(of, _BINDS_AS_PERCENT)} %"
        case Negative(of):
            return f"-{_within(of, _BINDS_AS_NEGATIVE + 1)}"
        case Operation("^", left, right):
            return f"{_within(left, _BINDS['^'] + 1)}^{_within(right, _BINDS_AS_NEGATIVE)}"
        case Operation(sign, left, right):
            return f"{_within(left, _BINDS[sign])} {sign} {_within(right, _BINDS[sign] + 1)}"


def plain(value: Decimal) -> str:
    """A number in full, without an exponent and without zeros that say nothing."""
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def names_in(expression: Expression) -> tuple[str, ...]:
    """The names that need a value, each once, in the order in which they come."""
    found = (part.words for part in parts_of(expression) if isinstance(part, Name) and part.words not in _KNOWN)
    return tuple(dict.fromkeys(found))


def parts_of(expression: Expression) -> Iterator[Expression]:
    """The expression and all that it is made of, from left to right."""
    yield expression
    match expression:
        case Operation(_, left, right):
            yield from parts_of(left)
            yield from parts_of(right)
        case Percent(of) | Negative(of):
            yield from parts_of(of)
        case Number() | Name():
            pass


def with_names(expression: Expression, replace: Callable[[Name], Expression]) -> Expression:
    """The expression with something else in the place of each name."""
    match expression:
        case Name():
            return replace(expression)
        case Number():
            return expression
        case Percent(of):
            return Percent(with_names(of, replace))
        case Negative(of):
            return Negative(with_names(of, replace))
        case Operation(sign, left, right):
            return Operation(sign, with_names(left, replace), with_names(right, replace))


def work_out(expression: Expression, values: Mapping[str, Decimal]) -> Decimal:
    """The value of an expression.

    Args:
        expression: What to work out.
        values: Name → its value, for every name in it.

    Raises:
        ArithmeticError: It has no value that can be shown (a division by zero, a number that is too large, a name that
            stands for nothing); the message says why.
    """
    with localcontext(prec=PRECISION):
        try:
            value = _value(expression, values)
        except (InvalidOperation, Overflow) as error:
            raise ArithmeticError(f"{write(expression)} has no value that can be shown.") from error
    if abs(value) > LARGEST:
        raise OverflowError(f"{write(expression)} is more than {LARGEST:,}.")
    return value


def _value(expression: Expression, values: Mapping[str, Decimal]) -> Decimal:
    match expression:
        case Number(value):
            return value
        case Name(words):
            if (value := values.get(words, _KNOWN.get(words))) is None:
                raise ArithmeticError(f"Nothing says how much {words} is.")
            return value
        case Percent(of):
            return _value(of, values) / 100
        case Negative(of):
            return -_value(of, values)
        case Operation(sign, left, right):
            return _operate(sign, _value(left, values), _value(right, values))


def _operate(sign: str, left: Decimal, right: Decimal) -> Decimal:
    if sign == "/" and not right:
        raise ZeroDivisionError(f"{plain(left)} cannot be divided by 0.")
    if sign == "^" and abs(right) > LARGEST_EXPONENT:
        raise OverflowError(f"{plain(right)} is too large an exponent: {LARGEST_EXPONENT} is the largest.")
    if sign == "^" and not left and right <= 0:
        raise ArithmeticError(f"0 cannot be raised to {plain(right)}.")
    result = _OPERATORS[sign](left, right)
    if abs(result) > LARGEST:
        raise OverflowError(f"{plain(left)} {sign} {plain(right)} is more than {LARGEST:,}.")
    return result


def _within(expression: Expression, binds: int) -> str:
    """An expression as part of another one, which binds as much as that."""
    match expression:
        case Operation(sign):
            own = _BINDS[sign]
        case Negative():
            own = _BINDS_AS_NEGATIVE
        case Percent():
            own = _BINDS_AS_PERCENT
        case Number() | Name():
            own = _BINDS_AS_WHOLE
    return write(expression) if own >= binds else f"({write(expression)})"
