"""Units: what they are called, and what becomes of them when their amounts are added, multiplied or divided.

Kilometres and metres are two units here: nothing is converted. `units.toml` says what each unit is made of; that energy may
be had from mass and speed is not said there, only that J is another way to write kg m²/s².
"""

from __future__ import annotations

import re
from decimal import Decimal

from agents.pipelines.ace.data_file import read_data

Unit = tuple[tuple[str, Decimal], ...]
"""What an amount is counted in, as (base, exponent) by base: m/s² is (("m", 1), ("s", -2)); () is a mere number."""

NO_UNIT: Unit = ()
DATE_SYMBOL = "date"
DATE: Unit = ((DATE_SYMBOL, Decimal(1)),)
CURRENCIES = ("€", "$", "£", "¥")

_DATA = read_data(__file__, "units.toml")
_BASE = re.compile(r"(\D+?)(-?\d)?$")
_SYMBOLS = {name: symbol for symbol, unit in _DATA.items() for name in (symbol, *unit["names"])}
_WORDS = {name.lower(): symbol for name, symbol in _SYMBOLS.items() if len(name) > 3}  # noqa: PLR2004  "MM" is not mm


def _unit(made_of: str) -> Unit:
    found = (_BASE.match(base) for base in made_of.split())
    return tuple(sorted((one[1], Decimal(one[2] or 1)) for one in found if one))


_UNITS = {symbol: _unit(unit["made_of"]) for symbol, unit in _DATA.items()} | {DATE_SYMBOL: DATE}
_WRITTEN = {unit: symbol for symbol, unit in reversed(_UNITS.items()) if unit}

UNIT = "|".join(rf"(?:{re.escape(name)})" for name in sorted(_SYMBOLS, key=len, reverse=True))
"""Any name of a unit, as a regular expression, long ones first. Letters keep their case."""


def symbol_of_name(name: str) -> str:
    """The symbol of a unit that is called so, "" if none is."""
    plain = " ".join(name.split())
    return _SYMBOLS.get(plain) or _WORDS.get(plain.lower(), "")


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
        exponents[base] = exponents.get(base, Decimal(0)) + (exponent if sign == "*" else -exponent)
    if sign == "*" and any(exponents.get(currency) == 1 for currency in CURRENCIES):
        exponents = {base: exponent for base, exponent in exponents.items() if exponent < 0 or base in CURRENCIES}
    return tuple(sorted((base, exponent) for base, exponent in exponents.items() if exponent))


def raised(unit: Unit, exponent: Decimal) -> Unit | None:
    """The unit of a power; None where a date is raised."""
    if unit == DATE:
        return None
    return tuple((base, has * exponent) for base, has in unit) if exponent else NO_UNIT


def _power(base: str, exponent: Decimal) -> str:
    return base if exponent == 1 else base + {Decimal(2): "²", Decimal(3): "³"}.get(exponent, f"^{exponent:f}")
