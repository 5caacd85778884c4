"""The part of a step in which the learner is the model of an agent, and what the model says beside it."""

from __future__ import annotations

import streamlit as st

from agents.lessons import Play, Stage, StepProgress, model_answers
from ui.lessons import actions, words
from ui.lessons.found import OpenLesson
from ui.text.labels import plain


def show(lesson: OpenLesson, step: Play, done: StepProgress, stage: Stage) -> None:
    """Draws the part."""
    agent = plain(step.agent)
    if stage == "new":
        st.button(
            words.of("start", lesson.here), key="start", type="primary", on_click=actions.begin, args=(lesson.name, step.id)
        )
    elif stage == "running":
        st.info("The run is under way.", icon=":material/hourglass_top:")
    elif stage == "asks" and not done.is_over:
        st.info(f"{agent} is asked, and you are its model: answer in the session.", icon=":material/edit:")
    elif not done.is_over:
        with st.container(horizontal=True, gap="small"):
            st.button("Check", key="check", type="primary", on_click=actions.check, args=(lesson.name, step.id))
            st.button(words.of("again", lesson.here), key="again", on_click=actions.again, args=(lesson.name, step.id))
    if done.is_over and stage == "ended":
        _compare(lesson, step, done)


def _compare(lesson: OpenLesson, step: Play, done: StepProgress) -> None:
    if done.beside is None:
        st.button(
            "What does the model answer to the same prompt?",
            key="compare",
            on_click=actions.compare,
            args=(lesson.name, step.id),
        )
        return
    mine, theirs = model_answers(
        step, lesson.desk.log(lesson.name, done), lesson.desk.log(lesson.name, done.but(session=done.beside))
    )
    for column, who, text in zip(st.columns(2), ("You", "The model"), (mine, theirs), strict=True):
        with column, st.container(border=True, gap="xsmall"):
            st.caption(who)
            st.markdown(plain(text) if text else "…")
