from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agents.pipelines.ace.simulation.expressions.expression import (
    Expression,
    Name,
    Number,
    Operation,
    parts_of,
    work_out,
    write,
)
from agents.pipelines.ace.simulation.expressions.units import NO_UNIT, unit_of_symbol
from agents.pipelines.ace.simulation.search import expression_search as module
from agents.pipelines.ace.simulation.search.expression_search import Depth, Given, Target, depth_of, search


def quantity(name: str, text: str) -> Given:
    number, _, symbol = text.partition(" ")
    return Given(name, float(number), unit_of_symbol(symbol))


def found(
    value: float, *, unit: str | None = None, slack: float = 0.005, reflection_round: int = 2, **given_: str
) -> list[str]:
    quantities = [quantity(name.replace("_", " "), text) for name, text in given_.items()]
    target = Target(value, slack, None if unit is None else unit_of_symbol(unit))
    return [write(one.expression) for one in search(quantities, target, depth_of(reflection_round))]


def best(value: float, **more: object) -> str:
    return found(value, **more)[0]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("value", "quantities", "unit", "expression"),
    [
        (1.5, {"assets": "120 €", "debts": "80 €"}, "", "assets / debts"),
        (40, {"revenue": "120 €", "costs": "80 €"}, "€", "revenue - costs"),
        (1333.33, {"fixed": "20000 €", "price": "40 €", "cost": "25 €"}, "", "fixed / (price - cost)"),
        (595, {"net": "500 €", "rate": "0.19"}, "€", "net * (1 + rate)"),
        (6337.5, {"mass": "75 kg", "speed": "13 m/s"}, "J", "0.5 * mass * speed^2"),
        (1895.55, {"principal": "1500 €", "rate": "0.034", "years": "7"}, "€", "principal * (1 + rate)^years"),
        (22, {"length": "4 m", "width": "7 m"}, "m", "2 * (length + width)"),
        (8.9, {"fuel": "44.5 L", "distance": "500 km"}, "L/100 km", "100 * fuel / distance"),
        (0.25, {"old": "80 €", "new": "100 €"}, "", "new / old - 1"),
        (739688, {"start": "739678 date", "days": "10"}, "date", "start + days"),
    ],
)
def test_the_simplest_expression_comes_first(value, quantities, unit, expression):
    assert best(value, unit=unit, **quantities) == expression


def test_each_round_looks_farther():
    kinetic = {"mass": "75 kg", "speed": "13 m/s"}

    assert found(6337.5, unit="J", reflection_round=1, **kinetic) == []
    assert found(6337.5, unit="J", reflection_round=2, **kinetic)
    assert [depth_of(number).operations for number in (0, 1, 2, 3, 4, 5, 9)] == [2, 2, 3, 4, 4, 5, 5]


@pytest.mark.parametrize(
    "value", [3.7 * 12.1 + 55 * 7.3 - 19, (3.7 + 12.1) * (55 - 7.3) / 19, (3.7 - 12.1 / 55) * (7.3 + 19)]
)
def test_larger_expressions_are_met_from_both_ends(value):
    quantities = {"a": "3.7", "b": "12.1", "c": "55", "d": "7.3", "e": "19"}

    assert found(value, slack=1e-6, reflection_round=2, **quantities) == []
    assert found(value, slack=1e-6, reflection_round=3, **quantities)


def test_what_leaves_something_out_is_more_far_fetched():
    first, *_ = search([quantity("a", "6"), quantity("b", "3"), quantity("c", "0.5")], Target(9, 0.005), depth_of(2))

    assert write(first.expression) == "a * b * c"
    assert first.is_strong


def test_units_decide_as_long_as_they_lead_to_something():
    assert found(60, a="20 km", b="40 h") == ["a + b"]  # nothing better, so without units
    assert best(800, unit="J", force="20 N", path="40 m") == "force * path"
    weak = search([quantity("a", "20 km"), quantity("b", "40 h")], Target(0.5, 0.005, unit_of_symbol("J")), depth_of(1))
    assert not weak[0].is_strong


def test_only_what_fits_is_given():
    quantities = [quantity("a", "2"), quantity("b", "2.0001")]
    looked = search(quantities, Target(4.0, 0.005), depth_of(1), lambda expression: "*" in write(expression))

    assert looked
    assert all("*" in write(one.expression) for one in looked)


def test_the_same_in_other_words_is_given_once():
    assert found(385, a="5", b="7", c="11") == ["a * b * c"]


def test_nothing_is_found_where_there_is_nothing():
    assert found(99.123, x="4", y="5", reflection_round=3) == []
    assert search([], Target(5, 0.005), depth_of(3)) == []


def test_its_time_is_bounded(monkeypatch):
    """The number of looks is what takes time: it ends when they are used up, in the middle of whatever it does."""
    looks = 0
    original = module._inverse

    def counted(*arguments):
        nonlocal looks
        for one in original(*arguments):
            looks += 1
            yield one

    monkeypatch.setattr(module, "_inverse", counted)
    quantities = [Given(name, 3.1 + index * 7.7, NO_UNIT) for index, name in enumerate("abcdefgh")]
    assert search(quantities, Target(123456.789, 1e-7), depth_of(5)) == []
    assert 1000 < looks < module.MOST_STEPS * 1.1


LEAVES = st.sampled_from([Name("a"), Name("b"), Name("c"), Number(Decimal(2))])
SUMS = st.recursive(LEAVES, lambda inner: st.builds(Operation, st.sampled_from("+-*/"), inner, inner), max_leaves=4)
GIVEN = {"a": Decimal("7.25"), "b": Decimal("13.5"), "c": Decimal("101.75")}


def is_usual(expression: Expression) -> bool:
    """Whether each quantity comes once at most, and a number as well, next to a name."""
    leaves = [part for part in parts_of(expression) if isinstance(part, Name | Number)]
    numbers = [leaf for leaf in leaves if isinstance(leaf, Number)]
    return len(set(leaves)) == len(leaves) and not numbers and isinstance(expression, Operation)


@settings(max_examples=150, deadline=None)
@given(SUMS.filter(is_usual))
def test_every_small_expression_over_the_quantities_is_found(expression):
    value = float(work_out(expression, GIVEN))
    assume(abs(value) > 1e-6)
    quantities = [Given(name, float(number), NO_UNIT) for name, number in GIVEN.items()]

    results = search(quantities, Target(value, 1e-9), Depth(3, ()))

    assert results
    for one in results:
        assert math.isclose(float(work_out(one.expression, GIVEN)), value, rel_tol=1e-6)


def test_numbers_alone_are_no_formula():
    results = found(2 * math.pi, a="5", b="7.1", reflection_round=3)

    assert [text for text in results if "a" not in text.split() and "b" not in text.split()] == []
