"""Which bullets a query gets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.ace.refine.retrieval import choose
from tests.agents.ace.bullets import playbooks, texts
from tests.agents.ace.refine.test_similarity import by_first_letter

FORMULAS = "FORMULAS"
QUESTION = "A firm has current assets of 120 and current liabilities of 80. What is the current ratio?"


def book(*found: tuple[str, str] | StoredBullet) -> Playbook:
    made = (each if isinstance(each, StoredBullet) else StoredBullet("", *each) for each in found)
    return Playbook(bullet._replace(id=f"a-{number:05d}") for number, bullet in enumerate(made, start=1))


LARGE = book(
    (FORMULAS, "speed = distance / time"),
    (FORMULAS, "current ratio = current assets / current liabilities"),
    (FORMULAS, "gross margin = gross profit / revenue"),
    (FORMULAS, "cash ratio = cash / current liabilities"),
    ("HOUSE RULES", "Write money with 2 decimals."),
    StoredBullet("", FORMULAS, "current ratio = current liabilities / current assets", archived=True),
)


def test_what_a_query_is_about_comes_first():
    assert choose(LARGE, QUESTION, 3) == ["a-00005", "a-00002", "a-00004"]
    assert choose(LARGE, "How much is the gross margin?", 2) == ["a-00005", "a-00003"]


@pytest.mark.parametrize("k", [0, 5, 6, 100])
def test_a_playbook_that_is_not_larger_is_given_whole(k: int):
    assert choose(LARGE, QUESTION, k) == [bullet.id for bullet in LARGE.active]


def test_house_rules_come_along_but_no_more_than_asked_for():
    rules = [("House Rules", f"Write {what} with 2 decimals.") for what in ("money", "rates", "speeds")]
    found = book((FORMULAS, "speed = distance / time"), *rules)
    assert choose(found, "What is the speed?", 2) == ["a-00004", "a-00002"]


def test_the_name_of_a_section_counts():
    found = book(("CHEMISTRY", "Balance both sides."), ("COOKING", "Taste it."), ("DRIVING", "Look twice."))
    assert choose(found, "a question of cooking", 1) == ["a-00002"]


def test_numbers_of_a_question_are_its_own():
    found = book(("A", "speed = distance / time; e.g. 120 and 80 give 1.5"), ("A", "ratio = assets / debts"))
    assert choose(found, "What is the ratio of 120 to 80?", 1) == ["a-00002"]


def test_where_nothing_fits_the_most_helpful_come():
    found = book(
        StoredBullet("", "A", "One.", helpful=1),
        StoredBullet("", "A", "Two."),
        StoredBullet("", "A", "Three.", helpful=4, harmful=1),
    )
    assert choose(found, "???", 2) == ["a-00003", "a-00001"]


def test_ties_go_to_the_more_helpful_then_to_the_older():
    found = book(("A", "Sum."), ("A", "Sum."), StoredBullet("", "A", "Sum.", helpful=1), ("A", "Sum."))
    assert choose(found, "sum", 3) == ["a-00003", "a-00001", "a-00002"]


def test_an_embedder_finds_other_words():
    found = book(("", "zebra"), ("", "quick"), ("", "rapid"), ("", "slow"))
    assert choose(found, "reach it in no time", 1, by_first_letter) == ["a-00003"]
    assert choose(found, "slow reach", 2, by_first_letter) == ["a-00004", "a-00001"]


@given(playbooks(), texts, st.integers(0, 6))
def test_there_are_k_active_bullets_each_once_and_the_rules_first(playbook: Playbook, query: str, k: int):
    active = [bullet.id for bullet in playbook.active]
    chosen = choose(playbook, query, k)
    assert len(chosen) == len(set(chosen)) == (min(k, len(active)) or len(active))
    assert set(chosen) <= set(active)
    assert choose(Playbook(playbook.bullets), query, k) == chosen
