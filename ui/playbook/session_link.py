"""Links from a playbook to the sessions that it learned in: title of the session, and the event by its number."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from agents import SessionNotFoundError
from ui.playbook.shown_playbook import ShownPlaybook
from ui.state import navigation


def show(found: ShownPlaybook, pipeline: str, session_id: str, seq: int) -> None:
    """Draws the link, or says that the session was deleted.

    Args:
        found: The shown playbook.
        pipeline: The session's pipeline.
        session_id: The session.
        seq: Of the event; 0 leads to the session.
    """
    session = next((each for each in found.manager.sessions(pipeline) if each.id == session_id), None)
    if session is not None:
        with suppress(SessionNotFoundError):  # deleted since
            number = found.manager.event_number(pipeline, session_id, seq)
            navigation.to_event(session, number, found.address)
            return
    st.caption("Its session was deleted.")
