"""How long a call waits for the user as its model, before the usual model answers it."""

from __future__ import annotations

import streamlit as st

from agents.runs import Preferences
from ui.settings.models import actions
from ui.state.quick_input import if_chosen, key_for
from ui.text.amounts import seconds_in_words

NAME = "answer_seconds"
LIMITS = {0.0: "the run waits", 60.0: "a minute", 300.0: "five minutes", 3600.0: "an hour", 86_400.0: "a day"}
"""Seconds that are offered, in words; 0 is no limit, since a picker takes None for nothing chosen."""


def show(provider: str, preferences: Preferences) -> None:
    """Draws the choice, and how to begin."""
    st.markdown("Choose **You** as the model of a run, or of single agents under **Setup**. Nothing else is needed.")
    now = preferences.answer_seconds or 0.0
    st.selectbox(
        "While you do not answer",
        list(LIMITS) if now in LIMITS else [*LIMITS, now],
        key=key_for(NAME, now),
        format_func=_words,
        on_change=if_chosen(actions.limit_answers),
        args=(NAME, provider),
        width=330,
    )


def _words(seconds: float) -> str:
    said = LIMITS.get(seconds) or seconds_in_words(seconds)
    return f"the usual model answers after {said}" if seconds else said
