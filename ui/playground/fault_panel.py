"""The panel for faults of the next runs: kind, target, and the target's model call. The URL keeps them."""

from __future__ import annotations

import streamlit as st

from agents.pipelines import EVERY_CALL, FAULT_KINDS, USUAL_DELAY, Fault
from ui.playground import actions
from ui.state.options import faults
from ui.state.places import Place
from ui.text.labels import plain

MOST_CALLS = 99
MOST_SECONDS = 120.0


def show(place: Place) -> None:
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


def show_problems(place: Place) -> None:
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
        target = who.selectbox("Who", list(targets), format_func=targets.__getitem__, key=f"fault_who_{place.pipeline.name}")
        kind = what.selectbox("What", list(FAULT_KINDS), format_func=FAULT_KINDS.__getitem__, key="fault_kind")
        when, more = st.columns(2, vertical_alignment="bottom")
        each = st.session_state.get("fault_each", False)
        call = when.number_input(
            "At its model call", min_value=1, max_value=MOST_CALLS, key="fault_call", disabled=each, help="Counted from 1"
        )
        more.toggle("At every one", key="fault_each")
        seconds = USUAL_DELAY
        if kind == "delay":
            seconds = st.number_input(
                "Seconds of silence", min_value=0.5, max_value=MOST_SECONDS, value=seconds, step=0.5, key="fault_seconds"
            )
        fault = Fault(kind=kind, target=target, call=EVERY_CALL if each else call, seconds=seconds)
        st.button("Add this fault", key="fault_add", on_click=actions.add_fault, args=(fault,), width="stretch")
