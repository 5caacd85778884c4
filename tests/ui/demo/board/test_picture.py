"""What the board shows of the demo, step by step: verdicts, bullets, the score and the curve."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from agents.runs import RunManager
from tests.ui.demo.test_play import CINEMA, FALSE, do, end
from ui.demo import opening
from ui.demo.board.picture import picture, totals
from ui.demo.opening import PIPELINE
from ui.demo.play import Demo
from ui.demo.script import STEPS
from ui.demo.stage.picture import Picture, Row

RATIO = "current ratio = current assets / current liabilities"
EXAMPLE = "current ratio: formula not known yet; e.g. current assets {} and current liabilities {} give {}"
AT = {step.title: number for number, step in enumerate(STEPS, start=1)}


def shown(demo: Demo, title: str) -> Picture:
    return picture(Demo(demo.manager, demo.playbook), AT[title])


def rows_in(found: Picture) -> list[Row]:
    [column] = found.columns
    return list(column.rows)


def rows(found: Picture) -> list[tuple[str, str]]:
    return [(row.note, row.text) for row in rows_in(found)]


@pytest.fixture
def begun(manager):
    assert opening.new_playbook(manager) == "demo 1"
    return Demo(manager, "demo 1")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A demo that was played to its end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
        with RunManager(database=tmp_path_factory.mktemp("played") / "demo.db") as manager:
            opening.new_playbook(manager)
            yield do(manager, *range(1, len(STEPS) + 1))


def test_it_begins_with_an_empty_playbook_and_no_score(begun):
    found = shown(begun, "An empty playbook")
    assert (found.now.question, found.score, found.strips, rows(found)) == ("No bullets yet.", "", [], [])
    assert found.charts == []


def test_a_wrong_answer_stands_beside_the_right_one_and_the_bullet_that_it_taught(played):
    found = shown(played, "The first question")
    assert (found.now.sign, found.now.verdict, found.now.beside) == ("✗", "wrong", "Judged by the answer in the message.")
    assert found.now.head == "Monday, question 1 of 12"
    assert found.now.question.endswith("What is its current ratio?")
    assert found.now.answer == "Answer: I do not know. · Right answer: 1.5"
    assert rows(found) == [("", "The answer cites no bullet."), ("new", EXAMPLE.format(120000, 80000, "1.5"))]
    assert (found.score, found.kept) == ("0 of 1", "1 bullet")


def test_a_right_answer_names_its_bullet_and_where_that_was_written(played):
    found = shown(played, "A new session")
    assert (found.now.sign, found.now.answer) == ("✓", "Answer: 2.5")
    assert rows(found) == [("cites", EXAMPLE.format(120000, 80000, "1.5")), ("now says", RATIO)]
    assert rows_in(found)[0].more == "written on Monday, tagged helpful"
    assert (found.score, found.kept) == ("1 of 4", "3 bullets")
    assert [(one.label, "".join(cell.sign for cell in one.cells)) for one in found.strips] == [
        ("Monday", "✗✗✗"),
        ("Tuesday", "✓"),
    ]


def test_an_earlier_step_shows_the_score_of_its_time(played):
    answered = [sum(len(strip.cells) for strip in shown(played, step.title).strips) for step in STEPS]
    assert answered == [0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 11, 12, 12]
    counts = [len(shown(played, step.title).bullets) for step in STEPS]
    assert counts == [0, 1, 1, 2, 3, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 6, 6]


def test_the_first_curve_climbs_from_nothing_to_all_right(played):
    [chart] = shown(played, "The curve").charts
    [curve] = chart.lines
    shares = [share for _, share in curve.points]
    assert (shares[0], shares[-1]) == (0, 1)
    assert shares == sorted(shares)
    assert curve.score == "6 of 10"
    assert [(band.name, band.score, band.until) for band in chart.bands] == [
        ("Monday", "0 of 3", 3),
        ("Tuesday", "3 of 4", 7),
        ("Wednesday", "3 of 3", 10),
    ]
    assert "".join(mark.sign for mark in chart.signs) == "✗✗✗✓✗✓✓✓✓✓"


def test_the_undone_bullet_is_struck_out_before_the_answer_that_misses_it(played):
    found = shown(played, "Act two: undo")
    assert found.now.sign == "✗"
    assert rows(found) == [
        ("undone", RATIO),
        ("", "The answer cites no bullet."),
        ("new", EXAMPLE.format(77000, 20000, "3.85")),
    ]
    assert [row.kind for row in rows_in(found)] == ["removed", "plain", "added"]


def test_an_answer_that_a_later_thumb_judged_is_unchecked_in_its_own_step(played):
    found = shown(played, "A false bullet")
    assert (found.now.sign, found.now.verdict, found.now.beside) == ("○", "unchecked", "Nothing has judged it yet.")
    assert rows(found) == [("edited", FALSE), ("cites", FALSE)]
    found = shown(played, "A thumb down")
    assert (found.now.sign, found.now.beside, found.now.answer) == ("✗", "Judged by a thumb.", "Answer: 1.25")
    assert rows(found) == [("tagged harmful", FALSE), ("removed", FALSE)]
    assert rows_in(found)[1].more.startswith("It harmed more than it helped")


def test_the_last_curve_falls_and_all_of_it_can_be_sent(played):
    found = shown(played, "The whole curve")
    shares = [share for _, share in found.charts[0].lines[0].points]
    assert shares[9] > shares[10] > shares[11]
    assert found.charts[0].bands[-1].score == "0 of 2"
    assert RATIO not in {bullet.text for bullet in found.bullets}
    assert json.dumps(asdict(found))
    assert totals(played) == "6 bullets after 24 revisions"


def test_where_nothing_was_learned_there_is_nothing_to_undo_or_edit_and_that_is_told(begun):
    begun.store.freeze()
    do(begun.manager, *range(1, AT["A false bullet"] + 1))
    assert rows(shown(begun, "What was written")) == [("", "The answer cites no bullet.")]
    assert rows(shown(begun, "Act two: undo"))[0] == ("", "Nothing was undone: the curator wrote nothing.")
    assert rows(shown(begun, "A false bullet"))[0] == ("", "Nothing was edited: there was no such bullet.")
    assert shown(begun, "The first kind again").now.sign == "✗"


def test_a_run_at_work_and_a_stopped_one_are_told_and_judge_nothing(slow_manager):
    opening.new_playbook(slow_manager)
    demo = Demo(slow_manager, "demo 1")
    run = demo.do(AT["The first question"])
    found = shown(demo, "The first question")
    assert (found.now.beside, found.now.sign, rows(found)) == ("● At work …", "", [])
    slow_manager.stop(PIPELINE, run.session_id)
    assert shown(demo, "The first question").now.beside == "■ stopped, without an answer."


def test_without_feedback_nothing_is_called_right(begun):
    manager, session = begun.manager, begun.session_id("tuesday")
    do(manager, *range(1, AT["A new session"]))
    manager.sessions.create(PIPELINE, state={"playbook_name": "demo 1", "feedback_from": "nothing"}, session_id=session)
    end(manager, manager.start(PIPELINE, CINEMA.message, session_id=session))
    found = shown(begun, "A new session")
    assert (found.now.sign, found.now.beside) == ("○", "Nothing has judged it yet.")
    assert found.score == "0 of 3"


def test_a_playbook_that_was_made_anew_is_shown_as_it_is(begun):
    do(begun.manager, AT["The first question"])
    begun.store.delete()
    begun.store.create("demo 1")
    found = shown(begun, "The first question")
    assert (found.kept, found.score) == ("0 bullets", "")
