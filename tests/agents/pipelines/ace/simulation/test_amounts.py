from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.models.simulated.reading.expression import plain
from agents.pipelines.ace.simulation.expressions.amounts import MOST_AMOUNTS, amount_of, amounts_in, date_of


def found(text: str) -> list[tuple[str, str]]:
    return [(plain(one.value), one.symbol) for one in amounts_in(text)]


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("€1,200.50", [("1200.5", "€")]),
        ("1,200 € and 80 euros", [("1200", "€"), ("80", "€")]),
        ("-£5 or −£6", [("-5", "£"), ("-6", "£")]),
        ("12.5 % or 12.5% or 5 per cent", [("0.125", "%"), ("0.125", "%"), ("0.05", "%")]),
        ("80 km in 2.5h", [("80", "km"), ("2.5", "h")]),
        ("9.81 m/s², 3 metres per second", [("9.81", "m/s²"), ("3", "m/s")]),
        ("EUR 80 and 5 francs", [("80", "€"), ("5", "CHF")]),
        ("80円と1.5 km", [("80", "¥"), ("1.5", "km")]),
        ("1,200 and 0,125 and 12,5 and 1.200", [("1200", ""), ("0.125", ""), ("12.5", ""), ("1.2", "")]),
        ("2 million dollars", [("2000000", "$")]),
        ("12 apples", [("12", "")]),
        ("12 mice and 5 Ants", [("12", ""), ("5", "")]),
        ("from 10-20 years", [("10", ""), ("20", "")]),
        ("a 3-year loan", [("3", "")]),
        ("the 3rd of 12", [("12", "")]),
        ("CO2 and H2O", []),
        ("L/100 km", []),
        ("零件，6小时", [("6", "h")]),
        ("1.2.3", []),
        ("it costs $3.", [("3", "$")]),
        ("9,999,999,999,999,999,999,999", []),
    ],
)
def test_numbers_are_read_with_what_they_count(text, amounts):
    assert found(text) == amounts


@pytest.mark.parametrize(
    "text", ["3 March 2026", "3rd of March 2026", "March 3, 2026", "Mar 3 2026", "2026-03-03", "3.3.2026", "2026年3月3日"]
)
def test_dates_are_read(text):
    (one,) = amounts_in(f"It is due on {text}, not before.")

    assert (date_of(one.value), one.symbol) == (date(2026, 3, 3), "date")


def test_a_day_that_the_calendar_does_not_have_is_no_date():
    assert found("31 February 2026") == [("31", ""), ("2026", "")]
    assert date_of(Fraction("0.5")) is None
    assert date_of(Fraction(10) ** 9) is None


@pytest.mark.parametrize(
    ("text", "slack"), [("1.50", "0.005"), ("240", "0.5"), ("12.5 %", "0.0005"), ("€1,234.50", "0.005"), ("2026-03-03", "0")]
)
def test_an_amount_knows_what_it_may_have_been_rounded_from(text, slack):
    one = amount_of(text)

    assert one is not None
    assert one.slack == Fraction(slack)


def test_only_one_amount_is_the_amount():
    assert amount_of("about 5 kg") is not None
    assert amount_of("5 or 6") is None
    assert amount_of("none") is None


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read(text):
    amounts = amounts_in(text)

    assert len(amounts) <= MOST_AMOUNTS
    assert all(text[one.start : one.end] == one.text for one in amounts)
