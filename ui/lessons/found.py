"""The lesson that the address names, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import streamlit as st

from agents import LessonError, PipelineLoadError, PipelineNotFoundError
from agents.lessons import ENGLISH, Lesson, LessonDesk, Step, StepProgress, load_lesson
from agents.pipelines import Pipeline
from ui.access import owner
from ui.state import navigation, places, runs
from ui.state.address import Address
from ui.text.labels import plain

_OPENED = "opened_steps"
"""By lesson: the step that an address without one opened."""


@dataclass(frozen=True)
class OpenLesson:
    """A lesson, and how far its learner is.

    Attributes:
        pipeline: The pipeline that it is about.
        lesson: The lesson in the language of the page.
        desk: The learner's desk.
        done: What was done, by step.
        here: The address.
    """

    pipeline: Pipeline
    lesson: Lesson
    desk: LessonDesk
    done: dict[str, StepProgress]
    here: Address

    @property
    def name(self) -> str:
        """The pipeline's name, which is the lesson's."""
        return self.pipeline.name

    @property
    def step(self) -> Step:
        """The step that is open: the one that the address names, else the first that was not over when it was opened."""
        opened = st.session_state.setdefault(_OPENED, {})
        if (named := self.lesson.step(self.here.step or opened.get(self.name, ""))) is not None:
            return named
        ahead = (step for step in self.lesson.steps if not self.done[step.id].is_over)
        step = next(ahead, self.lesson.steps[-1])
        opened[self.name] = step.id
        return step

    @property
    def points(self) -> int:
        """What the learner has so far."""
        return sum(one.points for one in self.done.values())


def find(here: Address) -> OpenLesson:
    """The lesson that the address names; else shows why there is none, and ends the page."""
    manager = places.manager()
    try:
        pipeline = manager.catalog.get(here.pipeline or "")
    except (PipelineNotFoundError, PipelineLoadError):
        _nothing(here, f"There is no lesson named {(here.pipeline or '')[:100]}. The link may be from another machine.")
    try:
        lesson = load_lesson(pipeline, here.language or ENGLISH)
    except LessonError as error:
        why = str(error) if owner.is_owner() else "Its file cannot be read."
        _nothing(here, f"The lesson of {pipeline.card.title} cannot be shown. {why}")
    if lesson is None:
        _nothing(here, f"{pipeline.card.title} has no lesson with steps yet. Its page in the Gallery explains it.")
    desk = runs.workspace().lessons
    return OpenLesson(pipeline, lesson, desk, desk.progress(pipeline.name, lesson), here)


def _nothing(here: Address, why: str) -> NoReturn:
    with st.container(key="whole_page", horizontal_alignment="center").container(width=720):
        st.warning(plain(why), icon=":material/search_off:")
        navigation.to_lessons("→ All lessons", here)
    raise navigation.NothingToShow
