"""The few rules that Streamlit's theme cannot express: a page that fills the window, rows of the session list.

Selects by keys that our own code gives (`st-key-…`). Knows no content.
"""

from __future__ import annotations

import streamlit as st

from ui.web.appearance import PACKAGE


def apply() -> None:
    """Puts the style sheet into the page."""
    st.html(PACKAGE / "assets" / "page.css")
