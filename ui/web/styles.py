"""Style sheets for what Streamlit's theme cannot express: a page that fills the window, rows of the session list.

They select by the keys of our own containers (`st-key-…`), and write `:--name` for Streamlit's own elements: a selector of
`streamlit_private.SELECTORS`, put in here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import streamlit as st

from ui.dependencies.streamlit_private import SELECTORS
from ui.web.appearance import PACKAGE

PAGE = PACKAGE / "assets" / "page.css"
_NAME = re.compile(r":--([a-z-]+)")


def apply(sheet: Path = PAGE) -> None:
    """Puts a style sheet into the page; without one, that of every page."""
    st.html(f"<style>{rules(sheet)}</style>")


@cache
def rules(sheet: Path) -> str:
    """A style sheet with Streamlit's selectors for their names.

    Raises:
        KeyError: A name is not one of `SELECTORS`.
    """
    return _NAME.sub(lambda found: SELECTORS[found[1]], sheet.read_text(encoding="utf-8"))
