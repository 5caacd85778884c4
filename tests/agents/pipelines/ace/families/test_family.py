from __future__ import annotations

from string import Formatter

import pytest

from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import names_in
from agents.pipelines.ace.families.family import Range, read_families, read_house_rules, read_lots
from agents.pipelines.ace.families.questions import FAMILIES, SETS
from agents.pipelines.ace.simulation.lessons.house_rules import KINDS


def fields(question: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(question) if field is not None}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_formula_and_questions_have_the_quantities_that_are_drawn(family):
    assert family.answer in KINDS
    assert {frozenset(names_in(parse(family.formula))), *(frozenset(fields(one)) for one in family.questions)} == {
        frozenset(family.given)
    }
    assert all(one.low <= one.high and one.step > 0 for one in family.given.values())


def test_lots_have_the_values_that_are_drawn():
    for lot in read_lots("free.toml"):
        assert fields(lot.question) == set(lot.given)
        assert lot.answers
        assert all(one.low < one.high if isinstance(one, Range) else one for one in lot.given.values())


def test_every_kind_of_answer_has_a_house_rule():
    assert {family.answer for file in SETS for family in read_families(file)} <= read_house_rules("house_rules.toml").keys()
