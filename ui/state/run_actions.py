"""Callbacks of buttons that stop a run and start it again. Draws nothing."""

from __future__ import annotations

import streamlit as st

from ui.state import run_options, runs
from ui.state.notices import NOTICE, Notice, action


@action
def run_again(pipeline: str, session: str) -> None:
    """Runs a session's last message again."""
    options = run_options.of_page(pipeline, session)
    runs.manager().rerun(
        pipeline, session, model=options.model, agent_models=options.agent_models, faults=options.faults.readable
    )


@action
def stop(pipeline: str, session: str) -> None:
    """Stops a session's run; returns once nothing more is written."""
    stopped = runs.manager().stop(pipeline, session)
    found = None if stopped else runs.manager().sessions.find(pipeline, session)
    if found is not None and found.status == "running":
        st.session_state[NOTICE] = Notice(
            "info",
            "This run belongs to another process on this machine, e.g. one in a terminal. Stop it there: with Ctrl-C.",
        )
