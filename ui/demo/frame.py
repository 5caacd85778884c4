"""The frame of a guided demo's bar: words on the left, buttons on the right, in one style for all demos."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from ui.shell import styles

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

END = "end"
"""The step after the last one, in the URL."""
NEXT, BACK, LAST = "demo_next", "demo_back", "demo_end"
"""Keys of the buttons."""
_STYLE = Path(__file__).with_name("bar.css")


def bar() -> DeltaGenerator:
    """The bar, with its style."""
    styles.apply(_STYLE)
    return st.container(key="demo", gap=None)


def row() -> DeltaGenerator:
    """Words and buttons beside each other."""
    return st.container(key="demo_row", horizontal=True, vertical_alignment="center", gap="medium", wrap=False)


def words() -> DeltaGenerator:
    """The words of a row."""
    return st.container(key="demo_says", width="stretch", gap="xxsmall")


def buttons() -> DeltaGenerator:
    """The buttons of a row."""
    return st.container(key="demo_buttons", horizontal=True, gap="xsmall", width="content", wrap=False)


def links() -> DeltaGenerator:
    """Links below the words."""
    return st.container(key="demo_links", horizontal=True, gap="medium")


def heading(number: int, count: int, title: str, look_for: str) -> None:
    """Draws the number of a step, its title, and what to look for."""
    st.markdown(f":gray[Step {number} of {count}] &ensp;**{title}**")
    st.markdown(look_for)


def number_in(step: str | None, most: int) -> int:
    """The number of the step that the URL names, from 1 to `most`; 1 if it names none."""
    asked = int(step) if step and step.isascii() and step.isdecimal() and len(step) <= len("999999") else 1
    return max(1, min(asked, most))
