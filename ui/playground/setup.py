"""The Setup panel: what the pipeline is about, models of single agents, and faults of the next runs."""

from __future__ import annotations

import streamlit as st

from ui.playground import agent_panel, fault_panel
from ui.state import navigation
from ui.state.options import agent_models, faults
from ui.state.places import Place
from ui.text.labels import plain
from ui.text.visible_text import visible_directions

WIDTH = 460
"""Pixels."""


def show(place: Place) -> None:
    """Draws the panel and its button, which shows the numbers of faults and of agents with a model of their own."""
    with (
        st.popover(_label(place), type="tertiary", key="setup"),  # a tooltip would lie over the panel
        st.container(width=WIDTH, gap="small", key="setup_panel"),
    ):
        if place.options.llm_agents:
            about, models, broken = st.tabs(["About", "Models", "Faults"])
            with models:
                agent_panel.show(place)
        else:
            about, broken = st.tabs(["About", "Faults"])
        with about:
            _about(place)
        with broken:
            fault_panel.show(place)


def show_problems(place: Place) -> None:
    """Shows which faults and models in the URL cannot be read."""
    fault_panel.show_problems(place)
    agent_panel.show_problems(place)


def _label(place: Place) -> str:
    badges = []
    if number := len(place.options.faults.readable):
        badges.append(f":red-badge[{faults.count(number)}]")
    if number := len(place.options.agent_models):
        badges.append(f":blue-badge[{agent_models.count(number)}]")
    return " ".join(["Setup", *badges])


def _about(place: Place) -> None:
    card = place.pipeline.card
    st.markdown(f"#### {plain(card.title)}")
    st.badge(plain(card.pattern), color="blue")
    st.markdown(plain(card.summary))
    navigation.to_pattern(place.pipeline.name, place.address, "→ In the Gallery: diagram, source, and what to break")
    st.markdown(visible_directions(card.lesson))
    st.caption(f"It ends when {plain(card.ends_when[:1].lower() + card.ends_when[1:])}")
