"""What a learner can do on the page of a lesson: the callbacks of its buttons. One that fails leaves a notice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from agents import LessonError
from agents.lessons import ENGLISH, Answer, LessonDesk, Make, Modify, entry_at, load_lesson
from agents.teams import YamlError, read_yaml
from ui.state import address, runs
from ui.state.notices import action
from ui.state.quick_input import chosen_now

if TYPE_CHECKING:
    from agents.pipelines import Pipeline
    from ui.session_view import Answer as Given

MOST_TEXT = 20_000


def _desk() -> LessonDesk:
    return runs.workspace().lessons.in_language(address.of_playground().language or ENGLISH)


@action
def begin(name: str, step: str) -> None:
    """Starts the run of a step."""
    _desk().begin(name, step)


@action
def again(name: str, step: str) -> None:
    """Starts it once more."""
    _desk().again(name, step)
    _unselect()


@action
def choose(name: str, step: str, key: str) -> None:
    """Hands in the answer that was chosen among others, by its place."""
    values: list[Any] = _values(name, step)
    place = st.session_state.get(key)
    if not isinstance(place, int) or not 0 <= place < len(values):
        raise LessonError("Choose one of the answers first.")
    _desk().answer(name, step, Answer(values[place]))


@action
def name_it(name: str, step: str, key: str) -> None:
    """Hands in the name that was chosen: a state key, a bullet."""
    chosen = st.session_state.get(key)
    if not isinstance(chosen, str):
        raise LessonError("Choose one of the answers first.")
    _desk().answer(name, step, Answer(chosen))


@action
def hand_in(name: str, step: str, at: str) -> None:
    """Hands in the entry that is selected in the session; `at` is its number, "" for none."""
    desk = _desk()
    lesson = load_lesson(runs.manager().catalog.get(name))
    done = desk.progress(name, lesson).get(step) if lesson else None
    entry = None if done is None else entry_at(desk.log(name, done), at)
    if entry is None:
        raise LessonError("Nothing is selected yet. Select an event in the session, then hand it in.")
    desk.answer(name, step, Answer(seq=entry.seq))


@action
def say_cause(name: str, step: str, key: str, seq: int) -> None:
    """Hands in the cause of a fault that was found at an entry."""
    values: list[Any] = _values(name, step)
    place = st.session_state.get(key)
    if not isinstance(place, int) or not 0 <= place < len(values):
        raise LessonError("Choose one of the causes first.")
    _desk().answer(name, step, Answer(values[place], seq))


@action
def change(name: str, step: str, fields: dict[str, tuple[str, str, bool]]) -> None:
    """Saves what was typed into the fields of a copy, and runs it.

    Args:
        name: The lesson.
        step: The step.
        fields: Name of the widget → agent, field, and whether it is plain text; other values are written in YAML.
    """
    desk = _desk()
    pipeline, found = _step_of(name, step)
    for key, (agent, field, is_text) in fields.items():
        if (typed := chosen_now(key)) is not None:
            desk.copies.set_field(pipeline, found, agent, field, _value(typed, field, is_text=is_text))
    desk.check(name, step)
    _unselect()


@action
def change_files(name: str, step: str, fields: dict[str, str]) -> None:
    """Saves what was typed into the files of a copy, and runs it."""
    desk = _desk()
    pipeline, found = _step_of(name, step)
    for key, file in fields.items():
        if isinstance(typed := chosen_now(key), str):
            desk.copies.set_text(pipeline, found, file, typed)
    desk.check(name, step)
    _unselect()


@action
def change_control(name: str, step: str, control: str, key: str) -> None:
    """Takes what a control was set to."""
    if (value := chosen_now(key)) is not None:
        _desk().set_control(name, step, control, value)


@action
def check(name: str, step: str) -> None:
    """Says what a run is worth."""
    _desk().check(name, step)


@action
def compare(name: str, step: str) -> None:
    """Has the model answer what the learner was asked."""
    _desk().compare(name, step)


@action
def reset_copy(name: str, step: str) -> None:
    """Gives a copy the files that it began with."""
    _desk().reset_copy(name, step)


@action
def hint(name: str, step: str) -> None:
    """Shows the next hint."""
    _desk().hint(name, step)


@action
def give_up(name: str, step: str) -> None:
    """Ends a step without its points."""
    _desk().give_up(name, step)


@action
def reset(name: str) -> None:
    """Forgets what was done in a lesson."""
    _desk().reset(name)
    address.go(replace(address.of_playground(), step=None))


@action
def answer(name: str, session: str, given: Given) -> None:
    """Answers a call in the place of a model."""
    runs.manager().answer(name, session, given.call_id, given.response)


def _unselect() -> None:
    """Takes the selected event of another run out of the address."""
    address.go(address.of_playground())


def _step_of(name: str, step: str) -> tuple[Pipeline, Modify | Make]:
    pipeline = runs.manager().catalog.get(name)
    lesson = load_lesson(pipeline)
    found = None if lesson is None else lesson.step(step)
    if isinstance(found, (Modify, Make)):
        return pipeline, found
    raise LessonError("The lesson's file was changed meanwhile. Open the lesson again.")


def _values(name: str, step: str) -> list[Any]:
    lesson = load_lesson(runs.manager().catalog.get(name))
    found = None if lesson is None else lesson.step(step)
    return [one.value for one in getattr(found, "choices", getattr(found, "causes", ()))]


def _value(typed: Any, field: str, *, is_text: bool) -> Any:
    if not isinstance(typed, str) or is_text:
        return typed
    if len(typed) > MOST_TEXT:
        raise LessonError(f"{field} has {len(typed):,} characters; it may have {MOST_TEXT:,}.")
    try:
        return read_yaml(typed).data
    except YamlError as error:
        raise LessonError(f"{field} cannot be read: {error}") from None
