"""The line of a fork below its title: its origin, and what is different."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from agents import SessionNotFoundError
from ui.forks import actions
from ui.state import navigation, runs
from ui.state.compared import text_of
from ui.text.labels import plain, title_of

if TYPE_CHECKING:
    from ui.state.places import Place

_LENGTH = 200


def show(place: Place) -> None:
    """Draws the line, if the session on the page is a fork."""
    session = place.session
    if session is None or not session.origin:
        return
    name = place.pipeline.name
    try:
        origin = runs.workspace().forks.origin(name, session.id)
    except SessionNotFoundError:  # deleted just now; the page says so in its next run
        return
    if origin is None:
        return
    what = f", with {plain(title_of(origin.what, length=_LENGTH))}" if origin.what else ", with nothing changed"
    there = place.manager.sessions.find(name, origin.session)
    with st.container(key="fork_head", horizontal=True, vertical_alignment="center", gap="small"):
        if there is None:
            st.caption(f"Fork of a session that was deleted{what}", width="content")
            return
        number = place.manager.sessions.event_number(name, origin.session, origin.seq)
        title = plain(title_of(there.title, length=60))
        st.caption(f"Fork of “{title}” after event {number}{what}", width="content")
        order = (name, origin.session, number)
        st.button("Open the origin", key="open_origin", type="tertiary", on_click=actions.open_origin, args=order)
        navigation.to_comparison("Compare", place.address, text_of([(name, origin.session), (name, session.id)]))
