"""What a right answer contradicts, and what it only adds to."""

from __future__ import annotations

import pytest

from agents.ace import Playbook
from agents.ace.bullet import StoredBullet
from agents.ace.operations import Add, Remove, Update
from agents.ace.refine.contradiction import Conflict, says_otherwise, settled

LAMPS = "Return period for lamps: 30 days."
NOTED = "Asked: What is the return period for lamps? Answer: 30 days"


def book(*contents: str) -> Playbook:
    return Playbook(StoredBullet(f"n-0000{at}", "NOTES", content, place=at) for at, content in enumerate(contents, start=1))


def judged(says: str, operation, *, truth: str, answer: str = "I do not know.", own=()):
    return settled(book("Lamps are sold by the piece.", says), [operation], truth=truth, answer=answer, own=own)


@pytest.mark.parametrize(
    ("says", "text", "truth", "answer"),
    [
        (LAMPS, "Return period for lamps: 60 days.", "60 days", "30 days"),
        (LAMPS, "Return period for lamps: 60 days.", "60 days", "I do not know."),
        (LAMPS, "The return period for lamps is 60 days.", "60 days", "It is 30 days"),
        (NOTED, "Asked: What is the return period for lamps? Answer: 60 days", "60 days", "30 days"),
        (
            "Asked: Who leads sales? Answer: Maria Lopez",
            "Asked: Who leads sales? Answer: Tom",
            "Tom",
            "Maria Lopez",
        ),
        ("返品期間：30日", "返品期間：60日", "60日", "30日"),
        ("Opens on Sunday: no", "Opens on Sunday: yes", "yes", "no"),
    ],
)
def test_another_answer_to_the_same_is_a_conflict_and_never_a_second_bullet(says, text, truth, answer):
    for operation in (Add(section="NOTES", content=text), Update(bullet_id="n-00002", content=text)):
        operations, conflicts = judged(says, operation, truth=truth, answer=answer)

        assert operations == [Update(bullet_id="n-00002", content=text, corrects=True)]
        assert conflicts == [Conflict("n-00002", says, truth)]


@pytest.mark.parametrize(
    ("says", "text", "truth"),
    [
        (LAMPS, "Return period for chairs: 60 days.", "60 days"),
        (LAMPS, "Return period for lamps in Austria: 60 days.", "60 days"),
        ("Return period for lamps bought online: 30 days.", "Return period for lamps: 60 days.", "60 days"),
        (LAMPS, "Return period for lamps: 30 days, and 60 days for members.", "60 days for members"),
        ("Invoice 17 is due on 3 March.", "Invoice 18 is due on 4 March.", "4 March"),
        ("Return periods are in the list of products.", "Return period for lamps: 60 days.", "60 days"),
        (LAMPS, "Read the list of products before you answer.", "60 days"),
        ("Asked: hello Answer: HELLO", "Asked: world Answer: WORLD", "WORLD"),
    ],
)
def test_what_is_about_something_else_is_added(says, text, truth):
    operation = Add(section="NOTES", content=text)

    assert judged(says, operation, truth=truth) == ([operation], [])


def test_a_formula_is_corrected_by_the_next_right_answer_without_a_conflict():
    says = "ratio = liabilities / assets; e.g. assets 120 and liabilities 80 give 0.67"
    text = "ratio = assets / liabilities; e.g. assets 120 and liabilities 80 give 1.50"
    change = Update(bullet_id="n-00002", content=text)

    assert judged(says, change, truth="1.50", answer="0.67") == ([change], [])


def test_an_example_is_corrected_by_the_next_right_answer_without_a_conflict():
    says = "ratio: formula not known yet; e.g. assets 120 and liabilities 80 give 0.67"
    change = Update(bullet_id="n-00002", content=says.replace("0.67", "1.50"))

    assert judged(says, change, truth="1.50", answer="0.67") == ([change], [])


def test_an_example_does_not_hide_another_answer():
    change = Update(bullet_id="n-00002", content="Lamps can be returned for 60 days, e.g. the red one.")

    _, conflicts = judged("Lamps can be returned for 30 days, e.g. the blue one.", change, truth="60 days")

    assert len(conflicts) == 1


def test_a_text_that_has_the_right_answer_already_is_no_conflict():
    change = Update(bullet_id="n-00002", content="Return period for lamps: 30 days, in writing.")

    assert judged(LAMPS, change, truth="30 days", answer="30 days from delivery") == ([change], [])


def test_what_the_session_wrote_itself_is_changed_without_a_conflict():
    text = "Return period for lamps: 60 days."
    add = Add(section="NOTES", content=text)

    operations, conflicts = judged(LAMPS, add, truth="60 days", answer="30 days", own={"n-00002"})

    assert (operations, conflicts) == ([Update(bullet_id="n-00002", content=text, corrects=True)], [])


def test_a_bullet_that_is_changed_is_not_removed_beside_it():
    add, other = Add(section="NOTES", content="Return period for lamps: 60 days."), Remove(bullet_id="n-00001")

    operations, _ = settled(
        book("Another note.", LAMPS),
        [Remove(bullet_id="n-00002"), other, add],
        truth="60 days",
        answer="30 days",
        own=(),
    )

    assert [operation.type for operation in operations] == ["REMOVE", "UPDATE"]
    assert operations[0] == other


@pytest.mark.parametrize(
    ("new", "old", "feedback", "is_other"),
    [
        ("about card (5 of 6).", "about card (5 of 5).", "The right answer is: refund", False),
        ("Return period: 60 days.", "Return period: 30 days.", "The right answer is: 60 days", True),
        ("ratio = b / a", "ratio = a / b", "The right answer is: 2", True),
        ("Divide by the liabilities.", "Divide by the assets.", "A person says the answer is wrong.", True),
    ],
)
def test_other_counts_alone_are_no_other_statement(new, old, feedback, is_other):
    assert says_otherwise(new, old, feedback) is is_other
