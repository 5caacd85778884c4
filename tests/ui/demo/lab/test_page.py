"""The page of the lab demos, run without a browser."""

from __future__ import annotations

import json
import shutil

import pytest
from streamlit.testing.v1 import AppTest

from agents.lab import CLOSED_WORLD, lab_folder
from agents.runs import folder_beside
from tests.ui.demo.shown import shown_on_stage
from tests.ui.stage import SCRIPT, labels, links, opened, page, query, said, sound, words
from ui.demo import opening
from ui.demo.lab import page as lab_page
from ui.demo.lab.demos import LAB_DEMOS
from ui.demo.preset import STORY, WATCH
from ui.demo.watch import player
from ui.demo.watch.arms import Watch
from ui.state import runs


def demo_page(**address: str) -> AppTest:
    at = AppTest.from_file(SCRIPT, default_timeout=60).run()
    return sound(opened(at.switch_page("demo.py"), address))


@pytest.mark.parametrize("name", [STORY, WATCH])
def test_a_demo_of_another_page_begins_with_a_playbook_of_its_own(lab, name):
    at = sound(demo_page().button(key=f"begin_{name}").click().run())
    assert query(at)["demo"] in {found.name for found in runs.manager().playbooks("demo").names()}
    player.stop(Watch(runs.manager(), query(at)["demo"]))  # nothing is asked once the database is closed


def press(at: AppTest, key: str) -> AppTest:
    return sound(at.button(key=key).click().run())


def waited(name: str) -> None:
    found = runs.workspace().lab_jobs.of(name)
    assert found is not None
    found.wait()
    assert found.problem == ""


def cut_off(name: str) -> str:
    """A run of a demo that was stopped at once."""
    run = lab_page.begin(LAB_DEMOS[name])
    found = runs.workspace().lab_jobs.of(run)
    assert found is not None
    found.stop()
    found.wait()
    return run


def test_without_a_name_all_demos_are_offered(lab):
    at = demo_page()
    begun = [link.proto.query_string for link in at.get("page_link") if link.proto.label == "Begin"]
    assert begun == [f"demo={name}" for name in LAB_DEMOS]
    for name in (STORY, WATCH):
        assert at.button(key=f"begin_{name}").label == "Begin"
    assert "minute" in words(at)
    assert "There is no demo “日本”" in said(demo_page(demo="日本"))


def test_a_demo_is_begun_and_shown_while_it_runs_and_afterwards(lab):
    at = demo_page(demo="world")
    assert lab.names() == []
    at = press(at, "demo_next")
    assert query(at) == {"demo": "world", "run": "demo world", "step": "1"}
    waited("demo world")
    at = sound(at.run())
    assert "Step 1 of 5" in words(at)
    assert not at.button(key="demo_next").disabled
    assert at.button(key="demo_back").disabled
    assert shown_on_stage(at)["note"] == CLOSED_WORLD
    at = press(at, "demo_next")
    assert query(at)["step"] == "2"
    assert "stale" in json.dumps(shown_on_stage(at))
    assert query(press(at, "demo_back"))["step"] == "1"


@pytest.mark.parametrize(
    ("step", "number"), [("99", 5), ("5", 5), ("0", 1), ("-1", 1), ("二", 1), ("9" * 5000, 1), ("x", 1)]
)
def test_a_step_that_is_none(kept, step, number):
    at = demo_page(demo="world", run=kept("world"), step=step)
    assert f"Step {number} of 5" in words(at)


def test_the_last_step_and_the_end_lead_to_the_lab(kept):
    at = demo_page(demo="world", run=kept("world"), step="5")
    assert links(at)["→ This run in the Lab"] == "run=demo+world"
    at = press(at, "demo_end")
    assert query(at)["step"] == "end"
    assert "The demo has ended." in words(at)
    assert links(at)["→ This run in the Lab"] == "run=demo+world"
    assert query(press(at, "demo_back"))["step"] == "5"


def test_begun_anew_it_is_another_run(kept):
    at = demo_page(demo="world", run=kept("world"), step="end")
    assert query(press(at, "demo_anew")) == {"demo": "world", "run": "demo world-2", "step": "1"}


