"""The part of a step in which a team is changed or made: fields of the learner's copy, or controls of the pipeline."""

from __future__ import annotations

from typing import Any

import streamlit as st
import yaml

from agents import PlaygroundError
from agents.lessons import Make, Modify, StepProgress, has_copy
from agents.pipelines import Control
from agents.teams import YamlError, outline, read_yaml
from ui.lessons import actions, words
from ui.lessons.found import OpenLesson
from ui.state import navigation
from ui.state.options import control_values
from ui.state.quick_input import key_for
from ui.text.labels import plain

_YAML = (".yaml", ".yml")
_SHORT = 200
"""Characters of a text that a low field shows."""


def show(lesson: OpenLesson, step: Modify | Make, done: StepProgress) -> None:
    """Draws the part."""
    if has_copy(step):
        _copy(lesson, step)
    if isinstance(step, Modify):
        _controls(lesson, step, done)
    with st.container(key="copy_tools", horizontal=True, gap="small"):
        if not has_copy(step):
            st.button("Run and check", key="check", type="primary", on_click=actions.check, args=(lesson.name, step.id))
        elif lesson.desk.copies.are_teams:
            st.button("Check", key="check_copy", on_click=actions.check, args=(lesson.name, step.id))
            navigation.to_team("Open your copy in Build", lesson.desk.copies.name(lesson.pipeline, step), lesson.here)
        st.button("As it began", key="reset_copy", type="tertiary", on_click=actions.reset_copy, args=(lesson.name, step.id))


def _copy(lesson: OpenLesson, step: Modify | Make) -> None:
    try:
        files = lesson.desk.copies.open(lesson.pipeline, step).files
    except PlaygroundError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    with st.form(f"copy_{step.id}", border=False):
        if step.edit:
            fields = _fields(lesson, step, files)
            st.form_submit_button(
                "Save, run and check",
                key="change",
                type="primary",
                on_click=actions.change,
                args=(lesson.name, step.id, fields),
            )
        else:
            texts: dict[str, str] = {}
            for file in sorted(name for name in files if name.endswith(_YAML)):
                texts[f"{step.id}_file_{file}"] = file
                st.text_area(words.label(file), key=key_for(f"{step.id}_file_{file}", files[file]), height=220)
            st.form_submit_button(
                "Save, run and check",
                key="change",
                type="primary",
                on_click=actions.change_files,
                args=(lesson.name, step.id, texts),
            )


def _fields(lesson: OpenLesson, step: Modify | Make, files: dict[str, str]) -> dict[str, tuple[str, str, bool]]:
    """Draws the fields; widget name → agent, field, whether it is plain text."""
    drawn: dict[str, tuple[str, str, bool]] = {}
    nodes = {node.name: node for node in outline(files).walk()}
    for place in (one for one in step.edit if one.agent):
        node, label = nodes.get(place.agent), words.label(place.label or f"{place.agent}: {place.field}")
        if node is None:
            st.caption(f"{plain(place.agent)} is not in your copy any more.")
            continue
        name, value = f"{lesson.name}_{step.id}_{place.agent}_{place.field}", _value(files, node.file, place.field)
        is_text = isinstance(value, str) or place.field in {"instruction", "description"}
        drawn[name] = (place.agent, place.field, is_text)
        if isinstance(value, int) and not isinstance(value, bool):
            st.number_input(label, key=key_for(name, value), step=1)
        else:
            text = str(value or "") if is_text else _written(value)
            st.text_area(label, key=key_for(name, text), height=110 if len(text) < _SHORT else 240)
    return drawn


def _value(files: dict[str, str], file: str, field: str) -> Any:
    try:
        data = read_yaml(files.get(file, "")).data
    except YamlError:
        return None
    return data.get(field) if isinstance(data, dict) else None


def _written(value: Any) -> str:
    return "" if value is None else yaml.safe_dump(value, sort_keys=False, allow_unicode=True)


def _controls(lesson: OpenLesson, step: Modify, done: StepProgress) -> None:
    known = {control.key: control for control in lesson.pipeline.card.controls}
    state = {**lesson.pipeline.card.first_state, **step.run.settings, **done.controls}
    for place in (one for one in step.edit if one.control in known):
        _control(lesson, step, known[place.control], place.label, state)


def _control(lesson: OpenLesson, step: Modify, control: Control, label: str, state: dict[str, Any]) -> None:
    name = f"{lesson.name}_{step.id}_{control.key}"
    key = key_for(name, control_values.value_of(control, state))
    shown: dict[str, Any] = {
        "key": key,
        "help": control.help or None,
        "on_change": actions.change_control,
        "args": (lesson.name, step.id, control.key, name),
    }
    text = words.label(label or control.label)
    match control.kind:
        case "switch":
            st.toggle(text, **shown)
        case "choice":
            st.selectbox(text, control.choices, **shown)
        case "number":
            st.number_input(text, min_value=control.minimum, max_value=control.maximum, **shown)
        case _:
            st.text_input(text, **shown)
