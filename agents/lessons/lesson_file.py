"""Lesson files: `lesson.toml` beside a pipeline's agents, the course, and translations. Errors name file and line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from pydantic import Field, ValidationError

from agents.errors import LessonError
from agents.lessons.lesson import Lesson, Modify, Play, Predict, Step
from agents.lessons.queries import Part
from agents.lessons.toml_lines import TomlText, read_toml
from agents.pipeline import Pipeline, describe_tree

LESSON_FILE = "lesson.toml"
ENGLISH = "en"
COURSE = "course"
_FOLDER = Path(__file__).parent
_SHOWN = 80
_LESSON_TEXTS = ("title", "goal", "notes", "handout")
_STEP_TEXTS = ("title", "text", "reveal")
_COURSE_TEXTS = ("title", "about", "notes", "handout")


def load_lesson(pipeline: Pipeline, language: str = ENGLISH) -> Lesson | None:
    """The lesson of a pipeline; None if it has none.

    Args:
        pipeline: The pipeline.
        language: The language of its texts; what is not translated stays English.

    Raises:
        LessonError: Its file, or the translation's, cannot be read as one; the message names the file and the line.
    """
    path = pipeline.folder / LESSON_FILE
    if not path.is_file():
        return None
    if not path.resolve().is_relative_to(pipeline.folder.resolve()):
        raise LessonError(f"{path}, line 1: it is a link to a file outside of the pipeline's folder. Copy the file.")
    text = read_toml(path)
    lesson = _read(text)
    _check_agents(lesson, pipeline, text)
    if language == ENGLISH or language not in languages(pipeline.name):
        return lesson
    return _translated(lesson, read_toml(_FOLDER / language / f"{pipeline.name}.toml"))


def read_lesson(path: Path) -> Lesson:
    """Reads a lesson's file, without looking at the pipeline.

    Raises:
        LessonError: It is none; the message names the file and the line.
    """
    return _read(read_toml(path))


def _read(text: TomlText) -> Lesson:
    try:
        return Lesson.model_validate(text.data)
    except ValidationError as error:
        raise first_problem(text, error) from None


def languages(name: str) -> list[str]:
    """The languages that a lesson, or the `COURSE`, has texts in; English is the first."""
    found = sorted(one.parent.name for one in _FOLDER.glob(f"*/{name}.toml")) if name.isidentifier() else []
    return [ENGLISH, *found]


def first_problem(text: TomlText, error: ValidationError) -> LessonError:
    """What is wrong first with a file, with its line."""
    problems = error.errors(include_url=False)
    first = problems[0]
    missing = first["loc"][-1:] if first["type"] == "missing" else ()
    known: list[str | int] = []
    for part in first["loc"]:  # a union's branch is named in the place, and stands in no file
        if _value(text.data, (*known, part)) is not None:
            known.append(part)
    known += missing
    where = ".".join(str(part + 1) if isinstance(part, int) else part[:_SHOWN] for part in known)
    context: Mapping[str, Any] = first.get("ctx") or {}
    match first["type"]:
        case "missing":
            why = "it is missing. Add it."
        case "extra_forbidden":
            why = "there is no such key here. Remove it, or look for a typing error."
        case "union_tag_invalid":
            why = f"{str(context.get('tag'))[:_SHOWN]!r} is unknown. Write one of {context.get('expected_tags')}."
        case "union_tag_not_found":
            why = f"the key {context.get('discriminator')} is missing. Add it."
        case _:
            shown = json.dumps(first["input"], ensure_ascii=False, default=str)[:_SHOWN]
            why = f"{first['msg'].removeprefix('Value error, ')}. It is {shown}."
    more = f" More problems: {len(problems) - 1}." if len(problems) > 1 else ""
    return text.error(tuple(known), f"{where or 'the lesson'}: {why}{more}")


def _value(data: Any, place: Sequence[str | int]) -> Any:
    for part in place:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _check_agents(lesson: Lesson, pipeline: Pipeline, text: TomlText) -> None:
    """Checks that the agents that steps name are the pipeline's."""
    names = set(_names(describe_tree(pipeline.root_agent)))
    for at, step in enumerate(lesson.steps):
        for place, agent in _agents_of(step):
            if agent not in names:
                why = f"the pipeline has no agent {agent[:_SHOWN]!r}. There are: {', '.join(sorted(names))}."
                raise text.error(("steps", at, *place), why)


def _names(tree: Mapping[str, Any]) -> list[str]:
    below = (*tree["children"], *cast("dict[str, Any]", tree.get("agent_tools") or {}).values())
    return [tree["name"], *(name for child in below for name in _names(child))]


