"""The course: lessons in an order, with notes for the teacher. Its file and translations stand beside this code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.lessons.lesson_file import COURSE, ENGLISH, first_problem, languages
from agents.lessons.toml_lines import read_toml

_FOLDER = Path(__file__).parent
_TEXTS = ("title", "about", "notes", "handout")


class Course(BaseModel):
    """The course.

    Attributes:
        title: A few words.
        about: What it is for, in Markdown.
        lessons: The pipelines whose lessons it has, in order.
        notes: For the teacher, in Markdown.
        handout: For the printed handout, in Markdown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

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
        told: dict[str, Any] = {name: value for name, value in text.data.items() if name in _TEXTS}
        return Course.model_validate({**course.model_dump(), **told})
    except ValidationError as error:
        raise first_problem(text, error) from None
