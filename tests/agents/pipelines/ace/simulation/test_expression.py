from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from agents.pipelines.ace.simulation.expressions.expression import (
    LARGEST,
    Name,
    Negative,
    Number,
    Operation,
    Percent,
    names_in,
    plain,
    work_out,
    write,
)
from agents.pipelines.ace.simulation.expressions.parser import DEEPEST, MOST_TOKENS, number_of, parse


def result(text: str, **values: str) -> str:
    return plain(work_out(parse(text), {name.replace("_", " "): Decimal(value) for name, value in values.items()}))


# -- reading


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("current assets / current liabilities", "current assets / current liabilities"),
        ("a÷b", "a / b"),
        ("a × b · c", "a * b * c"),
        ("a − b – c", "a - b - c"),
        ("[a + b] * c", "(a + b) * c"),
        ("0.5 × mass × speed²", "0.5 * mass * speed^2"),
        ("side ** 3", "side^3"),
        ("2 (length + width)", "2 * (length + width)"),
        ("0.5 mass", "0.5 * mass"),
        ("a divided by b times c", "a / b * c"),
        ("a x b", "a * b"),
        ("x / y", "x / y"),
        ("a plus b minus c", "a + b - c"),
        ("price * (1 - 20 %)", "price * (1 - 20 %)"),
        ("20 per cent of price", "20 % * price"),
        ("5 percent * a", "5 % * a"),
        ("€1,200 + a", "1200 + a"),
        ("π * radius^2", "pi * radius^2"),
        ("-(a + b) * 3", "-(a + b) * 3"),
        ("a ^ -2", "a^-2"),
        ("a - (b - c)", "a - (b - c)"),
        ("a - b - c", "a - b - c"),
        ("break-even units + 1", "break-even units + 1"),
        ("price  per\tunit", "price per unit"),
        ("0,5 * a", "0.5 * a"),
    ],
)
def test_expressions_are_read_as_people_write_them(text, written):
    assert write(parse(text)) == written


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "a +",
        "* a",
        "(a",
        "a)",
        "a + (b",
        "()",
        "a = b",
        "a; b",
        "{a}",
        "a ½ b",
        "1 2",
        "__import__('os')",
        "a & b",
        "½",
    ],
)
def test_what_is_no_expression_is_refused(text):
    with pytest.raises(ValueError, match=r"\w"):
        parse(text)


def test_what_is_too_long_or_too_deep_is_refused():
    assert parse("(" * DEEPEST + "a" + ")" * DEEPEST) == Name("a")
    with pytest.raises(ValueError, match="brackets"):
        parse("(" * (DEEPEST + 1) + "a" + ")" * (DEEPEST + 1))
    with pytest.raises(ValueError, match=f"more than {MOST_TOKENS}"):
        parse("+".join("a" * MOST_TOKENS))


def test_a_hyphen_is_part_of_a_word_or_a_minus():
    assert parse("revenue-costs") == Name("revenue-costs")
    assert parse("revenue-costs", hyphens=False) == Operation("-", Name("revenue"), Name("costs"))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,200", "1200"),
        ("12,5", "12.5"),
        ("12.50", "12.50"),
        ("1,234,567.8", "1234567.8"),
        ("0,125", "0.125"),
        ("1’000", "1000"),
    ],
)
def test_digits_are_read_as_people_write_them(text, number):
    assert number_of(text) == Decimal(number)


def depth(expression: object) -> int:
    inner = [getattr(expression, name) for name in ("of", "left", "right") if hasattr(expression, name)]
    return 1 + max(map(depth, inner), default=0)


def outcome(text: str) -> str:
    """The value of a text, or why it has none."""
    try:
        expression = parse(text)
        value = work_out(expression, dict.fromkeys(names_in(expression), Decimal(7)))
    except (ValueError, ArithmeticError) as refusal:
        return str(refusal)
    return plain(value) if value.is_finite() and abs(value) <= LARGEST else ""


NUMBERS = st.decimals(min_value=0, max_value=9999, places=2).map(lambda value: Number(abs(value.normalize())))
WORDS = st.sampled_from(["price", "cost", "VAT rate", "units sold", "break-even point"]).map(Name)
EXPRESSIONS = st.recursive(
    NUMBERS | WORDS,
    lambda inner: (
        st.builds(Operation, st.sampled_from("+-*/^"), inner, inner) | st.builds(Percent, inner) | st.builds(Negative, inner)
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS)
def test_what_is_written_is_read_as_the_same(expression):
    assume(depth(expression) <= DEEPEST)  # deeper than a person writes is refused

    assert parse(write(expression)) == expression


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab1. ,+-*/^()%²πx²\n", max_size=60) | st.text(max_size=60))
@example("-" * 5000)
@example("(" * 5000)
@example("a^" * 5000)
@example("1" + "%" * 190)
@example("9" * 5000)
@example("10^10^10^10")
def test_any_text_comes_to_a_number_or_a_reason(text):
    assert outcome(text)


# -- working out


@pytest.mark.parametrize(
    ("text", "values", "value"),
    [
        ("1 + 2 * 3", {}, "7"),
        ("(1 + 2) * 3", {}, "9"),
        ("10 - 4 - 3", {}, "3"),
        ("24 / 4 / 3", {}, "2"),
        ("2 ^ 3 ^ 2", {}, "512"),
        ("-2 ^ 2", {}, "-4"),
        ("50 %", {}, "0.5"),
        ("0.1 + 0.2", {}, "0.3"),
        ("a / b", {"a": "3", "b": "4"}, "0.75"),
        ("net price * (1 + VAT rate)", {"net_price": "100", "VAT_rate": "0.19"}, "119"),
    ],
)
def test_expressions_are_worked_out(text, values, value):
    assert result(text, **values) == value


@pytest.mark.parametrize(
    ("text", "values", "reason"),
    [
        ("a / b", {"a": "5", "b": "0"}, "5 cannot be divided by 0"),
        ("1 / (a - a)", {"a": "3"}, "1 cannot be divided by 0"),
        ("a + b", {"a": "5"}, "Nothing says how much b is"),
        ("10 ^ 19", {}, "is more than"),
        ("2 ^ 500", {}, "too large an exponent"),
        ("0 ^ -1", {}, "cannot be raised"),
        ("(0 - 2) ^ 0.5", {}, "has no value"),
        ("9999999999999999999 * 1", {}, "is more than"),
    ],
)
def test_what_has_no_value_says_why(text, values, reason):
    with pytest.raises(ArithmeticError, match=reason):
        result(text, **values)


def test_names_come_once_and_in_order_and_pi_needs_no_value():
    assert names_in(parse("b * a + pi * b")) == ("b", "a")
    assert result("2 * pi") == "6.28318530717958647692"
