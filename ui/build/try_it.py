"""The tab *Try it*: runs the team as it stands, each time in a new session, and shows that session live."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from agents import SessionFilter
from agents.models import price_rows
from ui.build import actions
from ui.session_view import session_view
from ui.state import address, navigation, run_actions, runs
from ui.state.options import families, model_choices
from ui.state.quick_input import key_for
from ui.text.labels import plain

if TYPE_CHECKING:
    from agents.pipelines import Pipeline
    from ui.build.open_team import OpenTeam
    from ui.state.address import Address

HEIGHT = 560
"""Pixels of the session."""


def show(team: OpenTeam, pipeline: Pipeline | None, here: Address) -> None:
    """Draws the tab; `pipeline` is None while the team cannot be loaded."""
    if pipeline is None:
        st.info("The team cannot run as it stands. The tab *Problems* says why.", icon=":material/block:")
        return
    manager = runs.manager()
    session = manager.sessions.find(team.name, here.session) if here.session else None
    running = session is not None and session.status == "running"
    if not team.message:
        before = manager.sessions.page(SessionFilter(app_name=team.name), limit=1).rows
        team.message = next((row.title for row in before), "") or next(iter(pipeline.card.samples), "Hello!")
    if running and session is not None:
        st.button("■ Stop", key="try_stop", on_click=run_actions.stop, args=(team.name, session.id))
    else:
        with st.form("try_it", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            key = key_for(actions.MESSAGE, team.message)
            st.text_input("Message", key=key, label_visibility="collapsed")
            st.form_submit_button("▶ Run", key="try_run", type="primary", on_click=actions.run, args=(team.name,))
    preferences = manager.models.preferences
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="try_line"):
        st.caption(f"Answered by: {plain(model_choices.shown(here.model or preferences.model))}", width="content")
        if session is not None:
            navigation.to_session("→ Open in the Playground", team.name, session.id, here, width="content")
    session_view(
        pipeline=team.name,
        session=session.id if session else None,
        tree=families.tree_of(pipeline),
        written=address.written(),
        running=running,
        empty=(pipeline.card.title, pipeline.card.summary),
        prices=price_rows(preferences.price_table),
        height=HEIGHT,
        key="build_session",
        on_answer=partial(actions.answer, team.name, session.id) if session else None,
    )