def _agents_of(step: Step) -> list[tuple[tuple[str | int, ...], str]]:
    match step:
        case Predict() if step.pause:
            return [(("pause", "agent"), step.pause.agent)]
        case Modify():
            edited = [(("edit", at, "agent"), one.agent) for at, one in enumerate(step.edit) if one.agent]
            return [*edited, *((("keep", at), name) for at, name in enumerate(step.keep))]
        case Play():
            return [(("agent",), step.agent)]
        case _:
            return []


# -- translations


def _translated(lesson: Lesson, text: TomlText) -> Lesson:
    """A lesson with a translation's texts; nothing else of it can be changed."""
    fields = {name: _text_of(text, (name,)) for name in _LESSON_TEXTS if name in text.data}
    steps: Any = text.data.get("steps") or {}
    known = {step.id for step in lesson.steps}
    for key in text.data.keys() - {*_LESSON_TEXTS, "steps"}:
        raise text.error((key,), f"{key}: a translation has no such key. Remove it.")
    if not isinstance(steps, dict):
        raise text.error(("steps",), "steps: write [steps.ID], with a step's id.")
    for key, given in cast("dict[str, Any]", steps).items():
        if key not in known or not isinstance(given, dict):
            raise text.error(
                ("steps", key), f"the lesson has no step {key[:_SHOWN]!r}. There are: {', '.join(sorted(known))}."
            )
    made = [_step(step, text) if step.id in steps else step for step in lesson.steps]
    return lesson.model_copy(update={**fields, "steps": tuple(made)})


def _step(step: Step, text: TomlText) -> Step:
    given: Mapping[str, Any] = text.data["steps"][step.id]
    update: dict[str, Any] = {}
    for key in given:
        place = ("steps", step.id, key)
        if key in _STEP_TEXTS:
            update[key] = _text_of(text, place)
        elif key == "hints":
            update[key] = tuple(_text_of(text, (*place, at)) for at in range(_length(text, place, len(step.hints))))
        elif key in {"choices", "causes", "wrong", "edit"} and (parts := getattr(step, key, None)) is not None:
            _length(text, place, len(parts))
            update[key] = tuple(_part(part, key, text, (*place, at)) for at, part in enumerate(parts))
        else:
            raise text.error(place, f"{key}: a translation of this step has no such key. Remove it.")
    return step.model_copy(update=update)


def _part(part: Any, key: str, text: TomlText, place: tuple[str | int, ...]) -> Any:
    if key in {"wrong", "edit"}:
        return part.model_copy(update={"hint" if key == "wrong" else "label": _text_of(text, place)})
    given = _value(text.data, place)
    if not isinstance(given, dict) or not cast("dict[str, Any]", given).keys() <= {"text", "hint"}:
        raise text.error(place, 'write { text = "…", hint = "…" }.')
    return part.model_copy(update={name: _text_of(text, (*place, name)) for name in cast("dict[str, Any]", given)})


def _length(text: TomlText, place: tuple[str | int, ...], wanted: int) -> int:
    given = _value(text.data, place)
    if not isinstance(given, list) or len(cast("list[Any]", given)) != wanted:
        raise text.error(
            place, f"{place[-1]}: the lesson has {wanted} of them, in a list. Translate all of them, in their order."
        )
    return wanted


def _text_of(text: TomlText, place: tuple[str | int, ...]) -> str:
    given = _value(text.data, place)
    if not isinstance(given, str):
        raise text.error(place, f"{place[-1]}: write a text.")
    return given


# -- the course


class Course(Part):
    """The course.

    Attributes:
        title: A few words.
        about: What it is for, in Markdown.
        lessons: The pipelines whose lessons it has, in order.
        notes: For the teacher, in Markdown.
        handout: For the printed handout, in Markdown.
    """

    title: str = Field(min_length=1, max_length=120)
    about: str = ""
    lessons: tuple[str, ...] = Field(min_length=1)
    notes: str = ""
    handout: str = ""


def load_course(language: str = ENGLISH) -> Course:
    """The course; what is not translated stays English.

    Raises:
        LessonError: A file of it cannot be read; the message names the file and the line.
    """
    text = read_toml(_FOLDER / f"{COURSE}.toml")
    try:
        course = Course.model_validate(text.data)
        if language == ENGLISH or language not in languages(COURSE):
            return course
        text = read_toml(_FOLDER / language / f"{COURSE}.toml")
        told: dict[str, Any] = {name: value for name, value in text.data.items() if name in _COURSE_TEXTS}
        return Course.model_validate({**course.model_dump(), **told})
    except ValidationError as error:
        raise first_problem(text, error) from None
