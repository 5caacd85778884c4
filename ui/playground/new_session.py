"""A new session with an id and a start state of the user's choice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import streamlit as st

from agents import PlaygroundError, StateInputError
from ui.state import address, runs
from ui.state.notices import action
from ui.text.json_text import read_json

if TYPE_CHECKING:
    from ui.state.places import Place

_ID, _STATE = "new_session_id", "new_session_state"
SCOPES = ("app:", "user:")
"""Prefixes of state that outlives a session; keys without one belong to the session."""


def show(place: Place) -> None:
    """Draws the button and its form."""
    form = st.popover("With id or state …", key="new_session_form", width="stretch", type="tertiary")
    with form, st.form("create_session", border=False):
        st.text_input("Session id", key=_ID, placeholder="optional, must be free", max_chars=128)
        st.text_area(
            "Start state, as JSON",
            json.dumps({**place.pipeline.card.first_state, **place.options.state}, ensure_ascii=False, indent=2),
            key=f"{_STATE}_{place.pipeline.name}",
            height=170,
            help="Keys without a prefix belong to the session, user: to all your sessions, app: to everybody's.",
        )
        st.form_submit_button("Create it", type="primary", on_click=create, args=(place.pipeline.name,), width="stretch")


@action
def create(pipeline: str) -> None:
    """Creates the session and shows it; what was typed stays if it cannot be used."""
    state = read_state(st.session_state[f"{_STATE}_{pipeline}"])
    session_id = st.session_state[_ID].strip() or None
    try:
        made = runs.manager().sessions.create(pipeline, state=state, session_id=session_id)
    except ValueError as error:
        if isinstance(error, PlaygroundError):
            raise
        raise StateInputError(str(error)) from None
    st.session_state[_ID] = ""
    address.open_session(pipeline, made)


def read_state(text: str) -> dict[str, Any]:
    """The start state in a text.

    Raises:
        StateInputError: It is no JSON object, or has a key that no session can begin with.
    """
    found = read_json(text or "{}", what="The start state", cure='Write it like {"topic": "a lighthouse"}.')
    if not isinstance(found, dict):
        raise StateInputError('The start state must be a JSON object, like {"topic": "a lighthouse"}.')
    state = cast("dict[str, Any]", found)
    for key in state:
        _check_key(key)
    return state


def _check_key(key: str) -> None:
    scope, colon, name = key.rpartition(":")
    if not colon:
        return
    if f"{scope}:" == "temp:":
        raise StateInputError(f"{key} cannot be set: temp: state belongs to one run and is not stored.")
    if key == "app:playbook":
        raise StateInputError("app:playbook is a playbook, not a value. Choose one by its setting, or on the Playbook page.")
    if f"{scope}:" not in SCOPES or not name.strip():
        raise StateInputError(f"{key[:100]} has no scope that there is. Use a plain key, user:… or app:….")
