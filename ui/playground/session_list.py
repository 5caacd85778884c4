"""The list of a pipeline's sessions in the sidebar: new, open, search, and undo of a deletion.

One radio group draws all rows, so a list of hundreds costs as much as one of ten.
"""

from __future__ import annotations

import streamlit as st

from agents import SessionSummary
from ui.cli.terminal_words import kind_of_model
from ui.playground import actions
from ui.state import imports, places
from ui.state.places import Place
from ui.text.labels import ago, plain, status_words, title_of, told_apart

SEARCH_FROM = 9
"""Least number of sessions with a search box."""
SHOWN = 100
"""Most rows; the search finds the others."""


def show(place: Place) -> None:
    """Draws the list."""
    with st.sidebar:
        st.button(
            r"\+ New session",
            key="new_session",
            width="stretch",
            disabled=place.address.session is None,
            on_click=actions.open_session,
            args=(place.pipeline.name, None),
        )
        _undo()
        imports.show(place.manager.catalog)
        _broken(place)
        _rows(place)


def _broken(place: Place) -> None:
    broken = place.manager.catalog.broken
    if not broken:
        return
    many = "1 pipeline" if len(broken) == 1 else f"{len(broken)} pipelines"
    with st.popover(f"{many} not loaded", icon=":material/warning:", width="stretch", key="broken"):
        for name, traceback in broken.items():
            places.broken_pipeline(name, traceback)


def _undo() -> None:
    gone: actions.Deleted | None = st.session_state.get(actions.DELETED)
    if gone is None:
        return
    with st.container(key="undo", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"Deleted “{plain(title_of(gone.title, length=22))}”", width="stretch")
        st.button("Undo", key="undo_delete", type="tertiary", on_click=actions.restore, args=(gone.pipeline, gone.session))


def _rows(place: Place) -> None:
    sessions = place.sessions
    if not sessions:
        st.caption("Each run is kept here as a session, and can be opened again.")
        return
    if len(sessions) >= SEARCH_FROM:
        sessions = _found(sessions)
    ids = [session.id for session in sessions[:SHOWN]]
    st.session_state["session_choice"] = place.address.session if place.address.session in ids else None
    titles = {session.id: told_apart(plain(title_of(session.title)), session.id) for session in sessions}

    def picked() -> None:
        chosen = st.session_state["session_choice"]
        if chosen in ids:  # a row that was just renamed comes back under its old name
            actions.open_session(place.pipeline.name, chosen)

    with st.container(key="sessions"):
        st.radio(
            "Sessions",
            ids,
            key="session_choice",
            format_func=lambda session: titles.get(session, session),
            captions=[_caption(session) for session in sessions[:SHOWN]],
            on_change=picked,
            label_visibility="collapsed",
        )
    if len(sessions) > SHOWN:
        st.caption(f"… and {len(sessions) - SHOWN} older ones. Search to find them.")


def _found(sessions: list[SessionSummary]) -> list[SessionSummary]:
    words = st.text_input(
        "Search sessions", key="session_search", placeholder="Search", label_visibility="collapsed", type="search", live=True
    )
    needles = (words or "").casefold().split()
    found = [s for s in sessions if all(needle in s.title.casefold() for needle in needles)]
    if not found:
        st.caption("No session has these words in its title.")
    return found


def _caption(session: SessionSummary) -> str:
    told = (
        status_words(session.status),
        plain(kind_of_model(session.model, simulated=session.simulated)),
        ago(session.updated_at),
    )
    return " · ".join(filter(None, told))
