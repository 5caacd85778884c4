"""The section on defaults: the model of runs that name none, the speed of simulated models, models of single agents."""

from __future__ import annotations

import streamlit as st

from agents.models import simulated_words_per_second
from agents.pipelines import Pipeline
from agents.runs import Preferences, RunManager
from ui.settings import actions, problems
from ui.state import places
from ui.state.address import Address
from ui.state.options import agent_models, families, model_choices, model_picker
from ui.state.quick_input import if_chosen, key_for
from ui.text.visible_text import visible_directions

SPEEDS = {0.0: "Instant", 10.0: "Slow", 40.0: "Normal", 120.0: "Fast"}
"""Words per second → label."""
FASTEST = 10_000.0


def show(manager: RunManager, preferences: Preferences, here: Address) -> None:
    """Draws the section."""
    problems.show("defaults")
    left, right = st.columns(2, gap="small")
    with left, st.container(border=True, key="default_model", height="stretch"):
        _model(preferences)
    with right, st.container(border=True, key="simulated_speed", height="stretch"):
        _speed(preferences)
    with st.container(border=True, key="preferred_agent_models"):
        _agents(manager, preferences, here)


def _model(preferences: Preferences) -> None:
    st.subheader("Model of new runs", anchor=False)
    st.selectbox(
        "Model of new runs",
        model_choices.offered(preferences),
        key=key_for("preferred_model", preferences.model),
        format_func=model_choices.shown,
        on_change=if_chosen(actions.prefer_model),
        args=("preferred_model", "defaults"),
        label_visibility="collapsed",
    )
    st.caption("It answers unless a page or an agent chooses another model.")


def _speed(preferences: Preferences) -> None:
    st.subheader("Speed of simulated models", anchor=False)
    own = preferences.simulated_speed
    speed = simulated_words_per_second() if own is None else own
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Speed",
            list(SPEEDS),
            key=key_for("speed_choice", speed if speed in SPEEDS else None),
            format_func=SPEEDS.__getitem__,
            on_change=if_chosen(actions.set_speed),
            args=("speed_choice", "defaults"),
            label_visibility="collapsed",
        )
        st.number_input(
            "Words a second",
            min_value=0.0,
            max_value=FASTEST,
            step=5.0,
            format="%g",
            key=key_for("speed_number", float(speed)),
            on_change=if_chosen(actions.set_speed),
            args=("speed_number", "defaults"),
            width=150,
        )
    if own is None:
        st.caption("Default: PLAYGROUND_SIMULATED_SPEED from the environment, else 40. Replays have the same speed.")
    else:
        st.button(
            "Back to what the environment says",
            key="forget_speed",
            type="tertiary",
            on_click=actions.forget_speed,
            args=("defaults",),
        )


def _agents(manager: RunManager, preferences: Preferences, here: Address) -> None:
    st.subheader("Models of single agents", anchor=False)
    st.caption("For every session of a pipeline, unless a page chooses another.")
    titles = places.titles(manager)
    pipelines = [manager.catalog.get(name) for name in families.in_order(manager.catalog, list(titles))]
    choices = {found.name: found for found in pipelines if agent_models.llm_agents(found.root_agent)}
    if not choices:
        st.info("No pipeline here has an agent that asks a model.")
        return

    def label(name: str) -> str:
        number = len(preferences.agent_models.get(name, {}))
        title = visible_directions(titles[name])
        return f"{title} · {agent_models.count(number)}" if number else title

    with st.container(width=560):
        name = st.selectbox(
            "Pipeline",
            list(choices),
            key=key_for("agents_of", here.pipeline if here.pipeline in choices else next(iter(choices))),
            format_func=label,
            on_change=if_chosen(actions.look_at_pipeline),
            args=("agents_of",),
        )
        _rows(choices[name], preferences)


def _rows(pipeline: Pipeline, preferences: Preferences) -> None:
    chosen = preferences.agent_models.get(pipeline.name, {})
    models = model_choices.labels(model_choices.offered(preferences, *chosen.values()))
    for agent, own in agent_models.llm_agents(pipeline.root_agent).items():
        name = f"preferred_{pipeline.name}_{agent}"
        model_picker.draw(
            agent,
            models,
            model_picker.without_own(own),
            key=key_for(name, chosen.get(agent, agent_models.RUNS_MODEL)),
            on_change=if_chosen(actions.prefer_agent_model),
            args=(name, "defaults", pipeline.name, agent),
        )
