from __future__ import annotations

import pytest

from agents.pipelines.ace.simulation.expressions.units import measured_in, symbol_of_name


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        *(("euros", "€"), ("Kilometres per hour", "km/h"), ("m/s^2", "m/s²"), ("W", "W"), ("w", ""), ("bananas", "")),
        *(("KM", ""), ("平方メートル", "m²"), ("公里", "km"), ("円", "¥"), ("francs", "CHF"), ("km and more", "")),
    ],
)
def test_units_have_names(name, symbol):
    assert symbol_of_name(name) == symbol


def test_what_is_measured_is_known():
    assert measured_in("km/h") == "speed"
    assert measured_in("") == ""
