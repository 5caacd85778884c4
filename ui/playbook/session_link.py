"""Links from a playbook to the sessions that it learned in: title of the session, and the event by its number."""

from __future__ import annotations

import streamlit as st

from agents import SessionNotFoundError, SessionSummary
from ui.playbook.shown_playbook import ShownPlaybook
from ui.state import navigation

DELETED = "Its session was deleted."


def show(found: ShownPlaybook, pipeline: str, session_id: str, seq: int) -> None:
    """Draws the link, or says that the session was deleted.

    Args:
        found: The shown playbook.
        pipeline: The session's pipeline.
        session_id: The session.
        seq: Of the event; 0 leads to the session.
    """
    session = found.manager.sessions.find(pipeline, session_id)
    if session is None:
        st.caption(DELETED)
    else:
        to(found, session, seq)


def to(found: ShownPlaybook, session: SessionSummary, seq: int, *, titled: bool = True) -> None:
    """Draws the link to a session that is known to be there, or says that it was deleted since.

    Args:
        found: The shown playbook.
        session: The session.
        seq: Of the event; 0 leads to the session.
        titled: Whether the link has the session's title; else it is called by the event alone.
    """
    try:
        number = found.manager.sessions.event_number(session.app_name, session.id, seq)
    except SessionNotFoundError:
        st.caption(DELETED)
        return
    if titled:
        navigation.to_event(session, number, found.address)
    else:
        navigation.to_place(f"→ Event {number:,}", session.app_name, session.id, found.address, event=number)
