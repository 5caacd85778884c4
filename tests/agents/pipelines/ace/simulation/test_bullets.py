from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.ace.roles.guard import have_in_common
from agents.ace.roles.orders import order_in
from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import Name, Operation
from agents.pipelines.ace.simulation.bullets import (
    MOST_EXAMPLES,
    Example,
    Formula,
    example_result,
    example_value,
    lines_in,
    understand,
    write_bullet,
)
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of
from agents.pipelines.ace.simulation.lessons.fact import Fact
from agents.pipelines.ace.simulation.lessons.house_rules import Form, Rule

RATIO = Operation("/", Name("current assets"), Name("current liabilities"))


def formula(content: str) -> Formula:
    found = understand(content)
    assert isinstance(found, Formula)
    return found


# -- lines


def test_the_lines_of_a_prompt_are_read():
    playbook = Playbook(
        [
            StoredBullet("formu-00001", "FORMULAS", "a = b / c", helpful=3, harmful=1),
            StoredBullet("hr-00002", "HOUSE RULES", "Write ratios with 2 decimals."),
            StoredBullet("notes-00003", "NOTES", "two\nlines"),
        ]
    )

    lines = lines_in(playbook.as_prompt())

    assert [(line.id, line.section, line.helpful, line.harmful) for line in lines] == [
        ("formu-00001", "FORMULAS", 3, 1),
        ("hr-00002", "HOUSE RULES", 0, 0),
        ("notes-00003", "NOTES", 0, 0),
    ]
    assert lines[0].content == "a = b / c"


def test_what_is_no_bullet_is_no_line():
    assert lines_in("(0 bullets)\n\nhello\n[x] :: y") == ()


def test_the_better_bullet_is_worth_more_and_of_equal_ones_the_newer():
    text = "\n".join(
        f"[f-{number:05}] helpful={good} harmful={bad} :: x" for number, good, bad in [(1, 2, 2), (2, 1, 0), (3, 0, 0)]
    )
    one, two, three = lines_in(text)

    assert two.worth > three.worth > one.worth


# -- formulas


@pytest.mark.parametrize(
    "content",
    [
        "current ratio = current assets / current liabilities",
        "Current  Ratio=current assets÷current liabilities.",
        "current ratio = current assets / current liabilities; e.g. 120 and 80 give 1.5",
        "current ratio = current assets / current liabilities; only for firms",
        "current ratio = (current assets) divided by current liabilities",
    ],
)
def test_a_formula_is_read_in_whatever_way_it_is_written(content):
    assert formula(content).expression == RATIO
    assert formula(content).name.lower() == "current ratio"


@pytest.mark.parametrize(
    "content",
    ["a = ", "= a / b", "a = 5", "a = a", "a := b", "x1 = y / z", "one = two = three", "if a = b then { c }", "Hello."],
)
def test_what_is_no_formula_is_prose(content):
    assert understand(content) is None


def test_examples_belong_to_names_or_to_the_order_of_names():
    found = formula("tax = income * rate; e.g. income 1,000 and rate 20 % give 200; e.g. 50, 10 % = 5")

    assert found.examples == (
        Example((("income", "1,000"), ("rate", "20 %")), "200"),
        Example((("", "50"), ("", "10 %")), "5"),
    )


def test_a_formula_of_an_older_playbook_that_nobody_confirmed_is_prose():
    assert understand("tax = income + rate; unverified") is None


def test_only_the_newest_examples_are_kept():
    examples = tuple(Example((("a", f"{number}"), ("b", "2")), f"{number}") for number in range(9))
    found = formula(write_bullet(Formula("x", parse("a / b"), examples)))

    assert found.examples == examples[-MOST_EXAMPLES:]


def test_an_example_keeps_its_result_as_it_was_written_and_its_values_without_currency_and_unit():
    assert example_value(Fraction(1200), "€") == "1200"
    assert example_value(Fraction("0.2"), "%") == "20 %"
    assert example_value(Fraction(739678), "date") == "2026-03-03"
    assert [
        example_result(amount) for text in ("€1,234.50", "12.5%", "3 km/h", "3 May 2026") if (amount := amount_of(text))
    ] == [
        "€1,234.50",
        "12.5%",
        "3 km/h",
        "3 May 2026",
    ]
    assert example_result(Amount(Fraction("0.25"), "%", "25")) == "25 %"


NAMES = st.lists(st.sampled_from(["price", "net", "VAT", "rate", "break-even", "unit"]), min_size=1, max_size=3).map(
    " ".join
)
VALUES = st.integers(2, 9999).map(str) | st.integers(1, 99).map(lambda number: f"{number} %")
EXAMPLES = st.builds(Example, st.lists(st.tuples(NAMES, VALUES), min_size=1, max_size=4).map(tuple), VALUES)
FORMULAS = st.builds(
    Formula,
    NAMES,
    st.builds(Operation, st.sampled_from("+-*/"), st.just(Name("total cost")), NAMES.map(Name)),
    st.lists(EXAMPLES, max_size=MOST_EXAMPLES).map(tuple),
)


@settings(deadline=None)
@given(FORMULAS)
def test_a_bullet_is_read_as_it_was_written(knowledge):
    assert understand(write_bullet(knowledge)) == knowledge


# -- notes and rules


def test_notes_and_rules_are_told_apart():
    note = Fact(("Where is the key?", "Where do I find the key?"), "In the drawer")

    assert write_bullet(note) == "Asked: Where is the key? | Where do I find the key? Answer: In the drawer"
    assert understand(write_bullet(note)) == note
    assert understand("Write ratios with 2 decimals.") == Rule("ratios", Form(2))
    assert understand("The office is open from 9 to 5.") is None


def test_what_the_learner_writes_is_let_through_by_the_guard():
    """No bullet of its own passes for an order to a model, and a new text is taken for one about the same thing."""
    old, new = Formula("tax", parse("income + rate")), Formula("tax", parse("income * rate"))
    bullets = [
        old,
        new,
        Rule("money", Form(2, sign="currency", place="front")),
        Fact(("Who reads this?",), "You are now late"),
    ]

    assert [order_in(write_bullet(one)) for one in bullets] == [None] * len(bullets)
    assert have_in_common(write_bullet(old), write_bullet(new))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300) | st.text(alphabet="a=;e.g 12%giveswrt/()", max_size=80))
def test_any_content_is_read(content):
    understand(content)
    lines_in(f"[x-00001] helpful=0 harmful=0 :: {content}")
