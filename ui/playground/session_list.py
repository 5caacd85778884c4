"""The sidebar of the Playground: a new session, undo of a deletion, broken pipelines, and the list of sessions."""

from __future__ import annotations

import json
from typing import Any, cast

import streamlit as st

from agents import PlaygroundError, StateInputError
from ui.playground import actions
from ui.session_list.component import compact_list
from ui.state import address, imports, places, runs
from ui.state.notices import DELETED, Deleted, action
from ui.state.places import Place
from ui.text.json_text import read_json
from ui.text.labels import plain, title_of

_ID, _STATE = "new_session_id", "new_session_state"
SCOPES = ("app:", "user:")
"""Prefixes of state that outlives a session; keys without one belong to the session."""


def show(place: Place) -> None:
    """Draws them."""
    with st.sidebar:
        st.button(
            r"\+ New session",
            key="new_session",
            width="stretch",
            disabled=place.address.session is None,
            on_click=actions.open_session,
            args=(place.pipeline.name, None),
        )
        _new_session(place)
        _undo()
        imports.show(place.manager.catalog)
        _broken(place)
        compact_list(
            pipeline=place.pipeline.name,
            session=place.address.session,
            sessions=place.sessions,
            opened=place.session,
            pipelines=place.pipelines,
            on_open=actions.open_session,
        )


def _broken(place: Place) -> None:
    broken = place.manager.catalog.broken
    if not broken:
        return
    many = "1 pipeline" if len(broken) == 1 else f"{len(broken)} pipelines"
    with st.popover(f"{many} not loaded", icon=":material/warning:", width="stretch", key="broken"):
        for name, failure in broken.items():
            places.broken_pipeline(name, failure)


def _undo() -> None:
    gone: Deleted | None = st.session_state.get(DELETED)
    if gone is None:
        return
    with st.container(key="undo", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"Deleted “{plain(title_of(gone.title, length=22))}”", width="stretch")
        st.button("Undo", key="undo_delete", type="tertiary", on_click=actions.restore, args=(gone.pipeline, gone.session))


def _new_session(place: Place) -> None:
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
