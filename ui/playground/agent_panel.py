"""The panel that sets models of single agents for the next runs. The URL keeps them; the preferences give the defaults."""

from __future__ import annotations

import streamlit as st

from ui.playground import actions
from ui.state import navigation
from ui.state.options import model_choices, model_picker
from ui.state.options.agent_models import RUNS_MODEL
from ui.state.places import Place
from ui.state.quick_input import show_value
from ui.text.labels import plain


def show(place: Place) -> None:
    """Draws the panel of a pipeline with agents that call a model."""
    st.markdown("**Models of single agents, in the next runs**")
    models = model_choices.labels(
        model_choices.offered(place.preferences, place.options.model, *place.options.agent_models.values())
    )
    for agent, own in place.options.llm_agents.items():
        key = f"agent_model_{place.pipeline.name}_{agent}"
        show_value(key, place.options.agent_models.get(agent, RUNS_MODEL))
        model_picker.draw(
            agent,
            models,
            model_picker.without_own(own, place.options.model),
            key=key,
            disabled=agent in place.options.fork_models[1],
            on_change=actions.choose_agent_model,
            args=(agent, key, dict(place.options.preferred_agent_models)),
        )
    if place.options.fork_models[1]:
        st.caption("Those that cannot be changed here are this fork's, for its whole life.")
    with st.container(horizontal=True, vertical_alignment="center"):
        if place.address.agent_models:
            st.button("Take back all", key="agent_model_none", type="tertiary", on_click=actions.forget_agent_models)
        navigation.to_settings("→ For every session: Settings", place.address, section="defaults")


def show_problems(place: Place) -> None:
    """Shows which models of single agents in the URL cannot be read."""
    for problem in place.options.agent_choices.problems:
        st.warning(f"A model in the URL was left out. {plain(problem)}", icon=":material/link_off:")
