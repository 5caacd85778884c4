"""A learner at a lesson: runs wait for predictions, what is done is kept, and each learner has copies of their own."""

from __future__ import annotations

import csv
import io
import time
import tomllib
from pathlib import Path

import pytest

from agents.access import OWNER, teacher, user_of, visitor
from agents.errors import LessonError
from agents.lessons import Answer, Lesson, read_lesson
from agents.lessons import desk as desk_module
from agents.lessons.progress import to_csv
from agents.workspace import Workspace

NAME = "iterative_writing"
LESSON = read_lesson(Path(__file__).with_name("desk_lesson.toml"))
"""A lesson of the tests' own, so that the pipeline's can be written anew."""
PATIENCE = 30.0


@pytest.fixture(autouse=True)
def own_lesson(monkeypatch):
    monkeypatch.setattr(desk_module, "load_lesson", lambda *_: LESSON)


@pytest.fixture(params=["memory", "file"])
def workspace(request, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    with Workspace(tmp_path / "play.db" if request.param == "file" else None) as made:
        yield made


LIN = user_of("learner-lin")


@pytest.fixture(params=[OWNER, visitor("ada"), LIN], ids=["owner", "visitor", "learner"])
def learner(request):
    return request.param


@pytest.fixture
def desk(workspace, learner):
    return workspace.as_user(learner).lessons


def lesson_of(workspace):
    return LESSON


def until(workspace, desk, step_id, wanted):
    """Waits until a step's run is at a stage; the progress then."""
    lesson = lesson_of(workspace)
    ends = time.monotonic() + PATIENCE
    while True:
        done = desk.progress(NAME, lesson)[step_id]
        stage = desk.stage(NAME, lesson.step(step_id), done)
        if stage == wanted:
            return desk.progress(NAME, lesson)[step_id]
        assert time.monotonic() < ends, stage
        time.sleep(0.02)


def play(workspace, desk, *said):
    for text in said:
        done = until(workspace, desk, "critic", "asks")
        [call] = [one for one in desk._runs.pending(NAME) if one.session_id == done.session]
        desk._runs.answer(NAME, done.session, call.call_id, {"text": text})
    return until(workspace, desk, "critic", "ended")


def test_a_run_does_not_start_before_its_prediction_and_the_first_one_counts(workspace, desk):
    with pytest.raises(LessonError, match="waits for your prediction"):
        desk.begin(NAME, "passes")
    with pytest.raises(LessonError, match="none of the answers"):
        desk.answer(NAME, "passes", Answer("whatever"))
    assert desk.answer(NAME, "passes", Answer("critic")).status in {"waiting", "failed"}
    done = until(workspace, desk, "passes", "ended")
    assert (done.status, done.points, done.truth) == ("failed", 0, "escalated")
    assert done.said.startswith("The critic only says so")
    assert desk.answer(NAME, "passes", Answer("escalated")) == done


def test_a_right_prediction_gets_its_points(workspace, desk):
    desk.answer(NAME, "passes", Answer("escalated"))
    done = until(workspace, desk, "passes", "ended")
    assert (done.status, done.points) == ("solved", 2)


def test_steps_about_the_same_run_share_its_session(workspace, desk):
    desk.answer(NAME, "passes", Answer("escalated"))
    session = until(workspace, desk, "passes", "ended").session
    assert desk.begin(NAME, "who_writes").session == session
    assert desk.begin(NAME, "stale").session != session


def test_an_answer_is_scored_by_the_log_and_each_hint_costs_a_point(workspace, desk):
    desk.begin(NAME, "who_writes")
    until(workspace, desk, "who_writes", "ended")
    wrong = desk.answer(NAME, "who_writes", Answer("current_document"))
    assert (wrong.status, wrong.said[:26]) == ("open", "That is what both work on.")
    desk.hint(NAME, "who_writes")
    assert desk.hint(NAME, "who_writes").hints == 1  # there is one
    right = desk.answer(NAME, "who_writes", Answer("criticism"))
    assert (right.status, right.points, right.tries) == ("solved", 1, 2)
    assert desk.give_up(NAME, "who_writes") == right


def test_hints_are_in_the_language_of_the_desk(workspace, desk, monkeypatch):
    wrong = LESSON.step("who_writes").wrong[0]
    step = LESSON.step("who_writes").model_copy(update={"wrong": (wrong.model_copy(update={"hint": "どちらも使います。"}),)})
    translated = LESSON.model_copy(update={"steps": tuple(step if one.id == step.id else one for one in LESSON.steps)})
    monkeypatch.setattr(desk_module, "load_lesson", lambda _, language: translated if language == "ja" else LESSON)
    desk.begin(NAME, "who_writes")
    until(workspace, desk, "who_writes", "ended")
    assert desk.in_language("ja").answer(NAME, "who_writes", Answer("current_document")).said == "どちらも使います。"
    assert desk.answer(NAME, "who_writes", Answer("current_document")).said == wrong.hint


@pytest.mark.parametrize("step", ["passes", "who_writes", "critic"])
def test_a_run_that_was_stopped_is_begun_again(workspace, desk, step, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "1")
    done = desk.answer(NAME, step, Answer("escalated")) if step == "passes" else desk.begin(NAME, step)
    desk._runs.stop(NAME, done.session)
    stopped = until(workspace, desk, step, "new")
    assert (stopped.status, stopped.points) == ("waiting" if step == "passes" else "open", 0)
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    assert desk.begin(NAME, step).session != done.session
    assert until(workspace, desk, step, "asks" if step == "critic" else "ended").status == (
        "solved" if step == "passes" else "open"
    )


def test_an_answer_before_the_end_of_the_run_is_refused(desk):
    with pytest.raises(LessonError, match="has not ended"):
        desk.answer(NAME, "who_writes", Answer("criticism"))


def test_a_hidden_fault_is_found_by_its_event_and_then_its_cause(workspace, desk):
    desk.begin(NAME, "stale")
    done = until(workspace, desk, "stale", "ended")
    log = desk.log(NAME, done)
    bodies = " ".join(f"{entry.kind} {entry.body}" for entry in log)
    assert "fault" not in bodies.replace("default", "")
    assert "refuse:" not in bodies
    [seq] = [entry.seq for entry in log if entry.kind == "event" and entry.fields().get("error_code")]
    refined = next(entry.seq for entry in log if entry.kind == "event" and entry.fields()["author"] == "RefinerAgent")
    assert desk.answer(NAME, "stale", Answer(seq=refined)).said.startswith("The refiner does what it reads")
    found = desk.answer(NAME, "stale", Answer(seq=seq))
    assert (found.status, found.found) == ("open", ("event",))
    assert desk.answer(NAME, "stale", Answer("satisfied", seq)).said.startswith("A satisfied critic")
    solved = desk.answer(NAME, "stale", Answer("refused", seq))
    assert (solved.status, solved.points) == ("solved", 3)


def test_a_change_is_checked_on_a_copy_that_is_reset_by_one_call(workspace, desk):
    step = lesson_of(workspace).step("shorter")
    pipeline = workspace.catalog.get(NAME)
    assert desk.check(NAME, "shorter").said == "Nothing is changed yet."
    desk.copies.set_field(pipeline, step, "RefinementLoop", "max_iterations", 3)
    assert desk.check(NAME, "shorter").said.startswith("It is the right field.")
    desk.copies.set_field(pipeline, step, "CriticAgent", "instruction", "Say that all is well.")
    assert desk.check(NAME, "shorter").said.startswith("A critic who finds nothing")
    desk.copies.reset(pipeline, step)
    assert desk.check(NAME, "shorter").said == "Nothing is changed yet."
    desk.copies.set_field(pipeline, step, "RefinementLoop", "max_iterations", 2)
    done = desk.check(NAME, "shorter")
    assert (done.status, done.points) == ("solved", 3)
    assert any(entry.kind == "loop_finished" for entry in desk.log(NAME, done))


def test_a_copy_that_cannot_run_says_why(workspace, desk):
    step = lesson_of(workspace).step("shorter")
    desk.copies.set_field(workspace.catalog.get(NAME), step, "RefinementLoop", "max_iterations", "many")
    assert "max_iterations" in desk.check(NAME, "shorter").said


def test_the_copies_of_others_are_no_teams_and_bring_no_code(workspace):
    ada, bob = (workspace.as_user(visitor(name)).lessons for name in ("ada", "bob"))
    step, pipeline = lesson_of(workspace).step("shorter"), workspace.catalog.get(NAME)
    ada.copies.set_field(pipeline, step, "RefinementLoop", "max_iterations", 2)
    assert (ada.check(NAME, "shorter").status, bob.check(NAME, "shorter").status) == ("solved", "open")
    assert workspace.teams.names() == []
    for field, value in (("tools", [{"name": ".tools.os"}]), ("model", "gemini-pro-latest")):
        with pytest.raises(LessonError, match="does not come with this step"):
            ada.copies.set_field(pipeline, step, "CriticAgent", field, value)
    with pytest.raises(LessonError, match="no YAML file"):
        ada.copies.set_text(pipeline, step, "tools.py", "import os")


def test_the_owners_copy_is_a_team_in_build(workspace):
    desk = workspace.lessons
    desk.copies.open(workspace.catalog.get(NAME), lesson_of(workspace).step("shorter"))
    assert workspace.teams.names() == ["iterative_writing_shorter"]


def test_the_learner_plays_an_agent(workspace, desk):
    desk.begin(NAME, "critic")
    play(workspace, desk, "Length: add a sentence.", "No major issues found.")
    done = desk.check(NAME, "critic")
    assert (done.status, done.points) == ("solved", 2)


def test_what_was_done_is_kept_and_reset_and_seen_by_its_learner_and_the_owner_alone(workspace):
    ada, bob = (workspace.as_user(visitor(name)).lessons for name in ("ada", "bob"))
    ada.hint(NAME, "stale")
    bob.give_up(NAME, "stale")
    assert [line.learner for line in workspace.lessons.table()] == ["visitor-ada", "visitor-bob"]
    [line] = ada.table()
    assert (line.learner, line.step, line.progress.hints) == ("visitor-ada", "stale", 1)
    ada.reset(NAME)
    assert [line.learner for line in workspace.lessons.table()] == ["visitor-bob"]


def test_a_learner_cannot_reach_the_run_of_another(workspace):
    ada, bob = (workspace.as_user(visitor(name)).lessons for name in ("ada", "bob"))
    ada.begin(NAME, "stale")
    done = until(workspace, ada, "stale", "ended")
    assert ada.log(NAME, done)
    assert bob.log(NAME, done) == []


def test_a_teacher_sees_what_learners_have_done_and_learners_themselves(workspace):
    lin, ada, tea = (workspace.as_user(user).lessons for user in (LIN, visitor("ada"), teacher("tea")))
    for desk in (lin, ada):
        desk.hint(NAME, "stale")
    assert [line.learner for line in tea.table()] == ["learner-lin"]
    assert [line.learner for line in lin.table()] == ["learner-lin"]


def test_the_table_as_csv_has_no_formula(workspace):
    desk = workspace.lessons
    desk.hint(NAME, "stale")
    [line] = desk.table()
    [head, row] = csv.reader(io.StringIO(to_csv([replace_learner(line, "=cmd|' /C calc'!A0")])))
    assert (head[0], row[0], row[2], row[3]) == ("learner", "'=cmd|' /C calc'!A0", "stale", "open")


def replace_learner(line, name):
    return line._replace(learner=name)


def test_progress_survives_a_restart(tmp_path):
    with Workspace(tmp_path / "play.db") as workspace:
        workspace.lessons.hint(NAME, "stale")
    with Workspace(tmp_path / "play.db") as workspace:
        assert workspace.lessons.progress(NAME, lesson_of(workspace))["stale"].hints == 1


def test_a_run_pauses_before_a_call_until_the_prediction_is_made(workspace, desk, monkeypatch):
    from agents.lessons.lesson import Pause

    lesson = lesson_of(workspace)
    paused = lesson.steps[0].model_copy(update={"pause": Pause(agent="CriticAgent", call=2)})
    lesson = lesson.model_copy(update={"steps": (paused, *lesson.steps[1:])})
    monkeypatch.setattr(desk_module, "load_lesson", lambda *_: lesson)
    desk.begin(NAME, "passes")
    ends = time.monotonic() + PATIENCE
    while desk.stage(NAME, paused, done := desk.progress(NAME, lesson)["passes"]) != "asks":
        assert time.monotonic() < ends
        time.sleep(0.02)
    passes = [entry for entry in desk.log(NAME, done) if entry.kind == "loop_iteration"]
    assert len(passes) == 2
    desk.answer(NAME, "passes", Answer("escalated"))
    while desk.stage(NAME, paused, done := desk.progress(NAME, lesson)["passes"]) != "ended":
        assert time.monotonic() < ends
        time.sleep(0.02)
    assert desk.progress(NAME, lesson)["passes"].status == "solved"


def test_each_run_has_a_playbook_of_its_own_which_learns_without_the_owners_approval(workspace, desk, monkeypatch):
    question = "A shop has current assets of 120 and current liabilities of 80. What is its current ratio?\nAnswer: 1.50"
    text = f"""
title = "T"
minutes = 5
level = "easy"
goal = "G"
[[steps]]
id = "one"
kind = "investigate"
text = "?"
run = {{ message = {question!r}, settings = {{ playbook_name = "lesson" }} }}
find = {{ what = "state", key = "x" }}
""".replace("'A shop", '"A shop').replace("1.50'", '1.50"')
    lesson = Lesson.model_validate(tomllib.loads(text))
    monkeypatch.setattr(desk_module, "load_lesson", lambda *_: lesson)
    ends = time.monotonic() + PATIENCE
    for _ in range(2):
        desk.again("ace", "one")
        while desk.stage("ace", lesson.steps[0], desk.progress("ace", lesson)["one"]) != "ended":
            assert time.monotonic() < ends
            time.sleep(0.02)
    learned = [info for info in workspace.runs.playbooks("ace").names() if info.name.startswith("lesson_")]
    assert [info.bullets > 0 for info in learned] == [True, True]
