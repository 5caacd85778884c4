"""What is read apart from the steps: the handout, which is made to be printed, and the teacher's notes."""

from __future__ import annotations

import streamlit as st

from agents.lessons import COURSE, ENGLISH, languages, load_course
from ui.access import owner
from ui.lessons import words
from ui.lessons.found import OpenLesson
from ui.state import navigation
from ui.state.address import Address
from ui.text.labels import plain
from ui.text.visible_text import visible_directions

HANDOUT = "handout"


def of_course(here: Address) -> None:
    """Draws the handout or the notes of the course."""
    course = load_course(here.language or ENGLISH)
    navigation.to_lessons(words.of("all", here), here)
    words.choose_language(languages(COURSE), here)
    _page(course.title, course.handout, course.notes, here)


def of_lesson(lesson: OpenLesson) -> None:
    """Draws the handout or the notes of a lesson."""
    here, shown = lesson.here, lesson.lesson
    navigation.to_lesson(f"← {plain(shown.title)}", lesson.name, here)
    words.choose_language(languages(lesson.name), here)
    questions = "\n".join(f"{number}. {_indented(step.text)}" for number, step in enumerate(shown.steps, start=1))
    _page(shown.title, f"{shown.goal}\n\n{shown.handout}\n\n{questions}", f"{shown.goal}\n\n{shown.notes}", here)


def _page(title: str, handout: str, notes: str, here: Address) -> None:
    with st.container(key="lesson_reading", width=760):
        if here.topic != HANDOUT and not owner.is_owner():
            st.info("The notes are for the teacher.", icon=":material/lock:")
            return
        st.header(plain(title), anchor=False)
        st.markdown(visible_directions(handout if here.topic == HANDOUT else notes))


def _indented(text: str) -> str:
    return text.strip().replace("\n", "\n   ")
