"""Arithmetic: what an expression is made of, what it comes to, and how it is written. Values are exact where they can be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, DecimalException, localcontext
from fractions import Fraction

LARGEST = 10**15
SHOWN_DIGITS = 12
"""Digits that are shown after the point, at most."""
_PRECISION = 40
_MOST_BITS = 400
"""Bits of a fraction's bottom, above which it is rounded; bits of a power, above which it is not worked out exactly."""
_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "mod": 2, "^": 4}
_NEGATIVE, _PERCENT, _WHOLE = 3, 5, 6
_SHOWN = {"*": "×", "/": "÷", "-": "−"}
_TYPED = str.maketrans({shown: sign for sign, shown in _SHOWN.items()})


@dataclass(frozen=True, slots=True)
class Number:
    """A number; never negative, that is what `Negative` is for."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Name:
    """Something that has a value: its words, one blank between them."""

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
    """Two expressions, and what to do with them: one of + - * / ^ mod."""

    sign: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """A function of `FUNCTIONS` and its arguments."""

    function: str
    arguments: tuple[Expression, ...]


Expression = Number | Name | Percent | Negative | Operation | Call

PI = Name("pi")
_KNOWN = {PI.words: Fraction("3.141592653589793238462643383279502884197")}


def number(value: Fraction) -> Expression:
    """A value as an expression."""
    return Negative(Number(-value)) if value < 0 else Number(value)


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The expressions that one is made of, from left to right."""
    match expression:
        case Operation(_, left, right):
            return left, right
        case Percent(of) | Negative(of):
            return (of,)
        case Call(_, arguments):
            return arguments
        case Number() | Name():
            return ()


def with_operands(expression: Expression, others: Iterable[Expression]) -> Expression:
    """The expression with others in the place of its operands, as many as it has."""
    match expression:
        case Operation(sign):
            left, right = others
            return Operation(sign, left, right)
        case Percent():
            return Percent(*others)
        case Negative():
            return Negative(*others)
        case Call(function):
            return Call(function, tuple(others))
        case Number() | Name():
            return expression


def parts_of(expression: Expression) -> Iterator[Expression]:
    """All that an expression is made of, each part after its own operands, the expression last."""
    for operand in operands(expression):
        yield from parts_of(operand)
    yield expression


def names_in(expression: Expression) -> tuple[str, ...]:
    """The names that need a value, each once, in the order in which they come."""
    found = (part.words for part in parts_of(expression) if isinstance(part, Name) and part.words not in _KNOWN)
    return tuple(dict.fromkeys(found))


def with_names(expression: Expression, replace: Callable[[Name], Expression]) -> Expression:
    """The expression with something else in the place of each name."""
    if isinstance(expression, Name):
        return replace(expression)
    return with_operands(expression, [with_names(one, replace) for one in operands(expression)])


def value_of(expression: Expression, values: Mapping[str, Fraction] | None = None) -> Fraction:
    """What an expression comes to.

    Args:
        expression: What to work out.
        values: Name → its value.

    Raises:
        ArithmeticError: It has no value, or one that is too large; the message says why.
    """
    match expression:
        case Number(value):
            result = value
        case Name(words):
            if (found := (values or {}).get(words, _KNOWN.get(words))) is None:
                raise ArithmeticError(f"Nothing says how much {words} is.")
            result = found
        case Percent(of):
            result = value_of(of, values) / 100
        case Negative(of):
            result = -value_of(of, values)
        case Operation(sign, left, right):
            result = _operate(sign, value_of(left, values), value_of(right, values))
        case Call(function, arguments):
            result = FUNCTIONS[function][0]([value_of(one, values) for one in arguments])
    if abs(result) > LARGEST:
        raise OverflowError(f"{write(expression)} is more than {LARGEST:,}.")
    if result.denominator.bit_length() > _MOST_BITS:
        return Fraction(round(result * 10**_PRECISION), 10**_PRECISION)
    return result


def plain(value: Fraction) -> str:
    """A number as people write it, with at most 12 digits after the point."""
    digits = f"{round(abs(value) * 10**SHOWN_DIGITS):0{SHOWN_DIGITS + 1}}"
    text = f"{digits[:-SHOWN_DIGITS]}.{digits[-SHOWN_DIGITS:]}".rstrip("0").rstrip(".")
    return f"-{text}" if value < 0 and text != "0" else text


def equals(value: Fraction) -> str:
    """A number behind its sign: "= 0.5", "≈ 0.333333333333"."""
    return f"{'=' if Fraction(plain(value)) == value else '≈'} {plain(value)}"


