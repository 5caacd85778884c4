"""The bar above the page, run without a browser."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from agents.runs import Run, RunManager
from tests.ui.demo.shown import shown_on_stage
from tests.ui.demo.test_play import do
from tests.ui.stage import labels, links, opened, page, query, said, sound, words
from ui.demo import opening
from ui.demo.opening import PIPELINE
from ui.demo.play import Demo
from ui.demo.script import STEPS


@pytest.fixture
def started(manager):
    """As a process that was started for the demo."""
    opening.begin("ace")
    yield manager
    opening.begin(None)


@pytest.fixture
def begun(manager):
    opening.new_playbook(manager)
    return manager


def at_step(number: int | str) -> AppTest:
    return sound(page(pipeline=PIPELINE, demo="demo 1", step=str(number)))


def number_of(at: AppTest) -> int:
    return next(n for n in range(1, len(STEPS) + 1) if f"Step {n} of {len(STEPS)}" in words(at))


def containers(block: Any) -> str:
    """The ids of a block and of all blocks in it."""
    inner = [containers(child) for child in getattr(block, "children", {}).values()]
    return " ".join([str(getattr(block.proto, "id", "")), *inner])


def test_without_a_demo_there_is_no_bar(manager):
    at = sound(page())
    assert "Step" not in words(at)
    assert not {"Next", "Back", "End"} & set(labels(at))


def test_the_bare_address_of_a_demo_is_its_beginning_and_makes_one_playbook(started):
    at, other = sound(page()), sound(page())
    own = 'playbook_name="demo 1"'
    assert query(at) == {"pipeline": "ace", "tab": "playbook", "demo": "demo 1", "step": "1", "set": own}
    assert query(other) == query(at)
    assert number_of(at) == 1
    assert at.button(key="demo_back").disabled
    assert [info.name for info in started.playbooks("ace").names()] == ["demo 1"]
    assert started.sessions.summaries() == []


def test_other_addresses_of_its_process_are_as_ever(started):
    assert "Step" not in words(sound(page(pipeline="iterative_writing")))
    assert started.playbooks("ace").names() == []


def test_next_does_the_step_and_the_address_has_it(begun):
    at = at_step(1)
    sound(at.button(key="demo_next").click().run())
    assert query(at)["step"] == "2"
    assert query(at)["session"] == "demo-1-monday"
    [session] = begun.sessions.summaries(PIPELINE)
    assert session.id == "demo-1-monday"


def test_next_waits_for_the_run_and_comes_back(slow_manager):
    opening.new_playbook(slow_manager)
    at = at_step(1)
    sound(at.button(key="demo_next").click().run())
    assert at.button(key="demo_next").disabled
    assert shown_on_stage(at)["now"]["beside"] == "● At work …"
    assert not at.button(key="demo_back").disabled
    sound(at.button(key="demo_stop").click().run())
    assert shown_on_stage(at)["now"]["beside"] == "■ stopped, without an answer."
    assert not at.button(key="demo_next").disabled


def test_a_question_whose_run_was_stopped_is_asked_again(slow_manager, monkeypatch):
    opening.new_playbook(slow_manager)
    run = Demo(slow_manager, "demo 1").do(2)
    slow_manager.stop(PIPELINE, run.session_id)
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    at = sound(page(pipeline=PIPELINE, session=run.session_id, demo="demo 1", step="2"))
    sound(at.button(key="demo_again").click().run())
    asyncio.run(ended(slow_manager, run, runs=2))
    sound(at.run())
    assert (shown_on_stage(at)["now"]["sign"], shown_on_stage(at)["score"]) == ("✗", "0 of 1")
    assert "demo_again" not in [button.key for button in at.button]


async def ended(manager: RunManager, run: Run, *, runs: int) -> None:
    """Returns when that many runs of a session are over."""
    async with aclosing(manager.subscribe(run.pipeline, run.session_id, after=run.after)) as items:
        async for item in items:
            runs -= sum(entry.kind == "run_finished" for entry in getattr(item, "entries", ()))
            if not runs:
                return


def test_it_waits_wherever_the_person_looks_meanwhile(slow_manager):
    opening.new_playbook(slow_manager)
    at = at_step(1)
    at.button(key="demo_next").click().run()
    elsewhere = sound(page(pipeline="iterative_writing", demo="demo 1", step="2"))
    assert elsewhere.button(key="demo_next").disabled
    sound(elsewhere.button(key="demo_show").click().run())
    assert (query(elsewhere)["pipeline"], query(elsewhere)["session"]) == ("ace", "demo-1-monday")


def test_a_second_tab_and_a_reload_show_the_same_and_next_there_does_nothing_twice(begun):
    do(begun, 2)
    at, other = at_step(2), at_step(2)
    assert (words(at), shown_on_stage(at)) == (words(other), shown_on_stage(other))
    sound(at.button(key="demo_next").click().run())
    sound(other.button(key="demo_next").click().run())
    assert query(at) == query(other)
    assert Demo(begun, "demo 1").store.playbook().revision == 2


def test_back_leads_back_and_next_from_there_only_forward(begun):
    demo = do(begun, *range(2, 8))
    at = at_step(7)
    sound(at.button(key="demo_back").click().run())
    assert (number_of(at), query(at)["session"]) == (6, "demo-1-tuesday")
    assert int(query(at)["at"]), "an earlier question of its session is shown, not the last"
    sound(at.button(key="demo_back").click().run())
    assert (number_of(at), query(at)["session"]) == (5, "demo-1-monday")
    for _ in range(2):
        sound(at.button(key="demo_next").click().run())
    assert number_of(at) == 7
    assert Demo(begun, "demo 1").store.playbook().revision == demo.store.playbook().revision


def test_a_browser_that_is_behind_is_led_on(begun):
    at = at_step(1)
    before = query(at)
    at.button(key="demo_next").click().run()
    for _ in range(2):  # it has not heard of the new address yet
        at.query_params.clear()
        assert query(sound(opened(at, before)))["step"] == "2"
        assert number_of(at) == 2


@pytest.mark.parametrize("step", ["0", "18", "999999999999999999999", "-1", "x", "²"])
def test_a_step_that_was_not_reached_is_not_shown(begun, step):
    assert number_of(at_step(step)) == 1


def test_a_demo_of_another_database_is_told_and_one_can_begin_here(manager):
    at = sound(page(pipeline=PIPELINE, demo="demo 77", step="3"))
    assert "There is no demo “demo 77” here." in words(at)
    sound(at.button(key="demo_anew").click().run())
    assert (query(at)["demo"], number_of(at)) == ("demo 1", 1)


def test_the_end_keeps_everything_and_has_links_to_it(begun):
    do(begun, *range(2, 7))
    at = at_step(6)
    sound(at.button(key="demo_end").click().run())
    assert query(at)["step"] == "end"
    assert "The demo has ended." in words(at)
    assert shown_on_stage(at)["charts"][0]["lines"][0]["score"] == "1 of 4"
    found = links(at)
    assert "session=demo-1-monday" in found["→ Monday"]
    assert "session=demo-1-tuesday" in found["→ Tuesday"]
    assert "→ Wednesday" not in found
    assert "playbook=demo+1" in found["→ Playbook “demo 1”"]
    sound(at.button(key="demo_close").click().run())
    assert "demo" not in query(at)
    assert "Step" not in words(at)
    assert len(begun.sessions.summaries(PIPELINE)) == 2


def test_begin_anew_takes_another_playbook(begun):
    do(begun, 2)
    at = at_step("end")
    sound(at.button(key="demo_anew").click().run())
    assert (query(at)["demo"], number_of(at)) == ("demo 2", 1)
    sound(at.button(key="demo_next").click().run())
    assert {session.id for session in begun.sessions.summaries(PIPELINE)} == {"demo-1-monday", "demo-2-monday"}


def test_what_cannot_be_done_is_told_and_the_step_stays(begun, monkeypatch):
    at = at_step(1)
    begun.playbooks("demo 1")
    from agents.errors import RunInProgressError

    def refuse(*_: object, **__: object) -> None:
        raise RunInProgressError("The session is being run. Stop it first.")

    monkeypatch.setattr(begun, "start", refuse)
    sound(at.button(key="demo_next").click().run())
    assert number_of(at) == 1
    assert "Stop it first." in said(at)


def test_next_needs_a_key_where_the_model_does(begun):
    at = sound(page(pipeline=PIPELINE, demo="demo 1", step="1", model="gemini-flash-latest"))
    assert at.button(key="demo_next").disabled


def test_the_curve_takes_the_place_of_the_session_only_where_its_own_session_is_shown(begun):
    do(begun, *range(2, 13))
    at = at_step(12)
    sound(at.button(key="demo_next").click().run())
    assert (number_of(at), query(at)["session"]) == (13, "demo-1-wednesday")
    assert shown_on_stage(at)["charts"][0]["lines"][0]["score"] == "6 of 10"
    assert shown_on_stage(at)["fills"]
    assert "demo_full" in containers(at.main)
    elsewhere = sound(page(pipeline=PIPELINE, session="demo-1-monday", demo="demo 1", step="13"))
    assert not shown_on_stage(elsewhere)["fills"]
    assert "demo_full" not in containers(elsewhere.main)
    assert "Show this step" in labels(elsewhere)
