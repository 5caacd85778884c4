"""Every lesson holds: solutions pass, each known mistake gets its hint, doing nothing gets no point; the course is whole."""

from __future__ import annotations

import asyncio
import re

import pytest

from agents.lessons import languages, load_course, load_lesson, prove
from agents.pipelines import Catalog, load_built_in
from agents.pipelines.catalog import BUILT_IN

LESSONS = {name: load_lesson(load_built_in(name)) for name in BUILT_IN}
READ = {
    *("title", "goal", "notes", "handout", "steps", "text", "reveal", "hint", "hints"),
    *("choices", "causes", "wrong", "edit", "label"),
}
"""What of a lesson is read by a learner or a teacher, or has such texts below it."""


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_holds(name):
    proofs = asyncio.run(prove(LESSONS[name], load_built_in(name), Catalog()))
    assert [proof for proof in proofs if proof.problem] == []
    for step in LESSONS[name].steps:
        tried = [proof.tried for proof in proofs if proof.step == step.id]
        assert tried[:2] == ["reference", "nothing"]
        assert [one for one in tried if one.startswith("wrong")] == [f"wrong {at}" for at in range(1, len(step.wrong) + 1)]


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_teaches_in_each_way_and_tells_what_was_learned(name):
    lesson = LESSONS[name]
    assert {step.kind for step in lesson.steps} >= {"predict", "investigate", "modify", "find_fault"}
    assert 10 <= lesson.minutes <= 15
    assert all(step.title and step.reveal for step in lesson.steps)
    assert lesson.notes
    assert lesson.handout


@pytest.mark.parametrize("name", LESSONS)
def test_no_two_mistakes_of_a_step_have_the_same_hint(name):
    for step in LESSONS[name].steps:
        choices = getattr(step, "choices", getattr(step, "causes", ()))
        hints = [one.hint for one in (*step.wrong, *choices) if one.hint]
        assert len(set(hints)) == len(hints)


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
    """The texts that are read, by their places."""
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
    same = {text for place, text in english.items() if japanese[place] == text}
    assert [text for text in same if not re.fullmatch(r"[A-Z]\w+|[\d.]+", text)] == [], "only names and numbers stay"
