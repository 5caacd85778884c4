"""The Sessions page of a database without sessions: what a session is, and how to get one."""

from __future__ import annotations

import streamlit as st

from ui.state import navigation
from ui.state.address import Address

_TAUGHT = """
A **session** is one conversation with a pipeline, with everything that happened in it: messages, answers, tool calls, state,
prompts and errors. Each run is kept as one.

- Here you find any of them again, by a word that was said, an agent, a tool, an error or a state key.
- Tags keep the good ones together. What you delete can be brought back.
- Select two to see where they part: the same question with another model, or a fork beside its origin.
"""


def welcome(here: Address) -> None:
    """Draws it."""
    with (
        st.container(key="sessions_welcome_page", horizontal_alignment="center"),
        st.container(key="sessions_welcome", width=720),
    ):
        st.subheader("No session yet", anchor=False)
        st.markdown(_TAUGHT)
        navigation.to_new_session("▶ Run a pipeline", "iterative_writing", here)
