"""The Setup panel: what the pipeline is about, models of single agents, and faults of the next runs."""

from __future__ import annotations

import streamlit as st

from agents.pipelines import EVERY_CALL, FAULT_KINDS, USUAL_DELAY, Fault
from ui.playground import actions
from ui.state import navigation
from ui.state.options import agent_models, faults, model_choices, model_picker
from ui.state.options.agent_models import RUNS_MODEL
from ui.state.places import Place
from ui.state.quick_input import if_chosen, key_for
from ui.text.labels import plain
from ui.text.visible_text import visible_directions

_WAS_OPENED = "setup_was_opened"
WIDTH = 460
"""Pixels."""
MOST_CALLS = 99
MOST_SECONDS = 120.0


def show(place: Place) -> None:
    """Draws the button of the panel, the numbers of faults and of agents with a model of their own, and the panel.

    The panel is a third of what a page takes to draw, so it is drawn once it was opened in this browser tab; from then on it
    keeps what is typed there. The button's label never changes: under another one, Streamlit would close the panel.
    """
    panel = st.popover("Setup", type="tertiary", key="setup", on_change="rerun")  # a tooltip would lie over the panel
    _numbers(place)
    if panel.open:
        st.session_state[_WAS_OPENED] = True
    if _WAS_OPENED in st.session_state:
        with panel:
            _panel(place)


def _numbers(place: Place) -> None:
    if number := len(place.options.faults.readable):
        st.badge(faults.count(number), color="red")
    if number := len(place.options.agent_models):
        st.badge(agent_models.count(number), color="blue")


def _panel(place: Place) -> None:
    with st.container(width=WIDTH, gap="small", key="setup_panel"):
        if place.options.llm_agents:
            about, models, broken = st.tabs(["About", "Models", "Faults"])
            with models:
                _agents(place)
        else:
            about, broken = st.tabs(["About", "Faults"])
        with about:
            _about(place)
        with broken:
            _faults(place)


def show_problems(place: Place) -> None:
    """Shows which faults and models in the URL cannot be read."""
    _fault_problems(place)
    _agent_problems(place)


def _about(place: Place) -> None:
    card = place.pipeline.card
    st.markdown(f"#### {plain(card.title)}")
    st.badge(plain(card.pattern), color="blue")
    st.markdown(plain(card.summary))
    navigation.to_pattern(place.pipeline.name, place.address, "→ In the Gallery: diagram, source, and what to break")
    st.markdown(visible_directions(card.lesson))
    st.caption(f"It ends when {plain(card.ends_when[:1].lower() + card.ends_when[1:])}")
    if place.pipeline.unused:
        st.caption(f"Its App sets {plain(', '.join(place.pipeline.unused))}, which has no effect here.")


def _agents(place: Place) -> None:
    """Draws the panel of a pipeline with agents that call a model."""
    st.markdown("**Models of single agents, in the next runs**")
    models = model_choices.labels(
        model_choices.offered(place.preferences, place.options.model, *place.options.agent_models.values())
    )
    for agent, own in place.options.llm_agents.items():
        name = f"agent_model_{place.pipeline.name}_{agent}"
        model_picker.draw(
            agent,
            models,
            model_picker.without_own(own, place.options.model),
            key=key_for(name, place.options.agent_models.get(agent, RUNS_MODEL)),
            disabled=agent in place.options.fork_models[1],
            on_change=if_chosen(actions.choose_agent_model),
            args=(name, agent, dict(place.options.preferred_agent_models)),
        )
    if place.options.fork_models[1]:
        st.caption("Those that cannot be changed here are this fork's, for its whole life.")
    with st.container(horizontal=True, vertical_alignment="center"):
        if place.address.agent_models:
            st.button("Take back all", key="agent_model_none", type="tertiary", on_click=actions.forget_agent_models)
        navigation.to_settings("→ For every session: Settings", place.address, section="defaults")


def _agent_problems(place: Place) -> None:
    """Shows which models of single agents in the URL cannot be read."""
    for problem in place.options.agent_choices.problems:
        st.warning(f"A model in the URL was left out. {plain(problem)}", icon=":material/link_off:")


def _faults(place: Place) -> None:
    """Draws the faults and the form of a new one."""
    number = len(place.options.faults.readable)
    st.markdown("**Faults of the next runs**")
    st.caption("They go wrong in each run that is started from this page, until you take them back.")
    with st.container(gap="xxsmall"):
        for fault in place.options.faults.readable:
            _row(fault)
    if number > 1:
        st.button("Take back all", key="fault_none", type="tertiary", on_click=actions.remove_fault, args=(None,))
    _new(place)


def _fault_problems(place: Place) -> None:
    """Shows which faults in the URL cannot be read."""
    for problem in place.options.faults.problems:
        st.warning(f"A fault in the URL was left out. {plain(problem)}", icon=":material/link_off:")


def _row(fault: Fault) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.markdown(f":red[⚡] {plain(faults.in_words(fault))}", width="stretch")
        st.button(
            "✕",
            key=f"fault_{fault}",
            type="tertiary",
            help="Take it back",
            on_click=actions.remove_fault,
            args=(fault,),
        )


def _new(place: Place) -> None:
    """Draws the form of a new fault: target, kind, and model call."""
    targets = faults.targets(place.pipeline.root_agent)
    with st.container(border=True, key="new_fault", gap="small"):
        who, what = st.columns([2, 3])
        who.selectbox("Who", list(targets), format_func=targets.__getitem__, key=f"fault_who_{place.pipeline.name}")
        kind = what.selectbox("What", list(FAULT_KINDS), format_func=FAULT_KINDS.__getitem__, key="fault_kind")
        when, more = st.columns(2, vertical_alignment="bottom")
        each = st.session_state.get("fault_each", False)
        when.number_input(
            "At its model call", min_value=1, max_value=MOST_CALLS, key="fault_call", disabled=each, help="Counted from 1"
        )
        more.toggle("At every one", key="fault_each")
        if kind == "delay":
            st.number_input(
                "Seconds of silence", min_value=0.5, max_value=MOST_SECONDS, value=USUAL_DELAY, step=0.5, key="fault_seconds"
            )
        st.button("Add this fault", key="fault_add", on_click=_add, args=(place.pipeline.name,), width="stretch")


def _add(pipeline: str) -> None:
    """Adds the fault that the form shows, with what was typed since the page was drawn."""
    form = st.session_state
    call = EVERY_CALL if form["fault_each"] else form["fault_call"]
    seconds = form.get("fault_seconds", USUAL_DELAY)
    actions.add_fault(Fault(kind=form["fault_kind"], target=form[f"fault_who_{pipeline}"], call=call, seconds=seconds))
