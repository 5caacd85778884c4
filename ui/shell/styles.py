"""Style sheets for what Streamlit's theme cannot express, e.g. a page that fills the window.

They select the app's own containers by key (`st-key-…`), and Streamlit's elements by `:--name`, which this module replaces
by the selector in `streamlit_private.SELECTORS`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import streamlit as st

from ui.dependencies.streamlit_private import SELECTORS
from ui.shell.appearance import PACKAGE

PAGE = PACKAGE / "assets" / "page.css"
_NAME = re.compile(r":--([a-z-]+)")


def apply(sheet: Path = PAGE) -> None:
    """Adds a style sheet to the page; by default the one of every page."""
    st.html(f"<style>{rules(sheet)}</style>")


@cache
def rules(sheet: Path) -> str:
    """A style sheet with each `:--name` replaced by its selector, on one line, since Streamlit looks at each line's indent.

    Raises:
        KeyError: A name is not one of `SELECTORS`.
    """
    lines = map(str.strip, sheet.read_text(encoding="utf-8").splitlines())
    return _NAME.sub(lambda found: SELECTORS[found[1]], " ".join(lines))
