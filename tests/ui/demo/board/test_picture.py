"""What the board shows of the demo, step by step: verdicts, bullets, the score and the curve."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.runs import RunManager
from tests.ui.demo.test_play import CINEMA, FALSE, do, end
from ui.demo import opening
from ui.demo.board.picture import picture, totals
from ui.demo.play import PIPELINE, Demo
from ui.demo.script import STEPS

RATIO = "current ratio = current assets / current liabilities"
EXAMPLE = "current ratio: formula not known yet; e.g. current assets {} and current liabilities {} give {}"
AT = {step.title: number for number, step in enumerate(STEPS, start=1)}


def shown(demo: Demo, title: str) -> dict[str, Any]:
    return picture(Demo(demo.manager, demo.playbook), AT[title])


def rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    return [(row["note"], row["text"]) for row in found["rows"]]


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
    assert (found["question"], found["of"], found["sessions"], found["rows"]) == ("No bullets yet.", 0, [], [])
    assert found["chart"] is None


def test_a_wrong_answer_stands_beside_the_right_one_and_the_bullet_that_it_taught(played):
    found = shown(played, "The first question")
    assert (found["sign"], found["word"], found["beside"]) == ("✗", "wrong", "Judged by the answer in the message.")
    assert found["head"] == "Monday, question 1 of 12"
    assert found["question"].endswith("What is its current ratio?")
    assert found["answer"] == "Answer: 200000 · Right answer: 1.5"
    assert rows(found) == [("", "The answer cites no bullet."), ("new", EXAMPLE.format(120000, 80000, "1.5"))]
    assert (found["right"], found["of"], found["kept"]) == (0, 1, "1 bullet")


def test_a_right_answer_names_its_bullet_and_where_that_was_written(played):
    found = shown(played, "A new session")
    assert (found["sign"], found["answer"]) == ("✓", "Answer: 2.5")
    assert rows(found) == [("cites", EXAMPLE.format(120000, 80000, "1.5")), ("now says", RATIO)]
    assert found["rows"][0]["more"] == "written on Monday, tagged helpful"
    assert (found["right"], found["of"], found["kept"]) == (1, 4, "3 bullets")
    assert [(one["name"], "".join(mark["sign"] for mark in one["marks"])) for one in found["sessions"]] == [
        ("Monday", "✗✗✗"),
        ("Tuesday", "✓"),
    ]


def test_an_earlier_step_shows_the_score_of_its_time(played):
    assert [shown(played, step.title)["of"] for step in STEPS] == [0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 11, 12, 12]
    counts = [len(shown(played, step.title)["bullets"]) for step in STEPS]
    assert counts == [0, 1, 1, 2, 3, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 6, 6]


def test_the_first_curve_climbs_from_nothing_to_all_right(played):
    chart = shown(played, "The curve")["chart"]
    [curve] = chart["curves"]
    shares = [share for _, share in curve["points"]]
    assert (shares[0], shares[-1]) == (0, 1)
    assert shares == sorted(shares)
    assert (curve["right"], curve["of"]) == (6, 10)
    assert [(band["name"], band["score"], band["until"]) for band in chart["bands"]] == [
        ("Monday", "0 of 3", 3),
        ("Tuesday", "3 of 4", 7),
        ("Wednesday", "3 of 3", 10),
    ]
    assert "".join(mark["sign"] for mark in chart["marks"]) == "✗✗✗✓✗✓✓✓✓✓"


def test_the_undone_bullet_is_struck_out_before_the_answer_that_misses_it(played):
    found = shown(played, "Act two: undo")
    assert found["sign"] == "✗"
    assert rows(found) == [
        ("undone", RATIO),
        ("", "The answer cites no bullet."),
        ("new", EXAMPLE.format(77000, 20000, "3.85")),
    ]
    assert [row["kind"] for row in found["rows"]] == ["removed", "plain", "added"]


def test_an_answer_that_a_later_thumb_judged_is_unchecked_in_its_own_step(played):
    found = shown(played, "A false bullet")
    assert (found["sign"], found["word"], found["beside"]) == ("○", "unchecked", "Nothing has judged it yet.")
    assert rows(found) == [("edited", FALSE), ("cites", FALSE)]
    found = shown(played, "A thumb down")
    assert (found["sign"], found["beside"], found["answer"]) == ("✗", "Judged by a thumb.", "Answer: 1.25")
    assert rows(found) == [("tagged harmful", FALSE), ("removed", FALSE)]
    assert found["rows"][1]["more"].startswith("It harmed more than it helped")


def test_the_last_curve_falls_and_all_of_it_can_be_sent(played):
    found = shown(played, "The whole curve")
    shares = [share for _, share in found["chart"]["curves"][0]["points"]]
    assert shares[9] > shares[10] > shares[11]
    assert found["chart"]["bands"][-1]["score"] == "0 of 2"
    assert RATIO not in {bullet["text"] for bullet in found["bullets"]}
    assert json.loads(json.dumps(found)) == found
    assert totals(played) == "6 bullets after 24 revisions"


def test_where_nothing_was_learned_there_is_nothing_to_undo_or_edit_and_that_is_told(begun):
    begun.store.freeze()
    do(begun.manager, *range(1, AT["A false bullet"] + 1))
    assert rows(shown(begun, "What was written")) == [("", "The answer cites no bullet.")]
    assert rows(shown(begun, "Act two: undo"))[0] == ("", "Nothing was undone: the curator wrote nothing.")
    assert rows(shown(begun, "A false bullet"))[0] == ("", "Nothing was edited: there was no such bullet.")
    assert shown(begun, "The first kind again")["sign"] == "✗"


def test_a_run_at_work_and_a_stopped_one_are_told_and_judge_nothing(slow_manager):
    opening.new_playbook(slow_manager)
    demo = Demo(slow_manager, "demo 1")
    run = demo.do(AT["The first question"])
    found = shown(demo, "The first question")
    assert (found["beside"], found["sign"], found["rows"]) == ("● At work …", "", [])
    slow_manager.stop(PIPELINE, run.session_id)
    assert shown(demo, "The first question")["beside"] == "■ stopped, without an answer."


def test_without_feedback_nothing_is_called_right(begun):
    manager, session = begun.manager, begun.session_id("tuesday")
    do(manager, *range(1, AT["A new session"]))
    manager.sessions.create(PIPELINE, state={"playbook_name": "demo 1", "feedback_from": "nothing"}, session_id=session)
    end(manager, manager.start(PIPELINE, CINEMA.message, session_id=session))
    found = shown(begun, "A new session")
    assert (found["sign"], found["beside"]) == ("○", "Nothing has judged it yet.")
    assert found["of"] == 3


def test_a_playbook_that_was_made_anew_is_shown_as_it_is(begun):
    do(begun.manager, AT["The first question"])
    begun.store.delete()
    begun.store.create("demo 1")
    found = shown(begun, "The first question")
    assert (found["kept"], found["of"]) == ("0 bullets", 0)
