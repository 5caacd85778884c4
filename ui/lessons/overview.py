"""The course and all other lessons, with what the learner has done of each."""

from __future__ import annotations

import streamlit as st

from agents import LessonError, PlaygroundError
from agents.lessons import COURSE, ENGLISH, Lesson, LessonDesk, languages, load_course, load_lesson, to_csv
from ui.access import owner
from ui.lessons import words
from ui.state import imports, navigation, places, runs
from ui.state.address import Address
from ui.text.labels import many, plain
from ui.text.visible_text import visible_directions


def show(here: Address) -> None:
    """Draws the page."""
    course = load_course(here.language or ENGLISH)
    desk = runs.workspace().lessons
    with st.container(key="lessons_head", horizontal=True, vertical_alignment="center", gap="medium"):
        st.header(plain(course.title), anchor=False, width="stretch")
        words.choose_language(languages(COURSE), here)
        navigation.to_lessons(words.of("handout", here), here, topic="handout")
        if owner.is_owner():
            navigation.to_lessons(words.of("notes", here), here, topic="notes")
    st.markdown(visible_directions(course.about))
    manager = places.manager()
    imports.show(manager.catalog)
    with st.container(key="course_lessons", gap="small"):
        for number, name in enumerate(course.lessons, start=1):
            _row(name, f"{number}. ", desk, here)
    st.subheader(words.of("more", here), anchor=False)
    with st.container(key="more_lessons", gap="small"):
        for name in manager.catalog.names():
            if name not in course.lessons:
                _row(name, "", desk, here)
    _table(desk, here)


def _row(name: str, number: str, desk: LessonDesk, here: Address) -> None:
    try:
        pipeline = runs.manager().catalog.get(name)
        lesson = load_lesson(pipeline, here.language or ENGLISH)
    except LessonError as error:
        st.warning(plain(str(error) if owner.is_owner() else f"The lesson of {name} cannot be read."))
        return
    except PlaygroundError:
        return
    if lesson is None:
        return
    progress = desk.progress(name, lesson)
    done = progress.values()
    over, points = sum(one.is_over for one in done), sum(one.points for one in done)
    ahead = next((step.id for step in lesson.steps if not progress[step.id].is_over), None)
    with st.container(key=f"lesson_row_{name}", border=True, horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(gap="xxsmall", width="stretch"):
            navigation.to_lesson(f"**{number}{plain(lesson.title)}**", name, here, step=ahead)
            st.caption(f"{plain(pipeline.card.title)} · {_about(lesson, here)}")
        st.caption(words.progress(here, over, len(lesson.steps), points, lesson.points), width="content")


def _about(lesson: Lesson, here: Address) -> str:
    return f"{lesson.minutes} min · {words.of(lesson.level, here)} · {many(len(lesson.steps), 'step')}"


def _table(desk: LessonDesk, here: Address) -> None:
    """Offers what was done as a file: the owner gets all learners."""
    st.download_button(
        words.of("csv", here),
        lambda: to_csv(desk.table()),
        "lessons.csv",
        mime="text/csv",
        key="lessons_csv",
        icon=":material/download:",
        on_click="ignore",
    )
