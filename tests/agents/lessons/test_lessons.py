"""Every lesson is true: its reference solutions are right, each known mistake gets its hint, doing nothing gets no point."""

from __future__ import annotations

import asyncio
import re
from functools import cache

import pytest

from agents.lessons import Answer, languages, load_course, load_lesson, queries, score
from agents.lessons.copies import changed_agents, original
from agents.lessons.headless import StepRunner
from agents.pipelines import Catalog, load_built_in
from agents.pipelines.catalog import BUILT_IN
from agents.teams import set_field

READ = {
    "title",
    "goal",
    "notes",
    "handout",
    "steps",
    "text",
    "reveal",
    "hint",
    "hints",
    "choices",
    "causes",
    "wrong",
    "edit",
    "label",
}

LESSONS = {name: load_lesson(load_built_in(name)) for name in BUILT_IN}


def steps(*kinds):
    return [(name, step.id) for name, lesson in LESSONS.items() for step in lesson.steps if step.kind in kinds]


def known_mistakes(*kinds):
    return [(name, id_, at) for name, id_ in steps(*kinds) for at, wrong in enumerate(LESSONS[name].step(id_).wrong)]


@cache
def log_of(name, id_):
    return entries_of(name, LESSONS[name].step(id_))


def entries_of(name, step, catalog=None, **more):
    run = asyncio.run(StepRunner(catalog or Catalog(), load_built_in(name)).run(step, **more))
    assert run.entries, run.error
    return run.entries


def changed_log(name, step, edits, folder):
    """The log of a copy of the team with these changes, and what was changed."""
    before = original(load_built_in(name), step)
    files, settings = before, {}
    for edit in edits:
        if edit.control:
            settings[edit.control] = edit.value
        else:
            files = set_field(files, edit.agent, edit.field, edit.value)
    for path, text in files.items():
        (folder / "changed" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "changed" / path).write_text(text, encoding="utf-8")
    log = entries_of(name, step, Catalog(teams=folder), of="changed", state=settings)
    return log, changed_agents(before, files) | settings.keys()


def verdict_after(name, step, edits, folder):
    log, changed = changed_log(name, step, edits, folder)
    return score(step, Answer(), log, changed=changed)


@pytest.mark.parametrize(("name", "id_"), steps("predict"))
def test_one_choice_of_a_prediction_is_right_and_each_other_has_a_hint(name, id_):
    step, log = LESSONS[name].step(id_), log_of(name, id_)
    verdicts = [score(step, Answer(choice.value), log) for choice in step.choices]
    assert [verdict.points for verdict in verdicts if verdict.right] == [step.points], verdicts[0].truth
    hints = [verdict.hint for verdict in verdicts if not verdict.right]
    assert all(hints)
    assert len(set(hints)) == len(hints)


def right_entries(step, log):
    match, number = (step.event, step.number) if step.kind == "find_fault" else (step.find.match, step.find.number)
    return queries.matching(match, log) if number == 0 else [queries.nth(match, log, number)]


def reference(step, log):
    if step.kind == "find_fault":
        return Answer(step.cause, right_entries(step, log)[0].seq)
    match step.find.what:
        case "entry":
            return Answer(seq=right_entries(step, log)[0].seq)
        case "bullet":
            return Answer(queries.answer_of(step.find.query, log)[0])
        case _:
            return Answer(step.find.key)


@pytest.mark.parametrize(("name", "id_"), steps("investigate", "find_fault"))
def test_the_reference_of_a_search_is_right(name, id_):
    step, log = LESSONS[name].step(id_), log_of(name, id_)
    verdict = score(step, reference(step, log), log)
    assert (verdict.right, verdict.points) == (True, step.points)


@pytest.mark.parametrize(("name", "id_", "at"), known_mistakes("investigate", "find_fault"))
def test_a_known_mistake_of_a_search_gets_its_hint(name, id_, at):
    step, log = LESSONS[name].step(id_), log_of(name, id_)
    wrong = step.wrong[at]
    given = (
        [Answer(wrong.answer)]
        if wrong.match is None
        else [Answer(seq=one.seq) for one in queries.matching(wrong.match, log)]
    )
    assert wrong.hint in [score(step, answer, log).hint for answer in given]


