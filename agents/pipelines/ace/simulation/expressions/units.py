"""Units: what they are called, and what becomes of them when their amounts are added, multiplied or divided.

Kilometres and metres are two units here: nothing is converted. `units.toml` says what each unit is made of; that energy may
be had from mass and speed is not said there, only that J is another way to write kg m²/s².
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from agents.models.simulated.reading.expression import plain
from agents.models.simulated.reading.money import currency_at
from agents.models.simulated.reading.tokens import Token, tokens_of
from agents.pipelines.ace.data_file import read_data

Unit = tuple[tuple[str, Fraction], ...]
"""What an amount is counted in, as (base, exponent) by base: m/s² is (("m", 1), ("s", -2)); () is a mere number."""

NO_UNIT: Unit = ()
DATE_SYMBOL = "date"
DATE: Unit = ((DATE_SYMBOL, Fraction(1)),)
CURRENCIES = ("€", "$", "£", "¥")

_DATA = read_data(__file__, "units.toml")
_BASE = re.compile(r"(\D+?)(-?\d)?$")
_SIGN_OF_CODE = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "¥"}
_NAMES = {
    tuple(token.written for token in tokens_of(name)): symbol
    for symbol, unit in _DATA.items()
    for name in (symbol, *unit.get("names", ()))
}
_IN_ANY_CASE = {tuple(map(str.lower, name)): symbol for name, symbol in _NAMES.items() if len("".join(name)) > 3}  # noqa: PLR2004  "MM" is not mm
_LONGEST = max(map(len, _NAMES))


def _unit(made_of: str) -> Unit:
    found = (_BASE.match(base) for base in made_of.split())
    return tuple(sorted((one[1], Fraction(one[2] or 1)) for one in found if one))


_UNITS = {symbol: _unit(unit["made_of"]) for symbol, unit in _DATA.items()} | {DATE_SYMBOL: DATE}
_WRITTEN = {unit: symbol for symbol, unit in reversed(_UNITS.items()) if unit}


def symbol_at(tokens: Sequence[Token], at: int, *, before: bool = False) -> tuple[int, str] | None:
    """The unit or currency that is named from a token on: the token after it, and its symbol; None if none is.

    Args:
        tokens: The tokens of a text.
        at: The first one.
        before: Whether a number must follow: only the signs and codes of currencies stand before one.
    """
    listed = list(tokens[at : at + _LONGEST + 1])
    money = currency_at(listed, 0)
    if before:
        is_sign = money is not None and (not listed[0].is_word or listed[0].written.isupper())
        return (at + money[0], _SIGN_OF_CODE.get(money[1], money[1])) if money and is_sign else None
    for size in range(min(_LONGEST, len(listed)), 0, -1):
        said = listed[:size]
        symbol = _NAMES.get(tuple(one.written for one in said)) or _IN_ANY_CASE.get(tuple(one.key for one in said))
        goes_on = size < len(listed) and listed[size].begin == said[-1].end and listed[size].key in ("/", "²", "³", "^", "°")
        if symbol and not goes_on:
            return at + size, symbol
    return (at + money[0], _SIGN_OF_CODE.get(money[1], money[1])) if money else None


def symbol_of_name(name: str) -> str:
    """The symbol of a unit that is called so, "" if none is."""
    tokens = tokens_of(name)
    found = symbol_at(tokens, 0)
    return found[1] if found and found[0] == len(tokens) else ""


def unit_of_symbol(symbol: str) -> Unit:
    """What a symbol stands for; no unit for "", "%" and what is no symbol."""
    return _UNITS.get(symbol, NO_UNIT)


def measured_in(symbol: str) -> str:
    """What is measured in a unit, e.g. "speed" in km/h; "" if that is not known."""
    return _DATA[symbol]["measures"] if symbol in _DATA else ""


def symbol_of(unit: Unit) -> str:
    """How a unit is written: its own symbol if it has one, else a fraction such as "€/kWh"."""
    if unit in _WRITTEN or not unit:
        return _WRITTEN.get(unit, "")
    above = [_power(base, exponent) for base, exponent in unit if exponent > 0]
    below = [_power(base, -exponent) for base, exponent in unit if exponent < 0]
    return " ".join(above or ["1"]) + "".join(f"/{part}" for part in below)


def added(left: Unit, sign: str, right: Unit) -> Unit | None:
    """The unit of a sum or difference; None where the two cannot be added, as kilometres and euros."""
    if DATE in (left, right):
        if left == right:
            return NO_UNIT if sign == "-" else None
        plain = NO_UNIT in (left, right) and (sign == "+" or left == DATE)
        return DATE if plain else None
    return left if left == right else None


def multiplied(left: Unit, sign: str, right: Unit) -> Unit | None:
    """The unit of a product or quotient; None where a date is multiplied.

    What an hour or a kilometre costs is mostly told as money alone, so that money times hours is money.
    """
    if DATE in (left, right):
        return None
    exponents = dict(left)
    for base, exponent in right:
        exponents[base] = exponents.get(base, Fraction(0)) + (exponent if sign == "*" else -exponent)
    if sign == "*" and any(exponents.get(currency) == 1 for currency in CURRENCIES):
        exponents = {base: exponent for base, exponent in exponents.items() if exponent < 0 or base in CURRENCIES}
    return tuple(sorted((base, exponent) for base, exponent in exponents.items() if exponent))


def raised(unit: Unit, exponent: Fraction) -> Unit | None:
    """The unit of a power; None where a date is raised."""
    if unit == DATE:
        return None
    return tuple((base, has * exponent) for base, has in unit) if exponent else NO_UNIT


def _power(base: str, exponent: Fraction) -> str:
    return base if exponent == 1 else base + {"2": "²", "3": "³"}.get(plain(exponent), f"^{plain(exponent)}")
