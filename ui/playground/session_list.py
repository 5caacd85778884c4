"""The sidebar of the Playground: a new session, undo of a deletion, broken pipelines, and the list of sessions."""

from __future__ import annotations

import streamlit as st

from ui.playground import actions, new_session
from ui.session_list.component import compact_list
from ui.state import imports, places
from ui.state.notices import DELETED, Deleted
from ui.state.places import Place
from ui.text.labels import plain, title_of


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
        new_session.show(place)
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
