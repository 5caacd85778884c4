"""The grades of a class: a folder with a folder for each learner, whose answers get the verdicts of the page.

Submissions are others' files: only YAML of teams is run, without any code or model that the step did not give.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field, JsonValue, ValidationError

from agents.errors import LessonError, PlaygroundError
from agents.lessons.copies import check_no_new_code, has_copy, original
from agents.lessons.lesson import Edit, FindFault, Investigate, Lesson, Make, Modify, Play, Predict, SaidCall, Step
from agents.lessons.lesson_file import first_problem, load_lesson
from agents.lessons.proof import Solver
from agents.lessons.queries import Part, entry_at
from agents.lessons.toml_lines import TomlText, read_toml
from agents.lessons.verdict import Answer, Verdict, score
from agents.pipeline import Pipeline
from agents.pipelines.catalog import Catalog
from agents.teams import set_field
from agents.teams.stored.files import checked, files_in

ANSWERS_FILE = "answers.toml"
_MOST_LEARNERS = 1000
_Said = Annotated[str, Field(min_length=1, max_length=4000)]


class _StepAnswer(Part):
    """What a learner hands in for a step; see the page *Lessons* of the documents."""

    value: JsonValue = None
    at: str = Field(default="", max_length=20)
    answers: tuple[_Said | SaidCall, ...] = Field(default=(), max_length=50)
    edits: tuple[Edit, ...] = Field(default=(), max_length=50)
    hints: int = Field(default=0, ge=0, le=10)


class _Submission(Part):
    lesson: str = Field(min_length=1, max_length=100)
    steps: dict[str, _StepAnswer] = Field(default_factory=dict[str, _StepAnswer])


@dataclass(frozen=True, slots=True)
class Grade:
    """What a submission is worth.

    Attributes:
        learner: Its folder's name.
        lesson: The lesson, by its pipeline; "" if it cannot be read.
        points: By step: the points, for all steps of the lesson.
        hints: By step: what is said of a wrong answer.
        most: What all steps are worth.
        error: Why it cannot be graded; "" if it can.
    """

    learner: str
    lesson: str = ""
    points: dict[str, int] = field(default_factory=dict[str, int])
    hints: dict[str, str] = field(default_factory=dict[str, str])
    most: int = 0
    error: str = ""

    @property
    def total(self) -> int:
        """All points."""
        return sum(self.points.values())


async def grade_folder(folder: Path, catalog: Catalog) -> AsyncGenerator[Grade, None]:
    """Grades the submissions of a folder, by name.

    Yields:
        A grade for each; one that cannot be read has its error, and hides no other.

    Raises:
        LessonError: There is no such folder, or it has no submission.
    """
    for one in _folders(folder):
        try:
            yield await _grade(one, catalog)
        except PlaygroundError as error:
            yield Grade(one.name, error=str(error))


def _folders(folder: Path) -> list[Path]:
    try:
        found = sorted(one for one in folder.iterdir() if one.is_dir() and not one.name.startswith("."))
    except OSError as error:
        raise LessonError(f"{str(folder)!r} cannot be read: {error.strerror}. Name the folder of submissions.") from None
    if not found:
        raise LessonError(f"There are no submissions in {str(folder)!r}: each learner has a folder with {ANSWERS_FILE}.")
    return found[:_MOST_LEARNERS]


def _read(folder: Path) -> tuple[TomlText, _Submission]:
    file = folder / ANSWERS_FILE
    if folder.is_symlink() or file.is_symlink():
        raise LessonError(f"{folder.name} is, or holds, a link. A submission is files.")
    text = read_toml(file)
    try:
        return text, _Submission.model_validate(text.data)
    except ValidationError as error:
        raise first_problem(text, error) from None


async def _grade(folder: Path, catalog: Catalog) -> Grade:
    text, given = _read(folder)
    pipeline = catalog.get(given.lesson)
    lesson = load_lesson(pipeline)
    if lesson is None:
        raise text.error(("lesson",), f"{given.lesson} has no lesson.")
    for unknown in given.steps.keys() - {step.id for step in lesson.steps}:
        raise text.error(("steps", unknown), f"the lesson has no step {unknown[:60]!r}.")
    return await _graded(folder, given, lesson, pipeline, catalog)


async def _graded(folder: Path, given: _Submission, lesson: Lesson, pipeline: Pipeline, catalog: Catalog) -> Grade:
    grade = Grade(folder.name, given.lesson, most=lesson.points)
    with tempfile.TemporaryDirectory(prefix="playground-grade-") as made:
        for step in lesson.steps:
            grade.points[step.id] = 0
            answered = given.steps.get(step.id)
            if answered is None and not _has_folder(folder, step):
                continue
            answer = answered or _StepAnswer()
            try:
                verdict = await _verdict(step, answer, folder / step.id, Solver(step, pipeline, catalog, Path(made)))
            except PlaygroundError as error:
                grade.hints[step.id] = str(error)
                continue
            grade.points[step.id] = max(0, verdict.points - answer.hints)
            if verdict.hint:
                grade.hints[step.id] = verdict.hint
    return grade


async def _verdict(step: Step, answer: _StepAnswer, folder: Path, solver: Solver) -> Verdict:
    match step:
        case Predict():
            return score(step, Answer(answer.value), await solver.log())
        case Investigate() | FindFault():
            log = await solver.log()
            entry = entry_at(log, answer.at) if answer.at else None
            return score(step, Answer(answer.value, None if entry is None else entry.seq), log)
        case Play():
            return score(step, Answer(), await solver.log(answer.answers))
        case Modify() | Make():
            before = original(solver.pipeline, step) if has_copy(step) else {}
            files = _files_of(folder) or before
            for edit in answer.edits:
                files = files if edit.control else set_field(files, edit.agent, edit.field, edit.value)
            if has_copy(step):
                check_no_new_code(before, files)
            return await solver.built(step, files, {one.control: one.value for one in answer.edits if one.control})


def _has_folder(folder: Path, step: Step) -> bool:
    return (folder / step.id).is_dir()


def _files_of(folder: Path) -> dict[str, str]:
    """The files of a team that was handed in; none if there is none."""
    if folder.is_symlink() or not folder.is_dir():
        return {}
    try:
        return checked(files_in(folder))
    except OSError as error:
        raise LessonError(f"The team in {folder.name} cannot be read: {error.strerror}.") from None
