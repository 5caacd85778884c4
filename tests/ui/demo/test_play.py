"""The demo's actions, done with the real pipeline and its simulated model: what happens, and what is told of it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from agents.ace import Add, DeltaBatch
from agents.ace.roles.settings import AceSettings
from agents.runs import Run, RunManager
from ui.demo import opening, outcome
from ui.demo.play import PIPELINE, Demo
from ui.demo.script import BAKERY, CINEMA, FALSE, FERRY, HOTEL, SESSION_STATE, STEPS, Ask, Thumb

FORMULA = "current ratio = current assets / current liabilities"


def end(manager: RunManager, run: Run | None) -> None:
    """Returns when a run is over."""

    async def watch(started: Run) -> None:
        subscription = manager.subscribe(started.pipeline, started.session_id, after=started.after)
        async with aclosing(subscription) as items:
            async for item in items:
                if any(entry.kind == "run_finished" for entry in getattr(item, "entries", ())):
                    return

    if run is not None:
        asyncio.run(watch(run))


def do(manager: RunManager, *numbers: int) -> Demo:
    """Does steps, each to its end."""
    for number in numbers:
        end(manager, Demo(manager, "demo 1").do(number))
    return Demo(manager, "demo 1")


def said(demo: Demo, number: int) -> str:
    return outcome.told(demo, STEPS[number - 1]).replace("\\", "").replace("**", "")


@pytest.fixture
def begun(manager):
    assert opening.new_playbook(manager) == "demo 1"
    return manager


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A demo that was played to its end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
        with RunManager(database=tmp_path_factory.mktemp("played") / "demo.db") as manager:
            opening.new_playbook(manager)
            do(manager, *range(1, len(STEPS) + 1))
            yield manager


@pytest.fixture
def whole(played):
    return Demo(played, "demo 1")


def test_the_first_answer_is_wrong_and_teaches_a_formula(whole):
    turn = whole.turn(BAKERY)
    assert (turn.status, turn.cited, turn.expected) == ("completed", [], "1.5")
    assert turn.mistake
    [change] = turn.learned.applied
    assert (change["type"], change["content"].partition(";")[0]) == ("ADD", FORMULA)
    assert "✗ Wrong:" in said(whole, 2)
    assert f"new {change['bullet_id']} “{FORMULA} …”" in said(whole, 2)
    assert said(whole, 3).startswith("Revision 2 of “demo 1”: new ")


def test_another_session_answers_rightly_by_that_bullet(whole):
    turn, [written] = whole.turn(CINEMA), whole.turn(BAKERY).learned.applied
    assert (turn.answer, turn.mistake, turn.cited) == ("2.5", "", [written["bullet_id"]])
    assert said(whole, 4).startswith(f"✓ Right: “2.5”. It cites {written['bullet_id']}, written in the first session.")


def test_one_answer_in_another_form_is_an_example_and_a_second_one_makes_a_house_rule(whole):
    assert "✗ Wrong: “2.25”. The right answer is “2.250”." in said(whole, 5)
    assert "Write ratios" not in said(whole, 5)
    assert "✓ Right: “1.750”." in said(whole, 6)
    assert "“Write ratios with 3 decimals.”" in said(whole, 6)


def test_after_the_undo_the_answer_is_wrong_again_and_the_rule_is_still_there(whole):
    undo = whole.undone(BAKERY)
    assert (undo.by, undo.undoes) == ("person", whole.turn(BAKERY).learned.revision)
    assert [bullet.content for bullet in whole.store.at(undo.revision).bullets] == ["Write ratios with 3 decimals."]
    assert whole.turn(FERRY).mistake
    assert whole.turn(FERRY).cited == []
    assert said(whole, 7).startswith("Undone, revision 2: ")
    assert "✗ Wrong:" in said(whole, 7)


def test_the_false_bullet_is_trusted_and_nothing_is_learned_before_somebody_judges(whole):
    turn = whole.turn(HOTEL)
    assert turn.answer == "1.250"
    assert turn.mistake is None
    assert f"now says “{FALSE}”" in said(whole, 8)
    assert "○ Answered “1.250”, which has no feedback yet." in said(whole, 8)
    assert said(whole, 8).endswith("Playbook: no change.")


def test_a_thumb_down_tags_it_harmful_and_it_is_pruned(whole):
    turn = whole.turn(Thumb(HOTEL))
    bullet = whole.turn(FERRY).learned.applied[0]["bullet_id"]
    assert {"type": "TAG", "bullet_id": bullet, "tag": "harmful"} in turn.changes
    [removed] = [change for change in turn.changes if change["type"] == "REMOVE"]
    assert (removed["bullet_id"], removed["by"]) == (bullet, "refinement")
    assert bullet not in whole.store.playbook()
    assert said(whole, 9).startswith("✗ Judged: a thumb down says that “1.250” is wrong.")
    assert f"{bullet} removed (It harmed more than it helped" in said(whole, 9)


def test_at_the_end_it_says_what_there_is(whole):
    assert said(whole, 10) == "Playbook “demo 1”: 1 bullet after 13 revisions."
    assert whole.reached() == len(STEPS)


def test_the_script_speaks_of_the_defaults_as_they_are():
    assert AceSettings().min_uses == 3
    assert SESSION_STATE["min_uses"] == 1
    assert "usually it takes three" in STEPS[8].look_for


def test_only_the_last_action_of_a_step_starts_a_run():
    for step in STEPS:
        assert not any(isinstance(action, Ask | Thumb) for action in step.actions[:-1])


def test_a_step_is_done_once_however_often_it_is_asked_for(begun):
    do(begun, 1, 2)
    demo = Demo(begun, "demo 1")
    assert demo.do(2) is None
    assert [len(begun.sessions(PIPELINE)), demo.store.playbook().revision] == [1, 2]


def test_no_step_goes_before_another(begun):
    assert Demo(begun, "demo 1").reached() == 1
    assert do(begun, 2).reached() == 3
    assert do(begun, 4).reached() == 4


def test_the_sessions_are_named_and_use_the_playbook_of_the_demo_alone(begun):
    begun.playbooks("ace").commit(DeltaBatch(operations=[Add(section="FORMULAS", content=FORMULA)]))
    demo = do(begun, 2)
    [session] = begun.sessions(PIPELINE)
    assert session.title == "demo 1, first session"
    assert begun.state(PIPELINE, session.id)["playbook_name"] == "demo 1"
    assert demo.turn(BAKERY).cited == []
    assert begun.playbooks("ace").playbook().revision == 1


def test_a_deleted_session_is_brought_back_when_it_is_needed(begun):
    demo = do(begun, 2, 3, 4)
    begun.delete_session(PIPELINE, demo.session_id("second"))
    assert Demo(begun, "demo 1").reached() == 3
    assert do(begun, 4).reached() == 4


def test_where_nothing_was_learned_there_is_nothing_to_undo_or_edit_and_that_is_told(begun):
    begun.playbooks("demo 1").freeze()
    demo = do(begun, *range(1, 9))
    assert said(demo, 3) == "The curator wrote nothing."
    assert said(demo, 7).startswith("Nothing was undone: the curator had written nothing.")
    assert said(demo, 8).startswith("Nothing was edited: there was no such bullet.")
    assert demo.reached() == 8


def test_a_run_that_was_stopped_is_told(slow_manager):
    opening.new_playbook(slow_manager)
    run = Demo(slow_manager, "demo 1").do(2)
    assert said(Demo(slow_manager, "demo 1"), 2) == "● At work …"
    slow_manager.stop(PIPELINE, run.session_id)
    assert said(Demo(slow_manager, "demo 1"), 2) == "■ stopped, without an answer."


def test_without_feedback_nothing_is_called_right(begun):
    end(begun, Demo(begun, "demo 1").do(2))
    begun.set_state(PIPELINE, Demo(begun, "demo 1").session_id("first"), {"feedback_from": "nothing"})
    message = CINEMA.message.partition("\n")[0]
    end(begun, begun.start(PIPELINE, message, session_id=Demo(begun, "demo 1").session_id("first")))
    demo = Demo(begun, "demo 1")
    asked = Ask("first", message)
    assert "which proves nothing" in outcome.of_turn(demo, asked, demo.turn(asked))
