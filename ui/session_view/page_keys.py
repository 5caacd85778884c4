"""Keys of every page: the stage, the list of keys and the glossary, with their buttons in the side bar."""

from __future__ import annotations

import streamlit as st
from streamlit.components import v2

from ui.browser.component_script import component_script
from ui.shell import styles
from ui.shell.appearance import PACKAGE

_STYLES = (PACKAGE / "assets" / "stage.css", PACKAGE / "assets" / "dialogs.css")
_BUTTONS = """
.page-keys { display: flex; flex-wrap: wrap; gap: 0.5rem; }
button {
  background: none; border: 1px solid color-mix(in srgb, var(--st-text-color) 22%, transparent); border-radius: 0.5rem;
  color: inherit; cursor: pointer; font: inherit; font-size: 0.875rem; padding: 0.25rem 0.6rem;
}
button:hover { background: color-mix(in srgb, var(--st-text-color) 7%, transparent); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
kbd { font-family: var(--st-code-font); font-size: 12px; opacity: 0.8; }
"""
_mount = v2.component(
    "page_keys", js=component_script(PACKAGE / "session_view" / "js" / "page_keys.js", "page_keys"), css=_BUTTONS
)


def show(written: int) -> None:
    """Draws the buttons.

    Args:
        written: How often the script has written the page's URL; after each time the stage puts its part back.
    """
    for style in _STYLES:
        styles.apply(style)
    with st.sidebar:
        _mount(key="page_keys", data={"written": written})
