"""Right and wrong answers by question."""

from __future__ import annotations

import pytest

from agents.ace import GrowthPoint, JudgedAnswer
from tests.ui.playbook.stage import filled, playbook_page
from tests.ui.stage import finish, links, query, said, sound, words
from ui.kit.accuracy_chart import MOST_MARKS, growth_specification, specification, step, thinned
from ui.text.judged_answers import points

BAKERY = "A bakery has current assets of 120,000 € and current liabilities of 80,000 €. What is its current ratio?"
CINEMA = "A cinema has current assets of 45,000 € and current liabilities of 18,000 €. What is its current ratio?"


def answer(number: int, right: bool | None) -> JudgedAnswer:
    return JudgedAnswer(number, 0.0, "ace", "s", number, f"Question {number}?", right, "ground truth")


def drawn(*verdicts: bool | None):
    return points([answer(number, right) for number, right in enumerate(verdicts)])


def test_unchecked_answers_change_no_share():
    found = drawn(None, False, True, None, True)
    assert [point.share for point in found] == [None, 0, 0.5, 0.5, pytest.approx(2 / 3)]
    assert [point.number for point in found] == [1, 2, 3, 4, 5]


def test_the_latest_share_forgets_what_is_ten_answers_ago():
    last = drawn(*[False] * 20, *[True] * 10)[-1]
    assert (last.share, last.latest) == (pytest.approx(1 / 3), 1)


def test_of_many_questions_few_are_drawn_and_the_shares_count_all():
    found = points([answer(number, number % 4 == 0) for number in range(10_001)])
    few = thinned(found)
    assert len(few) <= MOST_MARKS + 1
    assert few[-1] is found[-1]
    assert few[1].number - few[0].number == step(len(found)) == 26
    assert few[-1].share == pytest.approx(0.25, abs=1e-3)
    assert thinned(found[:7]) == found[:7]


def test_the_share_has_its_interval_from_the_first_judged_answer_on():
    unchecked, first, *_, last = drawn(None, *[True] * 9, False)
    assert (unchecked.low, unchecked.high) == (None, None)
    assert (round(first.low, 2), first.high) == (0.21, 1)
    assert last.low < last.share < last.high
    assert last.high - last.low < first.high - first.low
    lines, _ = specification([unchecked, first, last])["layer"]
    band, _ = lines["layer"]
    assert (band["encoding"]["y"]["field"], band["encoding"]["y2"]["field"]) == ("low", "high")


def test_growth_is_drawn_over_the_same_questions():
    found = drawn(*[True] * 4)  # answered at revisions 0 to 3
    growth = [GrowthPoint(1, 0, 5, 0, 0, 0), GrowthPoint(3, 0, 7, 0, 0, 0)]
    chart = growth_specification(found, growth)
    *questions, after = chart["data"]["values"]
    assert [value["bullets"] for value in questions] == [0, 5, 5, 7]
    assert after == {"number": questions[-1]["number"] + 1, "bullets": 7}, "the last step has a width"
    assert chart["encoding"]["x"] == specification(found)["layer"][0]["encoding"]["x"]


def test_marks_differ_in_shape_and_place_as_well_as_in_colour():
    lines, marks = specification(drawn(True, False, None))["layer"]
    assert len(set(marks["encoding"]["shape"]["scale"]["range"])) == 3
    assert len({tuple(dash) for dash in lines["encoding"]["strokeDash"]["scale"]["range"]}) == 2
    right, wrong, unchecked = marks["data"]["values"]
    assert right["rail"] > 1
    assert wrong["rail"] < 0
    assert (right["verdict"], wrong["verdict"], unchecked["verdict"]) == ("✓ right", "✗ wrong", "○ unchecked")


def test_without_a_verdict_the_page_says_how_to_get_one(manager):
    filled(manager)
    at = sound(playbook_page(tab="growth"))
    assert "No answer with this playbook was judged yet" in said(at)
    assert "Answer: …" in said(at)


@pytest.fixture
def asked(manager):
    """Two questions: one wrong, one right by what was learned."""
    first = manager.start("ace", f"{BAKERY}\nAnswer: 1.5")
    finish(manager, "ace", first.session_id)
    second = manager.start("ace", f"{CINEMA}\nAnswer: 2.5")
    finish(manager, "ace", second.session_id)
    return manager, first.session_id, second.session_id


def answer_link(manager, session):
    """The link to a session's judged answer, by its number."""
    seq = next(answer.seq for answer in manager.playbooks("ace").answers() if answer.session_id == session)
    return f"pipeline=ace&session={session}&at={manager.sessions.event_number('ace', session, seq)}"


def test_a_question_is_shown_with_its_verdict_its_session_and_its_delta(asked):
    manager, first, second = asked
    at = sound(playbook_page(tab="growth"))
    assert "**1 of 2 right** (50%)" in words(at)
    assert "95% interval 9% to 91% · few answers" in words(at)
    assert "Bullets at each question" in words(at)
    assert CINEMA in words(at)
    assert answer_link(manager, second) in links(at).values()

    at = sound(at.number_input(key="accuracy_question").set_value(1).run())
    assert "**:red[✗ wrong]**, judged by the answer in the message, at revision 0" in words(at)
    assert answer_link(manager, first) in links(at).values()
    written = next(
        record for record in manager.playbooks("ace").history() if record.by == "curator" and record.session_id == first
    )
    button = at.button(key=f"accuracy_revision_{written.revision}")
    assert button.label == f"→ Revision {written.revision}, by the curator"
    button.click()
    assert query(sound(at.run())) == {"revision": str(written.revision)}


def test_a_deleted_session_is_not_linked(asked):
    manager, _, second = asked
    manager.sessions.delete("ace", second)
    at = sound(playbook_page(tab="growth"))
    assert "Its session was deleted." in words(at)
    assert not any(second in target for target in links(at).values())