def write(expression: Expression) -> str:
    """An expression as people write it and as it is read, with brackets where they are needed."""
    match expression:
        case Number(value):
            text = plain(value)
        case Name(words):
            text = words
        case Percent(of):
            text = f"{_within(of, _PERCENT)} %"
        case Negative(of):
            text = f"-{_within(of, _NEGATIVE + 1)}"
        case Operation("^", left, right):
            text = f"{_within(left, _BINDS['^'] + 1)}^{_within(right, _NEGATIVE)}"
        case Operation(sign, left, right):
            text = f"{_within(left, _BINDS[sign])} {_SHOWN.get(sign, sign)} {_within(right, _BINDS[sign] + 1)}"
        case Call(function, arguments):
            text = f"{function}({', '.join(map(write, arguments))})"
    return text


def typed(expression: Expression) -> str:
    """An expression with the signs of a keyboard: "a * b / c"."""
    return write(expression).translate(_TYPED)


def _within(expression: Expression, binds: int) -> str:
    """An expression as part of another one, which binds as much as that."""
    match expression:
        case Operation(sign):
            own = _BINDS[sign]
        case Negative():
            own = _NEGATIVE
        case Percent():
            own = _PERCENT
        case Number() | Name() | Call():
            own = _WHOLE
    return write(expression) if own >= binds else f"({write(expression)})"


def _operate(sign: str, left: Fraction, right: Fraction) -> Fraction:
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "^":
            return _power(left, right)
        case _ if not right:
            raise ZeroDivisionError(f"{plain(left)} cannot be divided by 0.")
        case "mod":
            return left % right
        case _:
            return left / right


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if not base and exponent <= 0:
        raise ArithmeticError(f"0 cannot be raised to {plain(exponent)}.")
    if base < 0 and exponent.denominator > 1:
        raise ArithmeticError(f"{plain(base)} cannot be raised to {plain(exponent)}.")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if exponent.denominator == 1 and abs(exponent) * bits <= _MOST_BITS:
        return Fraction(base ** int(exponent))
    if exponent == Fraction(1, 2):
        return _root(base)
    sign = -1 if base < 0 and exponent.numerator % 2 else 1
    return sign * _inexact(lambda: _decimal(abs(base)) ** _decimal(exponent))


def _root(value: Fraction) -> Fraction:
    if value < 0:
        raise ArithmeticError(f"{plain(value)} has no square root.")
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if (above**2, below**2) == (value.numerator, value.denominator):
        return Fraction(above, below)
    return _inexact(lambda: _decimal(value).sqrt())


def _logarithm(value: Fraction, log: Callable[[Decimal], Decimal]) -> Fraction:
    if value <= 0:
        raise ArithmeticError(f"{plain(value)} has no logarithm.")
    return _inexact(lambda: log(_decimal(value)))


def _rounded(value: Fraction, digits: Fraction = Fraction(0)) -> Fraction:
    """Half a unit goes away from zero, as people round."""
    if digits.denominator > 1 or not 0 <= digits <= SHOWN_DIGITS:
        raise ArithmeticError(f"Nothing can be rounded to {plain(digits)} digits.")
    unit: int = 10 ** int(digits)
    return Fraction(math.floor(abs(value) * unit + Fraction(1, 2)), unit) * (-1 if value < 0 else 1)


FUNCTIONS: dict[str, tuple[Callable[[list[Fraction]], Fraction], int]] = {
    "sqrt": (lambda given: _root(given[0]), 1),
    "abs": (lambda given: abs(given[0]), 1),
    "floor": (lambda given: Fraction(math.floor(given[0])), 1),
    "ceil": (lambda given: Fraction(math.ceil(given[0])), 1),
    "log": (lambda given: _logarithm(given[0], Decimal.log10), 1),
    "ln": (lambda given: _logarithm(given[0], Decimal.ln), 1),
    "round": (lambda given: _rounded(*given), 2),
    "min": (min, 200),
    "max": (max, 200),
}
"""Each function, and how many arguments it takes at most."""


def _inexact(work_out: Callable[[], Decimal]) -> Fraction:
    """A value that is no fraction, to forty digits.

    Raises:
        OverflowError: It is too large.
    """
    with localcontext(prec=_PRECISION, Emax=_PRECISION, Emin=-_PRECISION):
        try:
            return Fraction(work_out())
        except DecimalException as error:
            raise OverflowError(f"That is more than {LARGEST:,}.") from error


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)
