from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice

import pytest

from agents.ace.roles.feedback import split_message
from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import names_in
from agents.pipelines.ace.families import FAMILIES, FREE_FAMILY, HOUSE, Question, as_message, draw_questions, is_right, names
from agents.pipelines.ace.simulation.expressions.amounts import amount_of


def question(rule: str | None = None) -> Question:
    return Question("", "", "", rule)


def test_the_bank_has_enough_formulas_of_finance_and_physics():
    assert len(FAMILIES) >= 24
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)
    assert {"current ratio", "simple interest", "break-even units", "speed", "kinetic energy", "voltage", "end date"} <= set(
        names()
    )


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_family_has_ways_to_ask_for_all_that_its_formula_needs(family):
    assert set(names_in(parse(family.formula))) == set(family.given)
    assert len(family.questions) >= 2
    for way in family.questions:
        assert set(re.findall(r"\{([^}]+)\}", way)) == set(family.given)
    assert family.answer in HOUSE


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_numbers_are_drawn_so_that_they_show_something(family):
    for one in draw_questions(3, 40, [family.name]):
        answer = amount_of(one.answer)
        assert answer is not None
        assert answer.value > 0
        assert one.answer not in one.text
        assert one.family == family.name
        assert one.rule == (family.answer if family.exact else None)


def test_the_same_seed_gives_the_same_questions():
    assert list(draw_questions(5, 60)) == list(draw_questions(5, 60))
    assert list(draw_questions(5, 60)) != list(draw_questions(6, 60))
    assert list(islice(draw_questions(5, 60), 10)) == list(draw_questions(5, 10))


def test_every_kind_comes_before_one_comes_again():
    asked = [one.family for one in draw_questions(1, len(FAMILIES) * 2, [family.name for family in FAMILIES])]

    assert set(asked[: len(FAMILIES)]) == set(asked[len(FAMILIES) :]) == {family.name for family in FAMILIES}
    assert asked[: len(FAMILIES)] != asked[len(FAMILIES) :]


def test_some_questions_can_never_be_learned_and_say_so():
    asked = list(draw_questions(1, 400))
    free = [one for one in asked if not one.learnable]

    assert {one.family for one in free} == {FREE_FAMILY}
    assert 5 < len(free) < 50
    assert all(one.learnable is (one.family != FREE_FAMILY) for one in asked)
    assert all(one.family == FREE_FAMILY for one in draw_questions(1, 5, [FREE_FAMILY]))


def test_an_unknown_family_is_refused():
    with pytest.raises(ValueError, match="no family alchemy"):
        next(draw_questions(1, 1, ["alchemy"]))


def test_a_message_is_split_into_what_it_was_made_of():
    for one in draw_questions(2, 60):
        assert split_message(as_message(one)) == (one.text, one.answer, None)


@pytest.mark.parametrize(
    ("family", "pattern"),
    [
        ("gross profit", r"[€$£]\d{1,3}(,\d{3})*\.\d\d"),
        ("profit margin", r"\d+\.\d%"),
        ("current ratio", r"\d+\.\d\d"),
        ("break-even units", r"\d{1,3}(,\d{3})*"),
        ("speed", r"\d+\.\d\d km/h"),
        ("end date", r"20\d\d-\d\d-\d\d"),
    ],
)
def test_answers_are_written_by_the_house_rules(family, pattern):
    for one in draw_questions(4, 20, [family]):
        assert re.fullmatch(pattern, one.answer)


def test_answers_are_right():
    """Worked out here once more, in another way."""
    for one in draw_questions(9, 30, ["final balance"]):
        principal, rate, years = sorted(
            (float(text.replace(",", "")) for text in re.findall(r"[\d,.]*\d", one.text)), reverse=True
        )
        numbers = [(rate, years), (years, rate)]
        answers = [principal * (1 + part / 100) ** times for part, times in numbers]
        told = amount_of(one.answer)
        assert told is not None
        assert any(abs(Fraction(str(answer)) - told.value) < Fraction("0.006") for answer in answers)


# -- scoring


@pytest.mark.parametrize(
    ("answer", "truth", "expected"),
    [
        ("€1,234.50", "€1,234.50", True),
        (" €1,234.50. ", "€1,234.50", True),
        ("1234.5", "€1,234.50", False),
        ("€1234.50", "€1,234.50", False),
        ("€1,234.51", "€1,234.50", False),
        ("2026-03-13", "2026-03-13", True),
        ("13 March 2026", "2026-03-13", False),
    ],
)
def test_with_a_rule_only_the_exact_form_counts(answer, truth, expected):
    assert is_right(answer, truth, question("money")) is expected


@pytest.mark.parametrize(
    ("answer", "truth", "expected"),
    [
        ("1234.5", "€1,234.50", True),
        ("€1,235.00", "€1,234.50", True),
        ("1237", "€1,234.50", False),
        ("$1,234.50", "€1,234.50", True),
        ("12.5", "12.5%", True),
        ("0.125", "12.5%", True),
        ("125", "12.5%", False),
        ("13 March 2026", "2026-03-13", True),
        ("14 March 2026", "2026-03-13", False),
        ("739688", "2026-03-13", False),
        ("66.6667", "66.67 km/h", True),
        ("66.67 km/h", "66.67 km/h", True),
        ("I do not know.", "1.50", False),
        ("", "1.50", False),
    ],
)
def test_without_a_rule_the_number_is_enough(answer, truth, expected):
    assert is_right(answer, truth, question()) is expected


def test_free_questions_need_the_same_words():
    assert is_right("heads", "Heads", question())
    assert not is_right("tails", "Heads", question())
