"""The page on lessons agrees with the lessons."""

from __future__ import annotations

import asyncio
import re

from agents.lessons import grade_folder, load_course, load_lesson, read_lesson
from agents.pipelines import Catalog, load_built_in
from tests.documents.blocks import DOCS, blocks_of

PAGE = DOCS / "lessons.md"


def test_the_lesson_on_the_page_can_be_used(tmp_path):
    [block] = [block for block in blocks_of(PAGE) if "[[steps]]" in block.code]
    (tmp_path / "lesson.toml").write_text(block.code, encoding="utf-8")
    assert [step.id for step in read_lesson(tmp_path / "lesson.toml").steps] == ["tools", "result"]


def test_the_page_has_the_course():
    rows = re.findall(r"(?m)^\| \d \| (.+?) \| `(\w+)` \| (\d+) \|$", PAGE.read_text(encoding="utf-8"))
    lessons = {name: load_lesson(load_built_in(name)) for name in load_course().lessons}
    assert rows == [(lesson.title, name, str(lesson.minutes)) for name, lesson in lessons.items()]


def test_the_submission_on_the_page_is_graded(tmp_path):
    [block] = [block for block in blocks_of(PAGE) if block.code.startswith("lesson =")]
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "answers.toml").write_text(block.code, encoding="utf-8")

    async def grades():
        return [grade async for grade in grade_folder(tmp_path, Catalog())]

    [grade] = asyncio.run(grades())
    assert (grade.learner, grade.error) == ("ada", "")
    assert {step for step, points in grade.points.items() if points} == {"passes", "exit", "critic"}