def test_the_undo_is_done_on_the_way_to_its_step_and_once(kept, lab):
    name = kept("poison")
    at = demo_page(demo="poison", run=name, step="6")
    assert "Step 4 of 6" in words(at), "no step is shown before what it is about was done"
    other = demo_page(demo="poison", run=name, step="4")
    assert "One undo" in shown_on_stage(press(at, "demo_next"))["say"]
    assert "One undo" in shown_on_stage(press(other, "demo_next"))["say"]
    with lab.open(name) as run:
        assert [one.undoes for one in run.playbook("attacked", 0).history()].count(None) == run.playbook(
            "attacked", 0
        ).playbook().revision - 1


def test_a_run_that_was_cut_off_goes_on(lab):
    name = cut_off("world")
    at = demo_page(demo="world", run=name, step="4")
    assert "Step 1 of 5" in words(at)
    assert at.button(key="demo_next").disabled
    at = press(at, "demo_resume")
    waited(name)
    assert "Step 4 of 5" in words(sound(at.run())), "the place is kept"
    with lab.open(name) as run:
        assert run.status == "finished"


def test_the_attacked_run_is_resumed_by_its_demo_alone(lab):
    name = cut_off("poison")
    with pytest.raises(Exception, match="the data changed"):
        runs.workspace().lab_jobs.resume(name)
    lab_page.resume(LAB_DEMOS["poison"], name)
    waited(name)
    with lab.open(name) as run:
        assert len(LAB_DEMOS["poison"].figures(run)) == 6


def test_a_process_for_a_demo_has_one_run_for_all_its_tabs(lab):
    opening.begin("world")
    at, other = sound(page()), sound(page())
    assert query(at) == query(other)
    at, other = demo_page(demo="world"), demo_page(demo="world")
    assert query(at) == query(other) == {"demo": "world", "run": "demo world", "step": "1"}
    assert lab.names() == ["demo world"]
    waited("demo world")


def test_a_start_takes_up_what_was_cut_off_and_never_what_has_ended(kept, lab):
    name = kept("world")
    opening.begin("world")
    assert query(demo_page(demo="world"))["run"] == f"{name}-2"
    waited(f"{name}-2")
    cut = cut_off("poison")
    opening.begin("poison")
    assert query(demo_page(demo="poison"))["run"] == cut


def test_a_folder_that_cannot_be_written_is_said_and_can_be_tried_again(lab):
    place = lab_folder(folder_beside(runs.database()))
    place.write_text("a file in the way")
    at = press(demo_page(demo="world"), "demo_next")
    assert "cannot be made" in said(at)
    opening.begin("world")
    at = demo_page(demo="world")
    assert "cannot be made" in words(at)
    place.unlink()
    assert query(press(at, "demo_anew"))["run"] == "demo world"


def test_a_visitor_steps_through_but_begins_and_changes_nothing(kept, visit):
    name = kept("poison")
    visit()
    assert demo_page(demo="world").button(key="demo_next").disabled
    at = demo_page(demo="poison", run=name, step="3")
    assert "Read only" in words(at)
    at = press(at, "demo_next")
    assert "Step 4 of 6" in words(at)
    assert at.button(key="demo_next").disabled
    opening.begin("race")
    assert "A visitor may not start, stop or delete lab runs" in words(demo_page(demo="race"))


@pytest.mark.parametrize("run", ["nope", "../lab", "日本", "demo poison"])
def test_a_run_that_is_not_there_or_of_another_demo(kept, run):
    kept("poison")
    at = demo_page(demo="world", run=run, step="2")
    assert "The demo cannot be shown." in words(at)
    assert "Begin a new one" in labels(at)


def test_a_run_that_was_deleted_meanwhile(kept):
    name = kept("world")
    at = demo_page(demo="world", run=name, step="2")
    shutil.rmtree(lab_folder(folder_beside(runs.database())) / name)
    assert "The demo cannot be shown." in words(sound(at.run()))
    assert query(press(at, "demo_anew"))["run"] == "demo world"
