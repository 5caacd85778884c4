"""The demo's actions, done with the real pipeline and its simulated model."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from agents.ace import Add, DeltaBatch
from agents.ace.roles.settings import AceSettings
from agents.runs import Run, RunManager
from ui.demo import opening
from ui.demo.opening import PIPELINE
from ui.demo.play import Demo
from ui.demo.script import QUESTIONS, SESSION_STATE, SESSIONS, STEPS, Ask, Edit, Thumb

BAKERY, BUS, CINEMA, FERRY, HOTEL, SHOP, TRUCK = (
    QUESTIONS[name] for name in ("bakery", "bus", "cinema", "ferry", "hotel", "shop", "truck")
)
[FALSE] = (action.content for step in STEPS for action in step.actions if isinstance(action, Edit))
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


def test_the_first_answer_is_wrong_and_teaches_an_example(whole):
    turn = whole.turn(BAKERY)
    assert (turn.status, turn.cited, turn.expected) == ("completed", [], "1.5")
    [change] = turn.learned.applied
    assert (change["type"], change["content"].partition(";")[0]) == ("ADD", "current ratio: formula not known yet")


def test_another_session_answers_rightly_by_that_bullet(whole):
    turn, [written] = whole.turn(CINEMA), whole.turn(BAKERY).learned.applied
    assert (turn.answer, turn.cited) == ("2.5", [written["bullet_id"]])
    assert whole.written_in(written["bullet_id"]) == "monday"
    [change] = turn.learned.applied
    assert (change["bullet_id"], change["content"].partition(";")[0]) == (written["bullet_id"], FORMULA)


def test_a_new_kind_is_wrong_and_a_rule_is_learned_from_two_right_answers(whole):
    assert whole.turn(SHOP).cited == []
    [formula, rule] = whole.turn(TRUCK).learned.applied
    assert formula["content"].startswith("speed = distance / time;")
    assert (rule["type"], rule["section"]) == ("ADD", "HOUSE RULES")
    assert rule["bullet_id"] in whole.turn(BUS).cited
    assert whole.turn(BUS).answer == "63 km/h"


def test_the_first_act_writes_seven_bullets_in_three_sessions_and_ends_with_right_answers(whole):
    first_act = whole.store.at(whole.turn(BUS).deltas[-1].revision)
    assert len(first_act) == 7
    answers = [answer.right for answer in whole.answers()]
    assert answers[:10] == [False, False, False, True, False, True, True, True, True, True]
    assert [answer.session_id for answer in whole.answers()[:10]] == (
        ["demo-1-monday"] * 3 + ["demo-1-tuesday"] * 4 + ["demo-1-wednesday"] * 3
    )


def test_after_the_undo_the_answer_is_wrong_again_and_later_bullets_are_still_there(whole):
    undo = whole.undone(BAKERY)
    assert (undo.by, undo.undoes) == ("person", whole.turn(BAKERY).learned.revision)
    assert len(whole.store.at(undo.revision)) == 6
    assert whole.turn(FERRY).cited == []


def test_the_false_bullet_is_trusted_and_nothing_is_learned_before_somebody_judges(whole):
    turn = whole.turn(HOTEL)
    assert turn.answer == "1.25"
    assert turn.deltas == []
    edit = next(record for record in whole.store.history() if any(c.get("content") == FALSE for c in record.applied))
    assert turn.cited == [edit.applied[0]["bullet_id"]]


def test_a_thumb_down_tags_it_harmful_and_it_is_pruned(whole):
    turn = whole.turn(Thumb(HOTEL))
    bullet = whole.turn(FERRY).learned.applied[0]["bullet_id"]
    assert {"type": "TAG", "bullet_id": bullet, "tag": "harmful"} in turn.changes
    [removed] = [change for change in turn.changes if change["type"] == "REMOVE"]
    assert (removed["bullet_id"], removed["by"]) == (bullet, "refinement")
    assert bullet not in whole.store.playbook()
    assert whole.reached() == len(STEPS)


def test_the_script_speaks_of_the_defaults_as_they_are():
    assert AceSettings().min_uses == 3
    assert SESSION_STATE["min_uses"] == 1
    [thumb] = [step for step in STEPS if step.actions == (Thumb(HOTEL),)]
    assert "here after one harmful tag, by default after three" in thumb.look_for


def test_only_the_last_action_of_a_step_starts_a_run():
    for step in STEPS:
        assert not any(isinstance(action, Ask | Thumb) for action in step.actions[:-1])


def test_a_step_is_done_once_however_often_it_is_asked_for(begun):
    do(begun, 1, 2)
    demo = Demo(begun, "demo 1")
    assert demo.do(2) is None
    assert [len(begun.sessions.summaries(PIPELINE)), demo.store.playbook().revision] == [1, 2]


def test_no_step_goes_before_another(begun):
    assert Demo(begun, "demo 1").reached() == 1
    assert do(begun, 2).reached() == 3
    assert do(begun, 4).reached() == 4


def test_a_curve_needs_no_action_and_each_act_ends_with_one():
    assert [(step.title, step.actions) for step in STEPS if step.curve] == [("The curve", ()), ("The whole curve", ())]
    assert STEPS[-1].curve


def test_the_sessions_are_named_and_use_the_playbook_of_the_demo_alone(begun):
    begun.playbooks("ace").commit(DeltaBatch(operations=[Add(section="FORMULAS", content=FORMULA)]))
    demo = do(begun, 2)
    [session] = begun.sessions.summaries(PIPELINE)
    assert session.title == f"demo 1, {SESSIONS['monday']}"
    assert begun.sessions.state(PIPELINE, session.id)["playbook_name"] == "demo 1"
    assert demo.turn(BAKERY).cited == []
    assert begun.playbooks("ace").playbook().revision == 1


def test_a_deleted_session_is_brought_back_when_it_is_needed(begun):
    demo = do(begun, *range(2, 7))
    begun.sessions.delete(PIPELINE, demo.session_id("tuesday"))
    assert Demo(begun, "demo 1").reached() == 5
    assert do(begun, 6).reached() == 6
