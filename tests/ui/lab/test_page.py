"""The Lab page, run without a browser: what it draws and what it does."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from agents import LabError
from agents.jobs import Job
from agents.lab import Lab, LabRun, Outcome, Parts, Task, report_page
from tests.ui.lab.conftest import SMALL
from tests.ui.stage import SCRIPT, labels, links, now, opened, query, said, sound, words
from ui.lab import run_view
from ui.lab.answer import LONGEST, MOST_CHANGES
from ui.lab.new_run.presets import presets
from ui.state import data_files, runs


def lab_page(**address: str) -> AppTest:
    at = AppTest.from_file(SCRIPT, default_timeout=60).run()
    return opened(at.switch_page("lab.py"), address)


def worked_on(description: str = SMALL) -> str:
    """The name of a run that the workspace has worked on to its end."""
    name = runs.workspace().lab_jobs.begin(description)
    work = runs.workspace().lab_jobs.of(name)
    assert work is not None
    work.wait()
    assert work.problem == ""
    return name


def begin(at: AppTest, text: str) -> AppTest:
    at.text_area(key=now(at, "lab_toml")).set_value(text)
    return at.button(key="lab_begin").click().run()


def test_without_a_run_the_page_says_what_one_is_and_has_one_to_begin_with(lab):
    at = sound(lab_page())
    assert "What is a playbook worth?" in words(at)
    assert "→ Guided demos, a minute or two each" in links(at)
    assert at.text_area(key=now(at, "lab_toml")).value == presets()[0].text
    assert "Lab" in links(at)


def test_the_newest_runs_are_listed_first(lab):
    for number, name in enumerate(("b", "c", "a"), start=1):
        active = lab.begin(SMALL.replace('"small"', f'"{name}"'))
        os.utime(lab.folder / active.name / "run.toml", (number, number))
    assert [label for label in links(sound(lab_page())) if label in {"**a**", "**b**", "**c**"}] == [
        "**a**",
        "**c**",
        "**b**",
    ]


def test_another_preset_changes_the_description(lab):
    at = sound(lab_page())
    sound(at.button_group(key="lab_preset").set_value(presets()[1].title).run())
    assert at.text_area(key=now(at, "lab_toml")).value == presets()[1].text


@pytest.mark.parametrize("preset", [one for one in presets() if "file =" not in one.text], ids=lambda one: one.title)
def test_a_preset_can_be_begun(lab, preset):
    active = lab.begin(preset.text)
    assert lab.open(active.name).status == "waiting"


def test_a_run_is_begun_shown_and_listed(lab):
    at = begin(sound(lab_page()), SMALL)
    work = runs.workspace().lab_jobs.of("small")
    assert work is not None
    work.wait()
    at = sound(at.run())
    assert query(at)["run"] == "small"
    assert "**0 of 8** (0.0%)" in words(at)
    assert "**online** against none: " in words(at)
    assert "Stop" not in labels(at)
    assert "Resume" not in labels(at)
    listed = sound(lab_page())
    assert "**small**" in links(listed)
    assert "✓ finished · 16 answers" in words(listed)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "name"),
        ("name = ", "TOML"),
        (SMALL.replace('"online"', '"magic"'), "magic"),
        (SMALL.replace("formulas", "horoscopes"), "horoscopes"),
        (SMALL.replace('generate = "formulas"\ncount = 8', 'file = "../secret.jsonl"'), "secret"),
        ("x" * 100_000, "TOML"),
        ('model = "nonsense"' + SMALL, "No provider answers"),
    ],
)
def test_a_wrong_description_is_refused_and_stays_in_the_form(lab, text, why):
    at = begin(sound(lab_page()), text)
    sound(at)
    assert why in said(at)
    assert at.text_area(key=now(at, "lab_toml")).value == text
    assert lab.runs() == []


def test_a_visitor_cannot_begin_a_run(lab, visit):
    visit()
    at = sound(lab_page())
    assert at.button(key="lab_begin").disabled


def test_a_run_that_was_stopped_is_resumed_to_the_same_end(lab, done):
    whole = done()
    runs.workspace().lab_jobs.begin(SMALL.replace('"small"', '"other"'))
    work = runs.workspace().lab_jobs.of("other")
    assert work is not None
    work.stop()
    work.wait()
    at = sound(lab_page(run="other"))
    assert "Resume" in labels(at)
    assert "Not finished: " in words(at)
    sound(at.button(key="lab_resume").click().run())
    again = runs.workspace().lab_jobs.of("other")
    assert again is not None
    assert again is not work
    again.wait()
    assert "Not finished: " not in words(sound(lab_page(run="other")))
    with lab.open(whole) as one, lab.open("other") as other:
        assert other.status == "finished"
        for arm in ("none", "online"):
            assert [r.answer for r in one.results(arm, 0)] == [r.answer for r in other.results(arm, 0)]


def test_the_report_is_written_when_it_is_asked_for(lab, done, monkeypatch):
    given: list[tuple[Callable[[], str], str]] = []
    written: list[str] = []
    real = run_view.st.download_button

    def button(label: str, data: Callable[[], str], name: str, *args: Any, **more: Any) -> bool:
        given.append((data, name))
        return real(label, data, name, *args, **more)

    def page(folder: Lab, name: str) -> str:
        written.append(name)
        return report_page(folder, name)

    monkeypatch.setattr(run_view.st, "download_button", button)
    monkeypatch.setattr(run_view, "report_page", page)
    at = sound(lab_page(run=done()))
    sound(at.run())
    assert (written, [name for _, name in given]) == ([], ["small.html"] * 2)
    assert "<h1>small " in given[-1][0]()
    assert written == ["small"]


def test_a_run_that_is_not_there(lab, done):
    for name in ("../lab", "x" * 300, "漢" * 100):
        at = sound(lab_page(run=name))
        assert "There is no lab run" in said(at)
        assert "→ All runs" in links(at)
    at = sound(lab_page(run=done(), beside="x" * 300))
    assert "**0 of 8** (0.0%)" in words(at)


def test_of_many_runs_an_error_names_some(lab):
    for _ in range(21):
        lab.begin(SMALL)
    assert " and 1 more." in said(sound(lab_page(run="nope"))).replace("\\", "")


def test_an_answer_is_shown_with_its_bullets_and_the_other_arms(lab, done):
    at = sound(lab_page(run=done(), sample="online:0:1"))
    assert "Question 1 of 8" in [heading.value for heading in at.subheader]
    assert "It cites none." in words(at)
    assert "**Learned** from its batch" in words(at)
    assert "**none** &ensp; :red[✗ wrong]" in words(at)
    assert at.button(key="lab_step_-1").disabled
    sound(at.button(key="lab_step_1").click().run())
    assert query(at)["sample"] == "online:0:2"
    sound(at.button(key="lab_close").click().run())
    assert "sample" not in query(at)


def test_two_runs_are_compared_in_one_chart_and_one_table(lab, done):
    done()
    done(SMALL.replace('"small"', '"other"').replace('kind = "none"', 'kind = "online"\nname = "16, batch"\nbatch = 4'))
    at = sound(lab_page(run="small"))
    assert "other: online" not in words(at)
    at = sound(at.selectbox(key="lab_beside").set_value("other").run())
    assert query(at)["beside"] == "other"
    assert "other: online" in words(at)
    assert "**online** against other: online: **+0.0 points**" in words(at)
    at = sound(at.selectbox(key="lab_beside").set_value("").run())
    assert "other: online" not in words(at)
    assert "other: online" not in words(sound(lab_page(run="small", beside="../lab")))


LEARNED = """
name = "learned"
data = { generate = "moving_world", seed = 3, count = 16, change_at = 16 }
arms = [{ kind = "online" }]
"""


def test_a_bullet_is_switched_off_and_both_answers_are_shown(lab, done):
    at = sound(lab_page(run=done(LEARNED), sample="online:0:16"))
    assert ":green[✓ right]" in words(at)
    keys = [button.key or "" for button in at.button if button.label == "Switch off"]
    verdicts = []
    for key in keys:
        at = sound(at.button(key=key).click().run())
        assert not at.error, said(at)
        assert f"**Without** :gray[{key.removeprefix('lab_off_')}]" in words(at)
        verdicts.append("The answer rests on this bullet" in words(at))
    assert any(verdicts), "an answer that was learned rests on a bullet"
    sound(at.button(key="lab_step_-1").click().run())
    assert "**Without**" not in words(at)


def test_a_bullet_is_not_blamed_for_an_answer_that_failed(lab, done, monkeypatch):
    async def failing(*_: Any, **__: Any) -> Outcome:
        return Outcome(sample="16", error="The model is away.")

    at = sound(lab_page(run=done(LEARNED), sample="online:0:16"))
    monkeypatch.setattr(Lab, "answer_again", failing)
    key = next(button.key for button in at.button if button.label == "Switch off")
    at = sound(at.button(key=key).click().run())
    assert "⚠ failed" in words(at)
    assert "The model is away." in words(at)
    assert "What failed says nothing about the bullet." in words(at)
    assert "rests on this bullet" not in words(at)


def test_the_page_says_why_answers_failed(lab, monkeypatch):
    async def fail(task: Task) -> Outcome:
        return Outcome(sample=task.sample.id, error="The **model** is away.")

    active = lab.begin(SMALL, parts=Parts(execute=fail))
    asyncio.run(active.run()).close()
    assert "none: 8 failed, and count as wrong. The first is question 1: The **model** is away." in words(
        sound(lab_page(run="small"))
    )


def test_of_a_long_text_the_beginning_is_shown(lab):
    folder = data_files.folder()
    folder.mkdir(parents=True)
    rows = [{"question": "*" + "q" * LONGEST, "answer": "a" * 100_000}]
    (folder / "long.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    name = worked_on(SMALL.replace('generate = "formulas"\ncount = 8', 'file = "long.jsonl"'))
    told = words(sound(lab_page(run=name, sample="online:0:1")))
    assert f"*{'q' * (LONGEST - 1)}… :gray[(1 more characters)]" in told
    assert f"**{'a' * LONGEST}… :gray[(98,000 more characters)]**" in told
    assert "a" * (LONGEST + 1) not in told


def test_what_an_answer_cannot_do_is_said_beside_it(lab, done, monkeypatch):
    def refuse(*_: Any, **__: Any) -> None:
        raise LabError("Not today.")

    at = sound(lab_page(run=done(LEARNED), sample="online:0:16"))
    monkeypatch.setattr(Lab, "answer_again", refuse)
    key = next(button.key for button in at.button if button.label == "Switch off")
    at = at.button(key=key).click().run()
    assert said(at) == "Not today."
    values = [getattr(one, "value", "") for one in at.main]
    assert values.index("Question 16 of 16") < values.index("Not today\\.")
    assert said(sound(at.button(key="lab_close").click().run())) == ""


def test_a_rewrite_that_lost_bullets_shows_each_with_its_text(lab, done):
    name = done('name = "fall"\ndata = { generate = "formulas", seed = 1, count = 90 }\narms = [{ kind = "rewriting" }]')
    with lab.open(name) as run:
        results = list(run.results("rewriting", 0))
        fall = max(results[1:], key=lambda one: results[one.number - 1].bullets - one.bullets)
        store = run.playbook("rewriting", 0)
        before, after = store.at(fall.before), store.at(fall.revision)
    gone = [bullet for bullet in before.bullets if bullet.id not in after]
    assert len(gone) > 10
    said_ = words(sound(lab_page(run=name, sample=f"rewriting:0:{fall.number + 1}")))
    assert f", {len(gone)} bullets removed" in said_
    shown = [bullet for bullet in gone if f":red[removed] :gray[{bullet.id}] {bullet.content}" in said_]
    assert len(shown) >= min(len(gone), MOST_CHANGES - 2)


@pytest.mark.parametrize(
    "sample", ["online", "online:0:0", "online:0:9" + "9" * 30, "online:0:12", ":::", "other:0:1", "日本:1:x"]
)
def test_an_address_that_names_no_answer_shows_the_run(lab, done, sample):
    at = sound(lab_page(run=done(), sample=sample))
    assert "**0 of 8** (0.0%)" in words(at)


def test_the_session_of_an_answer_is_opened_in_the_playground(lab, done):
    at = sound(lab_page(run=done(), sample="online:0:1"))
    sound(at.button(key="lab_session").click().run())
    [session] = runs.manager().sessions.summaries("ace")
    assert session.title == "Lab small: online, sample 1"
    assert query(at)["session"] == session.id


@pytest.mark.parametrize(("keep", "opens"), [("all", True), ("wrong", False), ("none", False)])
def test_a_session_that_was_not_kept_is_said(lab, done, keep, opens):
    at = sound(lab_page(run=done(f'keep = "{keep}"' + LEARNED), sample="online:0:16"))
    assert ":green[✓ right]" in words(at)
    button = at.button(key="lab_session")
    assert button.disabled != opens
    assert ("kept" in button.help or "keeps" in button.help) != opens


def test_a_run_leads_to_its_answers_by_buttons(lab, done):
    name = done()
    at = sound(sound(lab_page(run=name)).button(key="lab_answers").click().run())
    assert query(at)["sample"] == "online:0:1"
    at = sound(at.number_input(key="lab_question").set_value(5).run())
    assert query(at)["sample"] == "online:0:5"
    at = sound(at.button(key="lab_other_none").click().run())
    assert query(at)["sample"] == "none:0:5"
    assert "answered by **none**" in words(at)
    assert at.number_input(key="lab_question").value == 5
    at = sound(at.button(key="lab_step_1").click().run())
    assert at.number_input(key=now(at, "lab_question")).value == 6
    assert "lab_answers" not in [button.key for button in at.button]


def test_a_number_that_is_typed_and_a_step_at_once_lead_one_further(lab, done):
    at = sound(lab_page(run=done(), sample="online:0:2"))
    at.number_input(key="lab_question").set_value(5)
    at = sound(at.button(key="lab_step_1").click().run())
    assert query(at)["sample"] == "online:0:6"
    at.number_input(key=now(at, "lab_question")).set_value(8)
    at = sound(at.button(key="lab_step_1").click().run())
    assert query(at)["sample"] == "online:0:8"


def test_lines_of_the_data_that_are_no_samples_are_named(lab):
    folder = data_files.folder()
    folder.mkdir(parents=True)
    row = '{"question": "What is 1 + 1?", "answer": "2"}\n'
    (folder / "rows.jsonl").write_text(row + "{*bold*\n" * 30, encoding="utf-8")
    at = sound(lab_page(run=worked_on(SMALL.replace('generate = "formulas"\ncount = 8', 'file = "rows.jsonl"'))))
    assert "30 lines of the data are no samples and were skipped: 30 malformed." in [one.label for one in at.expander]
    assert "rows.jsonl, line 2: " in words(at)
    assert "The first 20 are listed." in words(at)


def test_differences_are_told_when_a_run_rests_and_worked_out_once(lab, monkeypatch):
    name, times = worked_on(), []
    real = LabRun.compare

    def compare(one: LabRun, *args: Any, **more: Any) -> Any:
        times.append(args)
        return real(one, *args, **more)

    monkeypatch.setattr(LabRun, "compare", compare)
    at = sound(sound(lab_page(run=name)).run())
    assert "**online** against none: " in words(at)
    assert times == [("online", "none")]
    monkeypatch.setattr(Job, "goes_on", property(lambda _: True))
    assert "is told when the run ends" in words(sound(lab_page(run=name)))


def test_a_run_is_deleted_and_brought_back(lab, done):
    name = done()
    at = sound(lab_page())
    at = sound(at.button(key=f"lab_delete_{name}").click().run())
    assert (lab.names(), f"Deleted the run **{name}**." in words(at)) == ([], True)
    assert f"lab_delete_{name}" not in [button.key for button in at.button]
    at = sound(at.button(key="lab_undo").click().run())
    assert (lab.names(), "lab_undo" in [button.key for button in at.button]) == ([name], False)
    at = sound(at.button(key=f"lab_delete_{name}").click().run())
    at = sound(at.button(key="lab_dismiss").click().run())
    assert (lab.names(), "lab_undo" in [button.key for button in at.button]) == ([], False)


def test_a_run_that_is_gone_cannot_be_deleted_again_and_a_visitor_deletes_none(lab, done, visit):
    name = done()
    at = sound(lab_page())
    lab.delete(name)
    at = at.button(key=f"lab_delete_{name}").click().run()
    assert "There is no lab run" in said(at)
    assert "lab_undo" not in [button.key for button in at.button]
    other = done()
    visit()
    assert sound(lab_page()).button(key=f"lab_delete_{other}").disabled


def test_a_deletion_that_fails_leaves_the_undo_of_the_one_before(lab, done):
    first, other = done(), done()
    at = sound(lab_page())
    at = sound(at.button(key=f"lab_delete_{first}").click().run())
    lab.delete(other)
    at = at.button(key=f"lab_delete_{other}").click().run()
    assert "There is no lab run" in said(at)
    at = sound(at.button(key="lab_undo").click().run())
    assert lab.names() == [first]


def test_a_run_with_a_damaged_database_is_said_to_be_damaged(lab, done):
    broken, whole = done(), done()
    for path in (lab.folder / broken).glob("run.db*"):
        path.unlink()
    (lab.folder / broken / "run.db").write_bytes(b"x" * 5000)
    at = sound(lab_page())
    assert "is not a SQLite database" in words(at)
    at = sound(lab_page(run=broken))
    assert "is not a SQLite database" in said(at)
    assert "→ All runs" in links(at)
    sound(lab_page(run=whole, beside=broken))
