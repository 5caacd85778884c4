from __future__ import annotations

from fractions import Fraction

import pytest

from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import plain, typed
from agents.pipelines.ace.simulation.expressions.amounts import Amount
from agents.pipelines.ace.simulation.expressions.operands import Bound, bind, is_ratio, put_in, value_of


def given(**values: str) -> dict[str, Amount]:
    """Quantities from texts such as "5", "20 %" and "3 km"."""
    read: dict[str, Amount] = {}
    for name, text in values.items():
        number, _, symbol = text.partition(" ")
        read[name.replace("_", " ")] = Amount(Fraction(number) / (100 if symbol == "%" else 1), symbol)
    return read


def bound(text: str, **values: str) -> Bound:
    found = bind(parse(text), given(**values))
    assert found is not None
    return found


def come_to(text: str, symbol: str = "", **values: str) -> str:
    value = value_of(bound(text, **values), symbol)
    return f"{plain(value.value)} {value.symbol}".strip()


# -- names


def test_names_are_bound_without_case_articles_and_plural():
    assert come_to("The Price * Unit", price="3", units="4") == "12"


def test_a_longer_name_stands_for_a_shorter_one_that_ends_like_it():
    assert come_to("current assets / liabilities", current_assets="6", current_liabilities="3") == "2"


def test_what_ends_alike_twice_stands_for_nothing():
    assert bind(parse("assets * factor * rest"), given(current_assets="6", fixed_assets="3", factor="2")) is None


def test_the_last_name_and_the_last_quantity_belong_together():
    assert come_to("distance / time", length="6", time="3") == "2"
    assert bind(parse("distance / time"), given(length="6", hours="3")) is None
    assert bind(parse("distance / time"), given(length="6", time="3", mass="1")) is None


def test_a_missing_name_may_be_found_elsewhere():
    found = bind(
        parse("profit / revenue"), given(revenue="10"), lambda name: Amount(Fraction(4)) if name == "profit" else None
    )

    assert found is not None
    assert value_of(found).value == Fraction("0.4")


def test_a_minus_without_blanks_is_read_where_no_name_has_that_hyphen():
    assert come_to("revenue-costs", revenue="9", costs="4") == "5"
    assert come_to("break-even units * 2", **{"break-even_units": "9"}) == "18"
    assert typed(bound("total-a / b", total="9", a="4", b="2").expression) == "total - a / b"


# -- percent


def test_percent_are_parts_of_one():
    assert come_to("price * (1 - discount)", price="80", discount="20 %") == "64"
    assert come_to("profit / revenue", "%", profit="1", revenue="8") == "0.125 %"


@pytest.mark.parametrize(
    "text", ["price * rate / 100", "price / 100 * rate", "price * rate %", "rate * price * (1 / 100)", "rate % * price"]
)
def test_formulas_with_a_hundred_count_percent_in_hundredths(text):
    assert come_to(text, price="80", rate="20 %") == "16"


def test_a_result_in_percent_may_be_worked_out_in_hundredths():
    assert come_to("profit / revenue * 100", "%", profit="1", revenue="8") == "0.125 %"
    assert come_to("profit / revenue * 100 %", "%", profit="1", revenue="8") == "0.125 %"


def test_a_hundred_is_a_number_where_there_are_no_percent():
    assert come_to("fuel / distance * 100", fuel="30 L", distance="500 km") == "6"


# -- units


def test_results_have_units():
    assert come_to("assets / debts", assets="6 €", debts="3 €") == "2"
    assert come_to("profit / units", profit="6 €", units="3") == "2 €"
    assert come_to("wage * hours", wage="6 €", hours="3 h") == "18 €"
    assert come_to("side^2", side="6 m") == "36"
    assert come_to("2 * (a + b)", a="6 m", b="3 m") == "18 m"
    assert come_to("distance / time", distance="100 km", time="4 h") == "25"
    assert come_to("a + b", a="6 €", b="3 km") == "9 €"
    assert come_to("a * b", "J", a="6 N", b="3 m") == "18 J"
    assert come_to("start + days", start="739678 date", days="10") == "739688 date"
    assert come_to("end - start", end="739688 date", start="739678 date") == "10"


def test_what_has_no_value_says_why():
    with pytest.raises(ArithmeticError, match="divided by 0"):
        value_of(bound("a / b", a="1", b="0"))


def test_steps_are_written_with_numbers():
    assert put_in(bound("a * (1 - b)", a="-5", b="20 %")) == "-5 * (1 - 20 %)"
    assert put_in(bound("start + days", start="739678 date", days="10")) == "2026-03-03 + 10"


@pytest.mark.parametrize(("text", "yes"), [("a / b", True), ("a / b * 100", True), ("-(a / b)", True), ("a / b + 1", False)])
def test_ratios_are_what_is_divided_last(text, yes):
    assert is_ratio(parse(text)) is yes
