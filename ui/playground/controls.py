"""The controls of a pipeline: switches, choices and numbers that agents read from state.

The first few are in a row, the others fold away behind it. A change is an event of the open session; before a session
exists, the URL keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import streamlit as st

from agents import PlaygroundError
from agents.pipelines import Control
from ui.playground import actions
from ui.state.options import control_values
from ui.state.places import Place
from ui.state.quick_input import if_chosen, key_for
from ui.text.labels import plain

IN_A_ROW = 2
"""Most controls in the row; one more fits if it is the last."""
FEW = 4
"""Most short choices that are drawn side by side; more become a list."""
LABEL_WIDTH = 180
"""Width of the labels behind "More settings", in px: what is set stands in a column."""
SHORT = 40
"""Most characters of all choices together that count as short."""


def show(place: Place) -> None:
    """Draws the row, if the pipeline has any controls."""
    controls = place.pipeline.card.controls
    if not controls:
        return
    state = _state(place)
    with st.container(key="controls", horizontal=True, vertical_alignment="center", gap="medium"):
        shown = len(controls) if len(controls) <= IN_A_ROW + 1 else IN_A_ROW
        for control in controls[:shown]:
            _draw(place, control, control_values.value_of(control, state))
        if rest := controls[shown:]:
            changed = sum(control_values.value_of(control, state) != control.default for control in rest)
            with (
                st.popover(f"More settings · {changed} changed" if changed else "More settings", type="tertiary"),
                st.container(key="more_settings"),
            ):
                for control in rest:
                    _draw(place, control, control_values.value_of(control, state), label_width=LABEL_WIDTH)


def _state(place: Place) -> Mapping[str, Any]:
    if place.session is None:
        return place.options.state
    try:
        return place.manager.sessions.state(place.pipeline.name, place.session.id)
    except PlaygroundError:  # it was just deleted; the page says so in its next run
        return {}


def _draw(place: Place, control: Control, value: Any, *, label_width: int | Literal["content"] = "content") -> None:
    name = f"control_{place.pipeline.name}_{place.session.id if place.session else 'new'}_{control.key}"
    common: dict[str, Any] = {
        "disabled": place.is_missing,
        "on_change": if_chosen(actions.change_control),
        "args": (name, place.pipeline.name, place.session.id if place.session else None, control.key),
    }
    is_in_row = label_width == "content"
    if control.kind == "switch" and is_in_row:
        _switch(control, name, value, common, is_labelled=True)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", wrap=is_in_row):
        st.caption(plain(control.label), help=plain(control.help) or None, width=label_width)
        if control.kind == "switch":
            _switch(control, name, value, common, is_labelled=False)
        elif control.kind == "choice":
            _choice(control, name, value, common)
        elif control.kind == "playbook":
            _playbook(place, control, name, value, common)
        else:
            _number(control, name, value, common)
            if control.zero:
                st.caption(f"0 = {plain(control.zero)}", width="content")


def _switch(control: Control, name: str, value: Any, common: dict[str, Any], *, is_labelled: bool) -> None:
    about = plain(control.help) or None
    st.toggle(
        plain(control.label),
        key=key_for(name, value),
        help=about if is_labelled else None,
        label_visibility="visible" if is_labelled else "collapsed",
        **common,
    )


def _choice(control: Control, name: str, value: Any, common: dict[str, Any]) -> None:
    choices = [*control.choices, *([] if value in control.choices else [value])]
    given: dict[str, Any] = {"key": key_for(name, value), "label_visibility": "collapsed", **common}
    if len(choices) <= FEW and sum(map(len, choices)) <= SHORT:
        st.segmented_control(control.label, choices, format_func=plain, required=True, **given)
    else:
        st.selectbox(control.label, choices, width=200, **given)


def _playbook(place: Place, control: Control, name: str, value: str, common: dict[str, Any]) -> None:
    own = place.pipeline.name
    names = dict.fromkeys([own, *(found.name for found in place.manager.playbooks(own).names()), value or own])
    st.selectbox(
        control.label,
        list(names),
        key=key_for(name, value or own),
        accept_new_options=True,
        placeholder="Choose one, or type a new name",
        label_visibility="collapsed",
        width=200,
        **common,
    )


def _number(control: Control, name: str, value: Any, common: dict[str, Any]) -> None:
    numbers = (value, control.default, control.minimum, control.maximum)
    whole = all(number is None or float(number).is_integer() for number in numbers)
    kind = int if whole else float
    st.number_input(
        control.label,
        key=key_for(name, kind(value)),
        min_value=None if control.minimum is None else kind(control.minimum),
        max_value=None if control.maximum is None else kind(control.maximum),
        step=1 if whole else None,
        label_visibility="collapsed",
        width=130,
        **common,
    )
