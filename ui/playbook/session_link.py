"""Links from a playbook to the sessions that it learned in: title of the session, and the event by its number."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from agents import NotPermittedError, SessionNotFoundError, SessionSummary
from ui.access import owner
from ui.playbook.shown_playbook import ShownPlaybook
from ui.state import navigation


def gone() -> str:
    """Says why there is no link to a session."""
    return "Its session was deleted." if owner.is_owner() else "Its session was deleted, or is not yours to see."


def seen(found: ShownPlaybook, pipeline: str, session_id: str) -> SessionSummary | None:
    """A session; None if it is not there, or not the user's to see."""
    with suppress(NotPermittedError):
        return found.manager.sessions.find(pipeline, session_id)
    return None


def show(found: ShownPlaybook, pipeline: str, session_id: str, seq: int) -> None:
    """Draws the link, or says why there is none.

    Args:
        found: The shown playbook.
        pipeline: The session's pipeline.
        session_id: The session.
        seq: Of the event; 0 leads to the session.
    """
    session = seen(found, pipeline, session_id)
    if session is None:
        st.caption(gone())
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
        st.caption(gone())
        return
    if titled:
        navigation.to_event(session, number, found.address)
    else:
        navigation.to_place(f"→ Event {number:,}", session.app_name, session.id, found.address, event=number)
