from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agents.pipelines.ace.families import FAMILIES, draw_question
from agents.pipelines.ace.simulation.reading.question import read
from agents.pipelines.ace.simulation.sentences.english import content_words, key_of


def given_in(text: str) -> dict[str, str]:
    return {one.name: one.amount.text for one in read(text).quantities}


@pytest.mark.parametrize(
    ("text", "quantities", "asked"),
    [
        (
            "A bakery has current assets of 1,200 and current liabilities of €800. What is the current ratio?",
            {"current assets": "1,200", "current liabilities": "€800"},
            "current ratio",
        ),
        (
            "What is the current ratio if current assets are 120 and current liabilities are 80?",
            {"current assets": "120", "current liabilities": "80"},
            "current ratio",
        ),
        (
            "A firm reports a cost of goods sold of 30 € in 2024. Work out the gross profit of the firm, please.",
            {"cost of goods sold": "30 €"},
            "gross profit",
        ),
        ("Revenue: 120\nCosts: 80\nProfit?", {"revenue": "120", "costs": "80"}, "profit"),
        ("revenue = 120, costs = 80. profit?", {"revenue": "120", "costs": "80"}, "profit"),
        (
            "Find the return on equity as a percentage: equity 400, net income 50.",
            {"equity": "400", "net income": "50"},
            "return on equity",
        ),
        ("A car travels 120 km in 2 h. What is its speed?", {"distance": "120 km", "time": "2 h"}, "speed"),
        ("How fast am I if I drive 150 km in 2 hours?", {"distance": "150 km", "time": "2 hours"}, "speed"),
        ("A room is 4 m long and 3 m wide. What is its area?", {"length": "4 m", "width": "3 m"}, "area"),
        (
            "A coat costs 80 € with a 20 % discount. How much is the new price?",
            {"amount": "80 €", "discount": "20 %"},
            "new price",
        ),
        ("Sales rose from 80 to 100. What is the growth?", {"first number": "80", "second number": "100"}, "growth"),
        ("The mass is 5 kg. The mass is 5 kg. What is the weight?", {"mass": "5 kg"}, "weight"),
        ("The length of the pipe is 3 m. What's the pipe's volume?", {"length": "3 m"}, "volume"),
        (
            "With a start date of 3 May 2026 and 10 days, what is the end date?",
            {"start date": "3 May 2026", "days": "10"},
            "end date",
        ),
        (
            "It starts on 3 May 2026 and takes 10 days; on which date does it end?",
            {"start date": "3 May 2026", "days": "10"},
            "end date",
        ),
        ("An invoice is dated 2026-05-03. When is it due?", {"invoice date": "2026-05-03"}, "due date"),
        ("How many kilometres does a bus cover in 2 h at 50 km/h?", {"time": "2 h", "speed": "50 km/h"}, "distance"),
        ("The VAT rate is 19 %. How high is the tax in the end?", {"VAT rate": "19 %"}, "tax"),
        (
            "Fixed costs amount to 12,000 €. How many break-even units are there?",
            {"fixed costs": "12,000 €"},
            "break-even units",
        ),
        ("Who has the key?", {}, "who has the key"),
        ("Hello", {}, ""),
        ("", {}, ""),
    ],
)
def test_quantities_and_what_is_asked_for_are_read(text, quantities, asked):
    assert given_in(text) == quantities
    assert read(text).asked == asked


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("What is the margin in percent if a is 3?", "%"),
        ("Give the margin as a percentage if a is 3.", "%"),
        ("What is the speed in km/h if a is 3?", "km/h"),
        ("How large is the energy in joules if a is 3?", "J"),
        ("How many euros does it come to if a is 3?", "€"),
        ("What is the use in L/100 km if a is 3?", "L/100 km"),
        ("What is the number of cats in town if a is 3?", ""),
    ],
)
def test_the_unit_asked_for_is_read(text, symbol):
    assert read(text).symbol == symbol


def test_counts_are_told_from_amounts():
    assert read("How many boxes are needed if a is 3?").counts
    assert not read("How much is the price if a is 3?").counts


def test_a_free_question_gives_nothing_to_work_with():
    assert not read("When does the office open?").can_be_worked_out
    assert read("What is the price if a is 3?").can_be_worked_out


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_way_to_ask_gives_the_same_names(family):
    rng = random.Random(7)
    for way in family.questions:
        reading = read(draw_question(family._replace(questions=[way]), rng).text)
        assert {key_of(one.name) for one in reading.quantities} == {key_of(name) for name in family.given}
        assert key_of(reading.asked) == key_of(family.name)


def test_names_are_compared_without_case_articles_and_plural():
    assert key_of("The Current Assets") == key_of("current asset")
    assert key_of("companies") == key_of("company")
    assert key_of("gross") == "gross"
    assert key_of("price per unit") != key_of("unit price")


def test_words_that_say_nothing_do_not_count():
    assert content_words("When is the office open?") == {"when", "office", "open"} - {"when"}


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=400)
    | st.lists(st.sampled_from(["of", "the", "12", "€5", "is", "What", "?", "per", "3 km", ","])).map(" ".join)
)
@example("1 " * 5000)
@example("of the " * 2000)
@example("what is " * 1000)
def test_any_text_is_read(text):
    reading = read(text)

    assert len({key_of(one.name) for one in reading.quantities}) == len(reading.quantities)
    assert all(one.name for one in reading.quantities)
