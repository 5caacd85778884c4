from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agents.models.simulated.reading.arithmetic import expression_at, parse
from agents.models.simulated.reading.expression import (
    FUNCTIONS,
    Call,
    Expression,
    Name,
    Negative,
    Number,
    Operation,
    Percent,
    equals,
    names_in,
    number,
    operands,
    parts_of,
    plain,
    typed,
    value_of,
    with_names,
    with_operands,
    write,
)
from agents.models.simulated.reading.kinds import Message, sums
from agents.models.simulated.reading.tokens import tokens_of
from tests.architecture.growth import first_steep
from tests.architecture.hostile_text import Attack


@pytest.mark.parametrize(
    ("text", "written", "value"),
    [
        ("(3+4)*(5-2)^2", "(3 + 4) × (5 − 2)^2", "63"),
        ("2(3+4)", "2 × (3 + 4)", "14"),
        ("(1 + 2)(3 + 4)", "(1 + 2) × (3 + 4)", "21"),
        ("2 pi", "2 × pi", "6.28318530718"),
        ("10 - 4 - 3", "10 − 4 − 3", "3"),
        ("10 - (4 - 3)", "10 − (4 − 3)", "9"),
        ("2**3**2", "2^3^2", "512"),
        ("(2^3)^2", "(2^3)^2", "64"),
        ("-2^2", "-2^2", "-4"),
        ("2^-3", "2^-3", "0.125"),
        ("0.1 + 0.2", "0.1 + 0.2", "0.3"),
        ("1/3*3", "1 ÷ 3 × 3", "1"),
        ("15 % of 240", "15 % × 240", "36"),
        ("20 per cent of (30 + 10)", "20 % × (30 + 10)", "8"),
        ("5² + 2³", "5^2 + 2^3", "33"),
        ("sqrt(16) + √9", "sqrt(16) + sqrt(9)", "7"),
        ("the square root of 2", "sqrt(2)", "1.414213562373"),
        ("max(3,7,12) - min(4, 2 + 1)", "max(3, 7, 12) − min(4, 2 + 1)", "9"),
        ("round(2.5) + round(3.14159, 2) + abs(-1)", "round(2.5) + round(3.14159, 2) + abs(-1)", "7.14"),
        ("log(1000) + floor(1.7) + ceil(1.2)", "log(1000) + floor(1.7) + ceil(1.2)", "6"),
        ("17 mod 5", "17 mod 5", "2"),
        ("half of 60", "60 ÷ 2", "30"),
        ("twenty-five times four", "25 × 4", "100"),
        ("1,200 * 3.125", "1200 × 3.125", "3750"),
        ("12 divided by 4 plus 1", "12 ÷ 4 + 1", "4"),
        ("１２×（３＋４）", "12 × (3 + 4)", "84"),
        ("五足す三", "5 + 3", "8"),
        ("一百二十减二十", "120 − 20", "100"),
        ("240的15%", "15 % × 240", "36"),
        ("16の平方根 + 1", "sqrt(16) + 1", "5"),
        ("sqrt of 9", "sqrt(9)", "3"),
    ],
)
def test_arithmetic_is_read_whole_and_worked_out_exactly(text, written, value):
    found = parse(text, names=False)

    assert (write(found), plain(value_of(found))) == (written, value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "3 +", "3 + * 4", "(3 + 4", "3 + 4)", "3 4", "10 % 3", "3 $ 4", "3 + apples", "007 + 1", "abs 3", "()", "2x"),
        *("6 / 2 (1 + 2)", "100 + 15 %", "max(3)", "sqrt(2, 3)", "round(2,5)", "(" * 21 + "1" + ")" * 21, "1" + "+1" * 200),
    ],
)
def test_what_is_no_expression_or_several_is_an_error(text):
    with pytest.raises(ValueError, match=r"\."):
        parse(text, names=False)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("9**9**9", "more than 1,000,000,000,000,000"),
        ("2^100", "more than"),
        ("999999999999999 * 2", "999999999999999 × 2 is more than 1,000,000,000,000,000."),
        ("1 / (2 - 2)", "1 cannot be divided by 0."),
        ("7 mod 0", "cannot be divided"),
        ("0^0", "cannot be raised"),
        ("(-8)^(1/3)", "cannot be raised"),
        ("sqrt(-4)", "no square root"),
        ("log(0)", "no logarithm"),
        ("round(2.5, 1.5)", "rounded"),
        ("price * 2", "Nothing says how much price is."),
    ],
)
def test_what_has_no_value_or_too_large_a_one_is_said(text, why):
    with pytest.raises(ArithmeticError, match=why.replace("^", r"\^")):
        value_of(parse(text))


