"""The page of a lesson: its steps one after the other, and beside them the session that the open step is about."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from agents.lessons import Play, Stage, StepProgress, languages
from agents.models import price_rows
from ui.access import owner
from ui.dependencies import streamlit_private
from ui.lessons import actions, steps, words
from ui.lessons.found import OpenLesson
from ui.session_view import session_view
from ui.state import address, navigation, notices, runs
from ui.state.options import families
from ui.text.labels import plain
from ui.text.visible_text import visible_directions

HEIGHT = 640
"""Pixels of the session."""
_SIGNS = {"solved": "✓", "failed": "✗", "given_up": "–", "open": "", "waiting": "…"}


def show(lesson: OpenLesson) -> None:
    """Draws the page."""
    step = lesson.step
    stage = lesson.desk.stage(lesson.name, step, lesson.done[step.id])
    done = lesson.desk.progress(lesson.name, lesson.lesson)  # the stage may have scored it
    lesson = OpenLesson(lesson.pipeline, lesson.lesson, lesson.desk, done, lesson.here)
    _name_session(lesson)
    _head(lesson)
    notices.show()
    _steps(lesson)
    with st.container(key="lesson_desk"):
        with st.container(key="lesson_step"):
            steps.show(lesson, step, done[step.id], stage)
        with st.container(key="lesson_session_side"):
            _session(lesson, done[step.id], stage)


def _name_session(lesson: OpenLesson) -> None:
    """Has the address name the step and its session: there the session view writes what is selected."""
    here = lesson.here
    named = replace(here, step=lesson.step.id, session=lesson.done[lesson.step.id].session)
    if named.session and named != here and not streamlit_private.is_history_navigation():
        address.go(named if named.session == here.session else replace(named, at=None, event=None))


def _head(lesson: OpenLesson) -> None:
    here = lesson.here
    with st.container(key="lesson_head", horizontal=True, vertical_alignment="center", gap="small"):
        navigation.to_lessons(words.of("all", here), here)
        st.header(plain(lesson.lesson.title), anchor=False, width="stretch")
        words.choose_language(languages(lesson.name), here)
        with st.popover("Lesson", type="tertiary", key="lesson_menu"), st.container(width=300, gap="small"):
            navigation.to_lesson(words.of("handout", here), lesson.name, here, topic="handout")
            if owner.is_owner():
                navigation.to_lesson(words.of("notes", here), lesson.name, here, topic="notes")
            navigation.to_pattern(lesson.name, here, "In the Gallery")
            st.button(words.of("reset", here), key="lesson_reset", on_click=actions.reset, args=(lesson.name,))
    st.markdown(visible_directions(lesson.lesson.goal))


def _steps(lesson: OpenLesson) -> None:
    over = sum(one.is_over for one in lesson.done.values())
    most = lesson.lesson.points
    with st.container(key="lesson_steps", horizontal=True, vertical_alignment="center", gap="xxsmall"):
        for number, step in enumerate(lesson.lesson.steps, start=1):
            status = lesson.done[step.id].status
            is_open = step.id == lesson.step.id
            label = f"{number} {plain(step.title or step.id)}{f' {_SIGNS[status]}' if _SIGNS[status] else ''}"
            with st.container(key=f"lesson_{'open' if is_open else 'other'}_{step.id}", width="content"):
                navigation.to_lesson(label, lesson.name, lesson.here, step=step.id, session=lesson.done[step.id].session)
        st.caption(words.progress(lesson.here, over, len(lesson.lesson.steps), lesson.points, most), width="content")


def _session(lesson: OpenLesson, done: StepProgress, stage: Stage) -> None:
    manager = runs.manager()
    session = done.session if stage != "new" else None
    session_view(
        pipeline=lesson.name,
        session=session,
        tree=families.tree_of(lesson.pipeline),
        written=address.written(),
        running=stage == "running",
        empty=(lesson.pipeline.card.title, lesson.pipeline.card.summary),
        prices=price_rows(manager.models.preferences.price_table),
        height=HEIGHT,
        key=f"lesson_session_{lesson.step.id}",  # each step begins with the list of events
        on_answer=partial(actions.answer, lesson.name, session) if session and isinstance(lesson.step, Play) else None,
    )
