"""Why the last action on the Lab page was not done."""

from __future__ import annotations

import streamlit as st

from ui.playground.actions import NOTICE
from ui.text.labels import plain


def show() -> None:
    """Draws it, if there is something to say."""
    if (said := st.session_state.get(NOTICE)) is not None:
        st.error(plain(said.text), icon=":material/block:")
