"""Why the last action did not work, shown where it was asked for; and what was done, over the page."""

from __future__ import annotations

import streamlit as st

from ui.settings import actions
from ui.text.labels import plain


def show(where: str) -> None:
    """Draws why the last action in this part of the page did not work, if it did not."""
    problem = st.session_state.get(actions.PROBLEM)
    if problem and problem["where"] == where:
        st.error(plain(problem["text"]), icon=":material/block:")


def show_done() -> None:
    """Draws what was done last, with the way back, over the page; it stays until the next action."""
    done = st.session_state.get(actions.NOTICE)
    if not done:
        return
    with st.container(key="settings_notice", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.markdown(f":green[✓] {plain(done['text'])}", width="stretch")
        if done["undo"]:
            st.button("Undo", key="undo_last", type="tertiary", on_click=actions.undo, args=("page",))
        st.button("✕", key="dismiss", type="tertiary", help="Close", on_click=actions.dismiss)
