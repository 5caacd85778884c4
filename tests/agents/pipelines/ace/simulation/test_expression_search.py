from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agents.models.simulated.reading.expression import Name, Operation, typed, value_of
from agents.pipelines.ace.simulation.search.expression_search import Given, Target, search

SMALL = (("1", "+-"), ("2", "*^"), ("0.5", "*"), ("100", "*/"))


def found(value: float, *, slack: float = 0.005, constants=SMALL, **given_: str) -> list[str]:
    quantities = [Given(name, float(text)) for name, text in given_.items()]
    return [typed(one) for one in search(quantities, Target(value, slack), constants)]


@pytest.mark.parametrize(
    ("value", "quantities", "expression"),
    [
        (1.5, {"assets": "120", "debts": "80"}, "assets / debts"),
        (40, {"revenue": "120", "costs": "80"}, "revenue - costs"),
        (1333.33, {"fixed": "20000", "price": "40", "cost": "25"}, "fixed / (price - cost)"),
        (595, {"net": "500", "rate": "0.19"}, "net * (1 + rate)"),
        (6337.5, {"mass": "75", "speed": "13"}, "0.5 * mass * speed^2"),
        (1895.55, {"principal": "1500", "rate": "0.034", "years": "7"}, "principal * (1 + rate)^years"),
        (22, {"length": "4", "width": "7"}, "2 * (length + width)"),
        (8.9, {"fuel": "44.5", "distance": "500"}, "100 * fuel / distance"),
        (0.25, {"old": "80", "new": "100"}, "new / old - 1"),
        (739688, {"start": "739678", "days": "10"}, "start + days"),
        (49, {"side": "7"}, "side^2"),
    ],
)
def test_the_simplest_expression_is_found(value, quantities, expression):
    assert found(value, **quantities) == [expression]


def test_a_constant_is_used_only_if_it_is_given():
    assert found(6337.5, constants=(), mass="75", speed="13") == []
    assert found(28.2743, constants=SMALL, radius="3") == []
    assert found(28.2743, constants=(*SMALL, ("pi", "*")), radius="3") == ["pi * radius^2"]


@pytest.mark.parametrize(
    "value", [3.7 * 12.1 + 55 * 7.3 - 19, (3.7 + 12.1) * (55 - 7.3) / 19, (3.7 - 12.1 / 55) * (7.3 + 19)]
)
def test_larger_expressions_are_met_from_both_ends(value):
    assert found(value, slack=1e-6, a="3.7", b="12.1", c="55", d="7.3", e="19")


def test_every_quantity_is_used():
    assert found(41, a="6", b="3", c="23") == ["c + a * b"]
    assert found(2, constants=(), prices="7", costs="5", taxes="31") == []


def test_only_what_fits_is_given():
    quantities = [Given("a", 2.0), Given("b", 2.0001)]

    assert {typed(one) for one in search(quantities, Target(4.0, 0.005))} == {"a + b", "a * b", "b^a", "a^b"}
    only = search(quantities, Target(4.0, 0.005), (), lambda expression: "*" in typed(expression))
    assert [typed(one) for one in only] == ["a * b"]


def test_nothing_is_found_where_there_is_nothing():
    assert found(99.123, x="4", y="5") == []
    assert search([], Target(5, 0.005)) == []
    assert search([Given(name, 3.0) for name in "abcdefg"], Target(21, 0.005)) == []


SIGNS = st.sampled_from("+-*/")
SUMS = st.permutations([Name("a"), Name("b"), Name("c")]).flatmap(
    lambda names: (
        st.builds(Operation, SIGNS, st.just(names[0]), st.builds(Operation, SIGNS, *map(st.just, names[1:])))
        | st.builds(Operation, SIGNS, st.builds(Operation, SIGNS, *map(st.just, names[1:])), st.just(names[0]))
    )
)
GIVEN = {"a": Fraction("7.25"), "b": Fraction("13.5"), "c": Fraction("101.75")}


@settings(max_examples=150, deadline=None)
@given(SUMS)
def test_every_small_expression_over_the_quantities_is_found(expression):
    value = float(value_of(expression, GIVEN))
    assume(abs(value) > 1e-6)

    results = search([Given(name, float(number)) for name, number in GIVEN.items()], Target(value, 1e-9))

    assert results
    for one in results:
        assert math.isclose(float(value_of(one, GIVEN)), value, rel_tol=1e-6)
