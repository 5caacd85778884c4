"""What is never merged without a yes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.ace.refine.disagreement import Reading, disagrees, says_all
from tests.agents.ace.bullets import texts


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Round the result", "Do not round the result", "Only one of them has this negation: “not round”."),
        ("Always round", "Never round", "Only one of them has this negation: “not round”."),
        ("Do not round; truncate", "Round; do not truncate", "They differ in a negation: “not round” and “not truncate”."),
        ("Das Ergebnis runden", "Das Ergebnis nicht runden", "Only one of them has this negation: “not runden”."),
        ("Arrondir le total", "Ne pas arrondir le total", "Only one of them has this negation: “not arrondir”."),
        ("四舍五入", "不四舍五入", "Only one of them has this negation: “not 四”."),
        ("Use 2 decimals", "Use 3 decimals", "They differ in a number: “2” and “3”."),
        ("Use two decimals", "Use 3 decimals", "They differ in a number: “two” and “3”."),
        ("Sales of Q3", "Sales of Q4", "They differ in a number: “q3” and “q4”."),
        ("about 5 mW", "about 5 MW", "They differ in a number: “5 mW” and “5 MW”."),
        ("Add 5 % for tax", "Add 5 for tax", "They differ in a number: “5 %” and “5”."),
        ("costs 5 or 6", "costs 6 or 5", "They say the same in another order, which may mean something else."),
        ("an increase of sales", "a decrease of sales", "They differ in a direction: “increase” and “decrease”."),
        ("Convert before adding", "Convert after adding", "They differ in a direction: “before” and “after”."),
        ("the maximum load", "the minimum load", "They differ in a direction: “maximum” and “minimum”."),
        ("sum in metres", "sum in miles", "They differ in a direction: “metres” and “miles”."),
        ("x = a / b", "x = b / a", "They differ in a formula: “x = a / b” and “x = b / a”."),
        ("Take a / b", "Take b / a", "They differ in a formula: “a / b” and “b / a”."),
        ("x = (a + b) / c", "x = a + b / c", "They differ in a formula: “x = ( a + b ) / c” and “x = a + b / c”."),
        ("x = a / b", "x = a / total b", "They differ in a formula: “x = a / b” and “x = a / total b”."),
        ("x = a - b", "x = a - b - c", "They differ in a formula: “x = a - b” and “x = a - b - c”."),
        ("Call spotify first", "Call venmo first", "Where one says “spotify” the other says “venmo”."),
        ("increase it by much", "increase it to much", "Where one says “by” the other says “to”."),
        ("dogs bite men", "men bite dogs", "They say the same in another order, which may mean something else."),
    ],
)
def test_small_differences_that_are_other_statements(one: str, other: str, why: str):
    assert disagrees(one, other) == why


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Compare the units before dividing.", "Always compare units before dividing!"),
        ("Do not round yet", "Don't round yet"),
        ("Use two decimals", "Use 2 decimals"),
        ("Sum assets in the year", "Sum assets on that year"),
        ("comparing units helps", "compare units helps"),
        ("**Current ratio** = assets / debts.", "current  ratio = assets / debts"),
        ("1,000 units", "1000 units"),
    ],
)
def test_what_says_the_same_or_more_agrees(one: str, other: str):
    assert disagrees(one, other) is None


def test_found_by_sense_other_words_may_say_the_same():
    one, other = "Check every unit prior to a division.", "Before you divide, look at what things are measured in."
    assert disagrees(one, other) is not None
    assert disagrees("Verify all units carefully first", "Make sure that measures fit", by_sense=True) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Call spotify to list the songs", "Call venmo to list the songs"),
        ("Round what you find", "Never shorten a figure"),
        ("Give 2 places", "Show figures with 3 digits behind the point"),
    ],
)
def test_found_by_sense_what_differs_in_the_point_still_disagrees(one: str, other: str):
    assert disagrees(one, other, by_sense=True) is not None


@given(texts, texts, st.booleans())
def test_which_is_which_makes_no_difference(one: str, other: str, by_sense: bool):
    there, back = disagrees(one, other, by_sense=by_sense), disagrees(other, one, by_sense=by_sense)
    assert (there is None) == (back is None)


@given(texts)
def test_nothing_disagrees_with_itself(text: str):
    assert disagrees(text, text) is None
    assert disagrees(text, text, by_sense=True) is None


@given(st.integers(0, 10**6), st.integers(0, 10**6), texts)
def test_other_numbers_always_disagree(one: int, other: int, text: str):
    same = disagrees(f"{text} take {one} of them", f"{text} take {other} of them") is None
    assert same == (one == other)


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_more_words_say_all_that_was_said(before: list[str], said: list[str], after: list[str]):
    assert says_all([*before, *said, *after], said)
    assert says_all(said, [*before, *said, *after]) == (not before and not after)


def test_a_text_is_read_once():
    reading = Reading("Use 2 decimals")
    assert reading.claims is reading.claims
    assert reading.content is reading.content
