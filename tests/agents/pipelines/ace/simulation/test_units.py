from __future__ import annotations

from fractions import Fraction

import pytest

from agents.pipelines.ace.simulation.expressions.units import (
    DATE,
    NO_UNIT,
    added,
    measured_in,
    multiplied,
    raised,
    symbol_of,
    symbol_of_name,
    unit_of_symbol,
)


def times(left: str, right: str, sign: str = "*") -> str:
    unit = multiplied(unit_of_symbol(left), sign, unit_of_symbol(right))
    assert unit is not None
    return symbol_of(unit)


@pytest.mark.parametrize(
    ("name", "symbol"),
    [("euros", "€"), ("Kilometres per hour", "km/h"), ("m/s^2", "m/s²"), ("W", "W"), ("w", ""), ("bananas", ""), ("KM", "")],
)
def test_units_have_names(name, symbol):
    assert symbol_of_name(name) == symbol


@pytest.mark.parametrize(
    ("left", "sign", "right", "symbol"),
    [
        ("km", "/", "h", "km/h"),
        ("kg", "*", "m/s²", "N"),
        ("N", "*", "m", "J"),
        ("V", "*", "A", "W"),
        ("A", "*", "Ω", "V"),
        ("N", "/", "m²", "Pa"),
        ("kW", "*", "h", "kWh"),
        ("€", "/", "€", ""),
        ("€", "/", "h", "€/h"),
        ("kg", "*", "m/s", "kg m/s"),
    ],
)
def test_units_are_multiplied_and_divided(left, sign, right, symbol):
    assert times(left, right, sign) == symbol


def test_money_for_something_is_money():
    assert times("h", "€") == "€"
    assert times("€", "km") == "€"


def test_only_amounts_of_one_unit_are_added():
    metres, euros = unit_of_symbol("m"), unit_of_symbol("€")
    assert added(metres, "+", metres) == metres
    assert added(metres, "+", euros) is None
    assert added(euros, "-", NO_UNIT) is None


def test_days_are_added_to_dates_and_dates_are_compared():
    assert added(DATE, "+", NO_UNIT) == DATE
    assert added(NO_UNIT, "+", DATE) == DATE
    assert added(DATE, "-", NO_UNIT) == DATE
    assert added(DATE, "-", DATE) == NO_UNIT
    assert added(DATE, "+", DATE) is None
    assert added(NO_UNIT, "-", DATE) is None
    assert multiplied(DATE, "*", NO_UNIT) is None
    assert raised(DATE, Fraction(2)) is None


def test_powers_have_units():
    assert symbol_of(raised(unit_of_symbol("m"), Fraction(2)) or ()) == "m²"
    assert raised(unit_of_symbol("m"), Fraction(0)) == NO_UNIT
    assert symbol_of(raised(unit_of_symbol("s"), Fraction("0.5")) or ()) == "s^0.5"


def test_what_is_measured_is_known():
    assert measured_in("km/h") == "speed"
    assert measured_in("") == ""
