"""Units: what they are called, and what becomes of them when their amounts are added, multiplied or divided.

Kilometres and metres are two units here: nothing is converted. Knows no formula; that energy may be had from mass and speed
is not said here, only that J is another way to write kg m²/s².
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

Unit = tuple[tuple[str, Decimal], ...]
"""What an amount is counted in, as (base, exponent) by base: m/s² is (("m", 1), ("s", -2)); () is a mere number."""

NO_UNIT: Unit = ()
DATE: Unit = (("date", Decimal(1)),)
CURRENCIES = ("€", "$", "£", "¥")


class _Kind(NamedTuple):
    """A unit: its symbol, what it is made of, what is measured in it, and its names besides the symbol."""

    symbol: str
    made_of: str
    measures: str
    names: str = ""


_KINDS = (
    _Kind("€", "€", "amount", "euros|euro|EUR"),
    _Kind("$", "$", "amount", "dollars|dollar|USD"),
    _Kind("£", "£", "amount", "pounds|pound|GBP"),
    _Kind("¥", "¥", "amount", "yen|JPY"),
    _Kind("%", "", "rate", "percent|per cent"),
    _Kind("km/h", "km h-1", "speed", "kilometres per hour|kilometers per hour|kph"),
    _Kind("m/s²", "m s-2", "acceleration", "m/s^2|metres per second squared|meters per second squared"),
    _Kind("m/s", "m s-1", "speed", "metres per second|meters per second"),
    _Kind("kg/m³", "kg m-3", "density", "kg/m^3|kilograms per cubic metre|kilograms per cubic meter"),
    _Kind("g/cm³", "g cm-3", "density", "g/cm^3|grams per cubic centimetre|grams per cubic centimeter"),
    _Kind("km", "km", "distance", "kilometres|kilometre|kilometers|kilometer"),
    _Kind("cm", "cm", "length", "centimetres|centimetre|centimeters|centimeter"),
    _Kind("mm", "mm", "length", "millimetres|millimetre|millimeters|millimeter"),
    _Kind("m²", "m2", "area", "m^2|square metres|square metre|square meters|square meter"),
    _Kind("m³", "m3", "volume", "m^3|cubic metres|cubic metre|cubic meters|cubic meter"),
    _Kind("cm³", "cm3", "volume", "cm^3|cubic centimetres|cubic centimetre|cubic centimeters|cubic centimeter"),
    _Kind("m", "m", "length", "metres|metre|meters|meter"),
    _Kind("kg", "kg", "mass", "kilograms|kilogram|kilos|kilo"),
    _Kind("g", "g", "mass", "grams|gram"),
    _Kind("t", "t", "mass", "tonnes|tonne|tons|ton"),
    _Kind(
        "L/100 km",
        "L km-1",
        "consumption",
        "L/100km|l/100 km|L per 100 km|l per 100 km|l/100km|litres per 100 km|liters per 100 km",
    ),
    _Kind("L", "L", "volume", "l|litres|litre|liters|liter"),
    _Kind("kWh", "kW h", "energy", "kilowatt-hours|kilowatt-hour|kilowatt hours|kilowatt hour"),
    _Kind("kW", "kW", "power", "kilowatts|kilowatt"),
    _Kind("h", "h", "time", "hours|hour"),
    _Kind("min", "min", "time", "minutes|minute"),
    _Kind("s", "s", "time", "seconds|second"),
    _Kind("N", "kg m s-2", "force", "newtons|newton"),
    _Kind("J", "kg m2 s-2", "energy", "joules|joule"),
    _Kind("W", "kg m2 s-3", "power", "watts|watt"),
    _Kind("Pa", "kg m-1 s-2", "pressure", "pascals|pascal"),
    _Kind("V", "kg m2 s-3 A-1", "voltage", "volts|volt"),
    _Kind("A", "A", "current", "amperes|ampere|amps|amp"),
    _Kind("Ω", "kg m2 s-3 A-2", "resistance", "\u2126|ohms|ohm"),
    _Kind("C", "A s", "charge", "coulombs|coulomb"),
    _Kind("Hz", "s-1", "frequency", "hertz"),
    _Kind("°C", "°C", "temperature", "degrees Celsius"),
    _Kind("K", "K", "temperature", "kelvins|kelvin"),
)

_BASE = re.compile(r"(\D+?)(-?\d)?$")
_SYMBOLS = {name: kind.symbol for kind in _KINDS for name in (kind.symbol, *kind.names.split("|")) if name}
_WORDS = {name.lower(): symbol for name, symbol in _SYMBOLS.items() if len(name) > 3}  # noqa: PLR2004  "MM" is not mm
_MEASURES = {kind.symbol: kind.measures for kind in _KINDS}


def _unit(made_of: str) -> Unit:
    found = (_BASE.match(base) for base in made_of.split())
    return tuple(sorted((one[1], Decimal(one[2] or 1)) for one in found if one))


_UNITS = {kind.symbol: _unit(kind.made_of) for kind in _KINDS}
_WRITTEN = {unit: symbol for symbol, unit in reversed(_UNITS.items()) if unit}

UNIT = "|".join(rf"(?:{re.escape(name)})" for name in sorted(_SYMBOLS, key=len, reverse=True))
"""Any name of a unit, as a regular expression, long ones first. Letters keep their case; see also `symbol_of_word`."""


def symbol_of_name(name: str) -> str:
    """The symbol of a unit that is called so, "" if none is."""
    plain = " ".join(name.split())
    return _SYMBOLS.get(plain) or _WORDS.get(plain.lower(), "")


def unit_of_symbol(symbol: str) -> Unit:
    """What a symbol stands for; the unit of a date is `DATE`; no unit for "", "%" and what is no symbol."""
    return DATE if symbol == "date" else _UNITS.get(symbol, NO_UNIT)


def measured_in(symbol: str) -> str:
    """What is measured in a unit, e.g. "speed" in km/h; "" if that is not known."""
    return _MEASURES.get(symbol, "")


def symbol_of(unit: Unit) -> str:
    """How a unit is written: its own symbol if it has one, else a fraction such as "€/kWh"."""
    if unit in _WRITTEN or not unit:
        return _WRITTEN.get(unit, "")
    if unit == DATE:
        return "date"
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
