"""The page of a database without playbooks: what a playbook is, and how to get one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from agents import PlaygroundError
from ui.demo.watch import entry
from ui.playbook import actions, head, view_state
from ui.state import navigation
from ui.state.address import Address
from ui.state.options import control_values

if TYPE_CHECKING:
    from agents.runs import RunManager

ACE = "ace"
_TAUGHT = """
A **playbook** is a context that learns: small bullets, each a piece of knowledge that agents have learned, with counters of
how often it helped and how often it harmed.

- It grows by *deltas*, a few operations at a time. It is never rewritten as a whole, so nothing is lost.
- Every delta is kept: each revision can be shown, undone, and traced to the question that it comes from.
- All sessions of a pipeline share its playbook. What one session learns, the next one uses.
"""
_EXAMPLE = """## STRATEGIES AND INSIGHTS
[sai-00001] helpful=4 harmful=0 :: Compare the units of both sides before dividing."""


def show(manager: RunManager, here: Address) -> None:
    """Draws the page of a database without playbooks."""
    head.problem()
    with (
        st.container(key="whole_page", horizontal_alignment="center"),
        st.container(key="playbook_welcome", width=720),
    ):
        st.header("No playbook yet", anchor=False)
        st.markdown(_TAUGHT)
        st.code(_EXAMPLE, language=None, wrap_lines=True)
        with st.container(horizontal=True, vertical_alignment="center"):
            if entry.is_offered(manager):
                entry.button(actions.watch)
            run_the_pipeline(manager, here)
            st.button("Import a playbook", key="import", on_click=view_state.ask, args=("import",))
            st.button("New, empty", key="new", on_click=view_state.ask, args=("new",))


def run_the_pipeline(manager: RunManager, here: Address, *, playbook: str | None = None) -> None:
    """Draws a link to the pipeline that writes playbooks, if it exists: to a new session that uses the named playbook."""
    try:
        manager.catalog.get(ACE)
    except PlaygroundError:
        return
    if playbook is None:
        navigation.to_new_session("▶ Run the ACE pipeline", ACE, here)
    else:
        chosen = control_values.write({"playbook_name": playbook}) if playbook != ACE else ()
        navigation.to_new_session("▶ Ask something with this playbook", ACE, here, settings=chosen)
