"""The panel of a step: the task, what the learner answers it with, hints, and what the log says in the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import assert_never

import streamlit as st

from agents.lessons import (
    FindFault,
    Investigate,
    Make,
    Modify,
    Play,
    Predict,
    Stage,
    Step,
    StepProgress,
    choices_in,
    is_meant_by_log,
)
from ui.lessons import actions, build_step, play_step, words
from ui.lessons.found import OpenLesson
from ui.lessons.selection import hand_in_button
from ui.state import navigation
from ui.state.options import faults
from ui.text.labels import many, plain, title_of
from ui.text.visible_text import visible_directions as markdown


def show(lesson: OpenLesson, step: Step, done: StepProgress, stage: Stage) -> None:
    """Draws the panel."""
    number = lesson.lesson.steps.index(step) + 1
    st.subheader(
        f"{number}. {plain(step.title or step.id)}  :small[:blue-badge[{many(step.points, 'point')}]]", anchor=False
    )
    st.markdown(markdown(step.text))
    if not isinstance(step, (Modify, Make)):
        sent = step.run.message or next(iter(lesson.pipeline.card.samples), "")
        st.caption(f"The run is sent: “{plain(title_of(sent, length=120))}”")
    match step:
        case Predict():
            _predict(lesson, step, done, stage)
        case Investigate():
            _when_ended(lesson, step, done, stage, _find)
        case FindFault():
            _when_ended(lesson, step, done, stage, _fault)
        case Modify() | Make():
            build_step.show(lesson, step, done)
        case Play():
            play_step.show(lesson, step, done, stage)
        case _:
            assert_never(step)
    _verdict(step, done)
    if done.is_over:
        _next(lesson, number)
    else:
        _help(lesson, step, done)


def _predict(lesson: OpenLesson, step: Predict, done: StepProgress, stage: Stage) -> None:
    if done.status == "open" and (step.pause is None or stage == "asks"):
        with st.form(f"predict_{step.id}", border=False):
            _radio(lesson, step.id, [one.text for one in step.choices])
            key = _choice_key(lesson, step.id)
            st.form_submit_button(
                words.of("hand_in", lesson.here),
                key="hand_in",
                type="primary",
                on_click=actions.choose,
                args=(lesson.name, step.id, key),
            )
        return
    if not done.is_over:
        if stage == "new":
            _start(lesson, step)
        elif done.status == "waiting":
            _under_way("The run is under way; the log will say who is right.")
        else:
            _under_way("The run is under way. It waits for your prediction when it is there.")
        return
    lines = []
    for choice in step.choices:
        right = is_meant_by_log(choice, done.truth)
        mine = " — your answer" if choice.value == done.answer and done.tries else ""
        lines.append(f"{'✓' if right else '✗' if mine else '·'} {plain(choice.text)}{mine}")
    if done.status != "given_up":
        st.markdown("  \n".join(lines))
        st.caption(f"The log says: {plain(title_of(str(done.truth), length=160))}")


def _when_ended(
    lesson: OpenLesson,
    step: Investigate | FindFault,
    done: StepProgress,
    stage: Stage,
    draw: Callable[[OpenLesson, Investigate | FindFault, StepProgress], None],
) -> None:
    """Draws what is asked once the run has ended; before that the way there."""
    if stage == "new":
        _start(lesson, step)
    elif stage != "ended":
        _under_way("The run is under way.")
    elif not done.is_over:
        draw(lesson, step, done)


def _find(lesson: OpenLesson, step: Investigate | FindFault, done: StepProgress) -> None:
    assert isinstance(step, Investigate)
    if (names := choices_in(step, lesson.desk.log(lesson.name, done))) is None:
        _hand_in(lesson, step)
        return
    with st.form(f"find_{step.id}", border=False):
        key = _choice_key(lesson, step.id)
        st.radio(words.of("choose", lesson.here), names, key=key, index=None, format_func=plain)
        st.form_submit_button(
            words.of("hand_in", lesson.here),
            key="hand_in",
            type="primary",
            on_click=actions.name_it,
            args=(lesson.name, step.id, key),
        )


def _fault(lesson: OpenLesson, step: Investigate | FindFault, done: StepProgress) -> None:
    assert isinstance(step, FindFault)
    if "event" not in done.found or done.seq is None:
        _hand_in(lesson, step)
        return
    st.success("That is the event. What happened?", icon=":material/check:")
    with st.form(f"cause_{step.id}", border=False):
        _radio(lesson, step.id, [one.text for one in step.causes])
        st.form_submit_button(
            words.of("hand_in", lesson.here),
            key="hand_in",
            type="primary",
            on_click=actions.say_cause,
            args=(lesson.name, step.id, _choice_key(lesson, step.id), done.seq),
        )


def _hand_in(lesson: OpenLesson, step: Step) -> None:
    hand_in_button(words.of("selected", lesson.here), partial(actions.hand_in, lesson.name, step.id))


def _radio(lesson: OpenLesson, step: str, texts: list[str]) -> None:
    st.radio(
        words.of("choose", lesson.here),
        range(len(texts)),
        key=_choice_key(lesson, step),
        index=None,
        format_func=lambda place: plain(texts[place]),
    )


def _choice_key(lesson: OpenLesson, step: str) -> str:
    return f"choice_{lesson.name}_{step}"


def _start(lesson: OpenLesson, step: Step) -> None:
    st.button(
        words.of("start", lesson.here), key="start", type="primary", on_click=actions.begin, args=(lesson.name, step.id)
    )


def _under_way(what: str) -> None:
    st.info(what, icon=":material/hourglass_top:")


def _verdict(step: Step, done: StepProgress) -> None:
    """Draws what was said of the last answer, and in the end what there is to know."""
    if done.status == "solved":
        st.success(f"Right: {many(done.points, 'point')}.", icon=":material/check_circle:")
    elif done.status == "given_up":
        st.info("Given up: no points.", icon=":material/flag:")
    elif done.status == "failed":
        st.warning(markdown(done.said) if done.said else "The log says otherwise.", icon=":material/close:")
    elif done.said:
        st.warning(markdown(done.said), icon=":material/lightbulb:")
    elif done.tries and not done.found and done.status == "open":
        st.warning("That is not it yet. Look again.", icon=":material/close:")
    if done.is_over:
        if isinstance(step, FindFault):
            st.markdown(f":red[⚡] {plain(faults.in_words(step.fault))}")
        if step.reveal:
            st.markdown(markdown(step.reveal))


def _help(lesson: OpenLesson, step: Step, done: StepProgress) -> None:
    for number, text in enumerate(step.hints[: done.hints], start=1):
        st.info(f"**{number}.** {markdown(text)}", icon=":material/lightbulb:")
    with st.container(key="lesson_help", horizontal=True, gap="small"):
        if done.hints < len(step.hints):
            st.button(words.of("hint", lesson.here), key="hint", on_click=actions.hint, args=(lesson.name, step.id))
        st.button(
            words.of("give_up", lesson.here),
            key="give_up",
            type="tertiary",
            on_click=actions.give_up,
            args=(lesson.name, step.id),
        )


def _next(lesson: OpenLesson, number: int) -> None:
    if number < len(lesson.lesson.steps):
        there = lesson.lesson.steps[number]
        with st.container(key="lesson_next"):
            navigation.to_lesson(words.of("next", lesson.here), lesson.name, lesson.here, step=there.id)
        return
    st.success(f"The lesson is over: {lesson.points} of {many(lesson.lesson.points, 'point')}.", icon=":material/flag:")
    navigation.to_lessons(words.of("all", lesson.here), lesson.here)
