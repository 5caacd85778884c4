"""The last action's problem, shown where it was started, or its notice, shown over the page."""

from __future__ import annotations

import streamlit as st

from ui.settings import actions
from ui.text.labels import plain


def show(where: str) -> None:
    """Draws the problem of the last action, if it was started in this part of the page."""
    problem = st.session_state.get(actions.PROBLEM)
    if problem and problem["where"] == where:
        st.error(plain(problem["text"]), icon=":material/block:")


def show_done() -> None:
    """Draws the last action's notice with its undo, over the page, until the next action."""
    done = st.session_state.get(actions.NOTICE)
    if not done:
        return
    with st.container(key="settings_notice", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.markdown(f":green[✓] {plain(done['text'])}", width="stretch")
        if done["undo"]:
            st.button("Undo", key="undo_last", type="tertiary", on_click=actions.undo, args=("page",))
        st.button("✕", key="dismiss", type="tertiary", help="Close", on_click=actions.dismiss)