def test_formulas_have_names_of_several_words():
    formula = parse("0.5 mass × top speed² - share of the firm % of half life")

    assert write(formula) == "0.5 × mass × top speed^2 − share of the firm % × half life"
    values = {"mass": Fraction(4), "top speed": Fraction(3), "share of the firm": Fraction(50), "half life": Fraction(6)}
    assert value_of(formula, values) == 15
    assert plain(value_of(parse("100 - 15 %"))) == "99.85", "as in a spreadsheet"


def test_names_keep_their_hyphens_and_their_characters_beside_each_other():
    formula = parse("break-even  units × 流動資産 / x - x x y")

    assert names_in(formula) == ("break-even units", "流動資産", "x", "y")
    assert typed(formula) == "break-even units * 流動資産 / x - x * y"
    assert names_in(parse("one-way fare * 一件衣服原价")) == ("one-way fare", "一件衣服原价")
    assert typed(with_names(formula, lambda name: Name(f"new {name.words}"))).startswith("new break-even units * ")


def test_a_value_that_is_rounded_is_shown_as_such():
    assert [equals(Fraction(one)) for one in ("1/2", "1/3", "-2/3")] == ["= 0.5", "≈ 0.333333333333", "≈ -0.666666666667"]


@pytest.mark.parametrize("text", ["12", "-5", "15 %", "2024-05-12", "12/5/2024", "3 + 5!", "hello"])
def test_a_mere_number_a_date_and_a_factorial_are_no_sum(text):
    assert not list(sums(Message(text, tokens_of(text), "en"), 0))


def test_the_whole_of_a_sum_is_found_before_other_words():
    tokens = tokens_of("what is 3 + 4 * 5 please")

    assert expression_at(tokens, 0) is None
    end, found = expression_at(tokens, 2) or (0, Number(Fraction(0)))
    assert (tokens[end].key, write(found)) == ("please", "3 + 4 × 5")


NUMBERS = st.integers(0, 10**6).map(lambda value: Number(Fraction(value, 100)))
EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.builds(Operation, st.sampled_from(["+", "-", "*", "/", "mod", "^"]), inner, inner),
        st.builds(Negative, inner),
        st.builds(Percent, inner),
        st.builds(lambda one: Call("sqrt", (one,)), inner),
        st.builds(lambda *both: Call("max", both), inner, inner),
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(EXPRESSIONS)
def test_an_expression_is_read_as_it_was_written_and_comes_to_a_bounded_value(expression):
    again = parse(write(expression))
    assert write(again) == write(expression)
    for one in (expression, again):
        try:
            assert abs(value_of(one)) <= 10**15
        except ArithmeticError as error:
            assert len(str(error)) < 500  # noqa: PT017  what is said is as short


@given(EXPRESSIONS)
def test_an_expression_is_its_operands_put_together(expression):
    assert with_operands(expression, operands(expression)) == expression
    assert list(parts_of(expression))[-1] == expression


@given(st.fractions(-1000, 1000, max_denominator=100))
def test_a_value_is_an_expression(value):
    assert value_of(number(value)) == value


@settings(deadline=None)
@given(st.text(alphabet="0123456789.,+-*/^()% xsqrtmax的の加half of", max_size=80))
@example("sqrt(" * 30)
def test_any_text_is_read_or_refused(text):
    found = expression_at(tokens_of(text), 0)
    assert found is None or found[0] <= len(tokens_of(text))


@pytest.mark.parametrize("unit", ["1+", "(", "-", "√", "half of ", "1の", "9", "max(", "1 ", "a "])
def test_arithmetic_is_read_in_linear_time(unit):
    def read(text: str) -> None:
        expression_at(tokens_of(text), 0)

    assert first_steep(read, [Attack("", unit, "")], largest=32_768) is None


def test_every_function_can_be_written():
    assert all(parse(f"{name}(1, 2)" if most > 1 else f"{name}(1)") for name, (_, most) in FUNCTIONS.items())