@pytest.mark.parametrize(("name", "id_"), steps("find_fault"))
def test_a_wrong_cause_gets_its_hint(name, id_):
    step, log = LESSONS[name].step(id_), log_of(name, id_)
    seq = reference(step, log).seq
    for cause in step.causes:
        verdict = score(step, Answer(cause.value, seq), log)
        assert (verdict.right, verdict.hint) == (cause.value == step.cause, "" if cause.value == step.cause else cause.hint)
        assert verdict.right or verdict.hint


@pytest.mark.parametrize(("name", "id_"), steps("modify", "make"))
def test_the_reference_change_is_right(name, id_, tmp_path):
    step = LESSONS[name].step(id_)
    verdict = verdict_after(name, step, step.solution, tmp_path)
    assert (verdict.right, verdict.points) == (True, step.points), verdict.hint


@pytest.mark.parametrize(("name", "id_", "at"), known_mistakes("modify", "make"))
def test_a_known_wrong_change_gets_its_hint(name, id_, at, tmp_path):
    step = LESSONS[name].step(id_)
    verdict = verdict_after(name, step, step.wrong[at].example, tmp_path)
    assert (verdict.right, verdict.hint) == (False, step.wrong[at].hint)


@pytest.mark.parametrize(("name", "id_"), steps("play"))
def test_the_reference_play_is_right(name, id_):
    step = LESSONS[name].step(id_)
    verdict = score(step, Answer(), entries_of(name, step, answers=step.solution.answers))
    assert (verdict.right, verdict.points) == (True, step.points), verdict.hint


@pytest.mark.parametrize(("name", "id_", "at"), known_mistakes("play"))
def test_a_known_wrong_play_gets_its_hint(name, id_, at):
    step = LESSONS[name].step(id_)
    verdict = score(step, Answer(), entries_of(name, step, answers=step.wrong[at].example.answers))
    assert (verdict.right, verdict.hint) == (False, step.wrong[at].hint)


@pytest.mark.parametrize(("name", "id_"), steps("predict", "investigate", "find_fault", "modify", "play", "make"))
def test_doing_nothing_gets_no_point(name, id_):
    step = LESSONS[name].step(id_)
    assert score(step, Answer(), log_of(name, id_)).points == 0


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_has_a_step_of_each_kind_that_teaches(name):
    assert {step.kind for step in LESSONS[name].steps} >= {"predict", "investigate", "modify", "find_fault"}
    assert 10 <= LESSONS[name].minutes <= 15
    assert all(step.title and step.reveal for step in LESSONS[name].steps)
    assert LESSONS[name].notes
    assert LESSONS[name].handout


def test_the_course_goes_from_easy_to_hard():
    course = load_course()
    levels = [LESSONS[name].level for name in course.lessons]
    assert len(levels) == 6
    assert levels == sorted(levels, key=["easy", "medium", "hard"].index)
    assert (course.lessons[0], course.lessons[-1]) == ("tool_loop", "ace")


def test_the_course_is_whole_in_japanese():
    course, japanese = load_course(), load_course("ja")
    texts = ("title", "about", "notes", "handout")
    assert [text for text in texts if getattr(course, text) == getattr(japanese, text)] == []
    assert [name for name in course.lessons if "ja" not in languages(name)] == []


def told(part, path=()):
    """The texts that a learner or a teacher reads, by their places."""
    if isinstance(part, dict):
        shown = {key: one for key, one in part.items() if key in READ}
        return {place: text for key, one in shown.items() for place, text in told(one, (*path, key)).items()}
    if isinstance(part, (list, tuple)):
        return {place: text for at, one in enumerate(part) for place, text in told(one, (*path, at)).items()}
    return {path: part} if isinstance(part, str) and part else {}


@pytest.mark.parametrize("name", load_course().lessons)
def test_a_lesson_of_the_course_is_whole_in_japanese(name):
    english = told(LESSONS[name].model_dump())
    japanese = told(load_lesson(load_built_in(name), "ja").model_dump())
    assert english.keys() == japanese.keys()
    agents = {"OrderAgent", "BillAgent", "AccessAgent", "HelpDesk", "TableProcessor", "TableValidator", "TableReporter"}
    numbers = {text for text in english.values() if re.fullmatch(r"[\d.]+", text)}
    same = {text for place, text in english.items() if japanese[place] == text}
    assert same <= agents | numbers
