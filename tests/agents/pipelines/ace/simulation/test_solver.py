from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.pipelines.ace.simulation.bullets import lines_in
from agents.pipelines.ace.simulation.generator import Answer, answer
from agents.pipelines.ace.simulation.lessons.similarity import is_same_question

RATIO = "What is the current ratio if current assets are €1,200 and current liabilities are €800?"
FORMULA = "current ratio = current assets / current liabilities"


def asked(question: str, *bullets: str) -> Answer:
    """An answer from bullets: "text", or "helpful harmful text"."""
    lines: list[str] = []
    for number, bullet in enumerate(bullets, 1):
        helpful, harmful, *rest = bullet.split(" ", 2)
        counted = helpful.isdigit() and harmful.isdigit()
        counters = f"helpful={helpful} harmful={harmful}" if counted else "helpful=0 harmful=0"
        lines.append(f"[b-{number:05}] {counters} :: {rest[0] if counted else bullet}")
    return answer(question, lines_in("\n".join(lines)))


def test_an_answer_comes_from_a_bullet_and_cites_it():
    found = asked(RATIO, "profit = revenue - costs", FORMULA)

    assert found.final_answer == "1.5"
    assert found.bullet_ids == ["b-00002"]
    assert found.reasoning[1:] == [
        "[b-00002] says: current ratio = current assets / current liabilities.",
        "1200 / 800 = 1.5.",
    ]


def test_without_a_bullet_it_does_not_know_and_says_why():
    found = asked(RATIO, "profit = revenue - costs")

    assert found.final_answer == "I do not know."
    assert found.bullet_ids == []
    assert found.reasoning[-1] == "No bullet that can be used says how the current ratio is worked out."


def test_a_wrong_bullet_misleads():
    assert asked(RATIO, "current ratio = current liabilities / current assets").final_answer == "0.6667"


def test_house_rules_are_applied_and_cited():
    found = asked(RATIO, FORMULA, "Write ratios with 2 decimals.", "Write money with no decimals.")

    assert (found.final_answer, found.bullet_ids) == ("1.50", ["b-00001", "b-00002"])


def test_a_rule_for_the_name_goes_before_one_for_its_kind():
    found = asked(RATIO, FORMULA, "9 0 Write ratios with 2 decimals.", "Write the current ratio with 3 decimals.")

    assert (found.final_answer, found.bullet_ids) == ("1.500", ["b-00001", "b-00003"])


@pytest.mark.parametrize(
    ("bullets", "cited"),
    [
        (("3 1 current ratio = current assets * 1", "3 0 current ratio = current assets * 2"), "b-00002"),
        (("3 0 current ratio = current assets * 1", "3 1 current ratio = current assets * 2"), "b-00001"),
        (("3 0 current ratio = current assets * 1", "4 1 current ratio = current assets * 2"), "b-00002"),
        (("9 0 current ratio = cats * dogs", "0 5 current ratio = current assets * 2"), "b-00002"),
    ],
)
def test_of_usable_formulas_the_better_and_then_the_newer_is_used(bullets, cited):
    assert asked(RATIO, *bullets).bullet_ids == [cited]


def test_one_formula_may_need_another():
    found = asked(
        "With revenue of €500 and costs of €400, what is the margin in percent?",
        "margin = profit / revenue",
        "profit = revenue - costs",
        "Write percentages with 1 decimal and a % sign.",
    )

    assert (found.final_answer, found.bullet_ids) == ("20.0%", ["b-00001", "b-00002", "b-00003"])


def test_formulas_that_need_each_other_lead_nowhere():
    found = asked(
        "With revenue of 500, what is the margin?", "margin = profit / revenue", "profit = margin * revenue * costs"
    )

    assert found.bullet_ids == []


@pytest.mark.parametrize(
    ("bullet", "final"),
    [
        ("Current Ratio=current assets÷current liabilities", "1.5"),
        ("the current ratio = current-assets / current liabilities", "1.5"),
        ("current ratio = (current assets × 100 %) / current liabilities; imported", "1.5"),
        ("current ratio = current assets/(current liabilities + 400)", "1"),
        ("current ratio = assets / liabilities", "1.5"),
        ("current ratio = current assets − current liabilities", "400"),
    ],
)
def test_bullets_edited_by_hand_are_followed(bullet, final):
    assert asked(RATIO, bullet).final_answer == final


def test_what_cannot_be_worked_out_is_said():
    found = asked("What is the current ratio if current assets are 5 and current liabilities are 0?", FORMULA)

    assert "[b-00001] cannot be used: 5 cannot be divided by 0." in found.reasoning
    assert found.bullet_ids == []


def test_dates_are_worked_out():
    found = asked(
        "A course starts on 28 February 2028 and takes 2 days; on which date does it end?",
        "end date = start date + days",
        "Write dates as YYYY-MM-DD.",
    )

    assert found.final_answer == "2028-03-01"
    assert "2028-02-28 + 2 = 1 March 2028." in found.reasoning


def test_a_number_word_of_hours_may_stand_for_time():
    assert (
        asked("A cook works 30 hours at an hourly wage of €20. What is the pay?", "pay = hours * hourly wage").final_answer
        == "600"
    )


# -- free questions


def test_free_questions_are_answered_from_bullets_about_them():
    found = asked(
        "When is the office open?", "The office is open from 9 to 5.", "The roof leaks.", "Write dates as YYYY-MM-DD."
    )

    assert (found.final_answer, found.bullet_ids) == ("The office is open from 9 to 5.", ["b-00001"])


def test_a_question_about_a_formula_is_answered_with_it():
    assert asked("How do I get the current ratio?", f"{FORMULA}; e.g. 3 and 2 give 1.5").final_answer == f"{FORMULA}."


def test_what_no_bullet_is_about_is_not_known():
    found = asked("When is the office open?", FORMULA, "The roof leaks.")

    assert (found.final_answer, found.bullet_ids) == ("I do not know.", [])


def test_a_note_answers_the_question_that_it_was_made_for():
    note = "Asked: Who waters the plants on floor 3? Answer: Nobody."

    assert asked("Who waters the plants on floor 3?", note)[:3] == (
        ["[b-00001] holds the answer to this question."],
        ["b-00001"],
        "Nobody.",
    )
    assert asked("Who waters the plants on floor 4?", note).final_answer != "Nobody."


def test_two_questions_are_the_same_if_they_share_words_and_numbers():
    assert is_same_question("Who has the key?", "who has a key")
    assert not is_same_question("Which ball is in urn 3?", "Which ball is in urn 4?")
    assert not is_same_question("", "")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.lists(st.text(alphabet="abc =+-*/^()%12;.", max_size=40), max_size=4))
def test_any_question_and_any_bullets_get_an_answer(question, bullets):
    lines = "\n".join(f"[b-{number}] helpful=0 harmful=0 :: {text}" for number, text in enumerate(bullets))
    found = answer(question, lines_in(lines))

    assert found.final_answer
    assert set(found.bullet_ids) <= {f"b-{number}" for number in range(len(bullets))}
