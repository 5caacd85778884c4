"""The choice of a single agent's model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui.state.options import model_choices
from ui.state.options.agent_models import RUNS_MODEL
from ui.text.labels import plain


def draw(agent: str, models: Mapping[str, str], without: str, **widget: Any) -> None:
    """Draws the choice of one agent's model.

    Args:
        agent: The agent's name.
        models: Models to choose from, name → label.
        without: Its model if none is chosen, in words.
        **widget: The widget's key and callback.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.markdown(plain(agent), width="stretch")
        st.selectbox(
            f"Model of {agent}",
            [RUNS_MODEL, *models],
            format_func=lambda name: models[name] if name else without,
            label_visibility="collapsed",
            width=270,
            **widget,
        )


def without_own(own: str, runs_model: str = "") -> str:
    """The model of an agent for which none was chosen, in words."""
    if own:
        return f"Its own: {own}"
    return f"The run's: {model_choices.short(runs_model)}" if runs_model else "The run's model"
