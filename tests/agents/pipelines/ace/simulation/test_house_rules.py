from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of
from agents.pipelines.ace.simulation.lessons.house_rules import (
    DATE_PATTERNS,
    KINDS,
    Form,
    Rule,
    form_of,
    kind_of,
    parse_rule,
    widened,
    write_rule,
    written,
)


def form(text: str) -> Form | None:
    amount = amount_of(text)
    return form_of(amount) if amount else None


MONEY = Form(2, separators=True, sign="currency", place="front")


@pytest.mark.parametrize(
    ("value", "symbol", "how", "text"),
    [
        ("1234.5", "€", MONEY, "€1,234.50"),
        ("-1234.5", "$", MONEY, "-$1,234.50"),
        ("2.675", "€", Form(2), "2.68"),
        ("0.125", "%", Form(1, sign="%"), "12.5%"),
        ("0.125", "%", Form(0, sign="%", place="apart"), "13 %"),
        ("0.125", "", Form(1, sign="%"), "12.5%"),
        ("0.125", "%", Form(1), "12.5"),
        ("66.6666", "km/h", Form(2, sign="unit", place="apart"), "66.67 km/h"),
        ("66.6666", "", Form(2, sign="unit", place="apart"), "66.67"),
        ("1.5", "", Form(2), "1.50"),
        ("1.5", "", Form(2, at_most=True), "1.5"),
        ("-0.001", "", Form(2), "0.00"),
        ("-0.5", "", Form(1, separators=True), "-0.5"),
        ("0.6666666", "", Form(), "0.6667"),
        ("0.00006666666", "", Form(), "0.00006667"),
        ("3", "", Form(), "3"),
        ("739678", "date", Form(), "3 March 2026"),
        ("739678", "date", Form(dates="YYYY-MM-DD"), "2026-03-03"),
        ("739678", "date", Form(dates="DD.MM.YYYY"), "03.03.2026"),
        ("739678", "date", Form(dates="Month D, YYYY"), "March 3, 2026"),
        ("1e17", "date", Form(dates="YYYY-MM-DD"), "100000000000000000"),
    ],
)
def test_amounts_are_written_in_a_form(value, symbol, how, text):
    assert written(Amount(Fraction(value), symbol), how) == text


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("€1,234.50", MONEY),
        ("€234.50", Form(2, sign="currency", place="front")),
        ("1234", Form(0, separators=False)),
        ("12.5%", Form(1, sign="%")),
        ("12.5 %", Form(1, sign="%", place="apart")),
        ("66.67 km/h", Form(2, sign="unit", place="apart")),
        ("2026-03-03", Form(dates="YYYY-MM-DD")),
        ("3 March 2026", Form(dates="D Month YYYY")),
        ("12 euros", None),
        ("12,5", None),
        ("3.3.2026", None),
        ("about 5", Form(0)),
    ],
)
def test_the_form_of_an_answer_is_read(text, how):
    assert form(text) == how


def test_a_form_that_is_read_writes_the_same_again():
    for text in ("€1,234.50", "-£0.05", "12.5 %", "7 km/h", "0.125", "2026-12-31", "31.12.2026"):
        amount = amount_of(text)
        assert amount is not None
        how = form_of(amount)
        assert how is not None
        assert written(amount, how) == text


# -- sentences


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (Rule("money", MONEY), "Write money with the currency sign in front, thousands separators and 2 decimals."),
        (Rule("percentages", Form(1, sign="%")), "Write percentages with 1 decimal and a % sign."),
        (Rule("ratios", Form(2)), "Write ratios with 2 decimals."),
        (Rule("counts", Form(0, separators=True)), "Write counts with thousands separators and no decimals."),
        (Rule("measurements", Form(2, sign="unit", place="apart")), "Write measurements with 2 decimals and the unit."),
        (Rule("numbers", Form(2, at_most=True)), "Write numbers with up to 2 decimals."),
        (Rule("dates", Form(dates="YYYY-MM-DD")), "Write dates as YYYY-MM-DD."),
        (Rule("tax", Form(0, sign="%", place="apart")), "Write the tax with no decimals and a % sign behind a space."),
    ],
)
def test_rules_are_sentences(rule, sentence):
    assert write_rule(rule) == sentence
    assert parse_rule(sentence) == rule


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("Round ratios to 2 decimals", Rule("ratios", Form(2))),
        ("Give prices with two decimals.", Rule("money", Form(2))),
        ("write PERCENTAGES without decimals", Rule("percentages", Form(0))),
        ("Show money with the currency symbol", Rule("money", Form(sign="currency", place="front"))),
        ("Always write dates as DD.MM.YYYY.", Rule("dates", Form(dates="DD.MM.YYYY"))),
        ("Write counts as whole numbers.", Rule("counts", Form(0))),
        ("Write a letter to me.", None),
        ("Write the book with love.", None),
        ("price = cost with 2 decimals", None),
        ("", None),
    ],
)
def test_rules_may_be_said_in_other_words(sentence, rule):
    assert parse_rule(sentence) == rule


SIGNS = st.sampled_from([("", "behind"), ("currency", "front"), ("currency", "apart"), ("%", "behind"), ("unit", "apart")])
FORMS = st.builds(
    lambda decimals, at_most, separators, sign: Form(decimals, at_most and decimals is not None, separators, *sign),
    st.none() | st.integers(0, 4),
    st.booleans(),
    st.none() | st.booleans(),
    SIGNS,
) | st.sampled_from(DATE_PATTERNS).map(lambda pattern: Form(dates=pattern))


@settings(deadline=None)
@given(st.sampled_from([*KINDS, "profit margin"]), FORMS)
def test_a_rule_is_read_as_it_was_written(subject, how):
    assert parse_rule(write_rule(Rule(subject, how))) == Rule(subject, how)


@settings(deadline=None)
@given(st.integers(-(10**10), 10**10).map(lambda value: Fraction(value, 10**4)), FORMS.filter(lambda how: not how.dates))
def test_what_is_written_is_rounded_and_nothing_else(value, how):
    text = written(Amount(value), Form(how.decimals, how.at_most, how.separators))
    again = Fraction(text.replace(",", ""))

    assert abs(again - value) <= Fraction(1, 2 * 10 ** (4 if how.decimals is None else how.decimals))


# -- which rule


def test_a_rule_is_about_a_kind_or_a_name():
    assert Rule("money", Form(2)).fits("money", "price")
    assert not Rule("money", Form(2)).fits("ratios", "money")
    assert Rule("Profit margins", Form(2)).fits("ratios", "the profit margin")


@pytest.mark.parametrize(
    ("symbol", "is_ratio", "counts", "kind"),
    [
        ("€", True, False, "money"),
        ("%", False, False, "percentages"),
        ("date", False, False, "dates"),
        ("km/h", True, True, "measurements"),
        ("", True, False, "ratios"),
        ("", True, True, "counts"),
        ("", False, False, "numbers"),
    ],
)
def test_answers_are_of_a_kind(symbol, is_ratio, counts, kind):
    assert kind_of(symbol, is_ratio=is_ratio, counts=counts) == kind


def test_a_form_is_widened_where_that_takes_nothing_back():
    assert widened(Form(2), Amount(Fraction("1234.5")), "1,234.50") == Form(2, separators=True)
    assert widened(Form(2), Amount(Fraction("1.5")), "1.5") == Form(2, at_most=True)
    assert widened(Form(2), Amount(Fraction("1.5")), "2") is None
    assert widened(Form(2, separators=False), Amount(Fraction("1234.5")), "1,234.50") is None
