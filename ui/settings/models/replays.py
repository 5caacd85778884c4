"""Recorded sessions as models: an explanation, and links to replays."""

from __future__ import annotations

import streamlit as st

from agents import SessionFilter, SummaryPage
from agents.runs import RunManager
from ui.state import navigation
from ui.state.address import Address
from ui.state.options import model_choices
from ui.text.labels import plain, title_of

SHOWN = 3


_RECORDED = SessionFilter(statuses=frozenset({"completed", "paused", "stopped", "failed"}))


def recorded(manager: RunManager, *, limit: int) -> SummaryPage:
    """The last changed sessions that can be replayed, at most `limit`, and how many there are."""
    return manager.sessions.page(_RECORDED, limit=limit)


def show(manager: RunManager) -> None:
    """Draws the explanation, and links to replays of the newest sessions."""
    st.markdown(
        "Open a session, and choose **Replay this session** in its **⋯** menu. A new session of the same pipeline then gets "
        "the recorded answers in order, and is marked where its requests differ from the recorded ones."
    )
    for found in recorded(manager, limit=SHOWN).rows:
        model = model_choices.replay_of(found.app_name, found.id)
        label = f"▶ Replay “{plain(title_of(found.title, length=60))}” · {plain(found.app_name)}"
        navigation.to_new_session(label, found.app_name, Address(model=model))
