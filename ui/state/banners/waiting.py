"""Section on every page: calls of paused runs that wait for the user's answer, each with a link. Polls only during runs."""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic
from typing import TYPE_CHECKING

import streamlit as st

from agents import REQUEST_ANSWER, REQUEST_INPUT, DatabaseError, PlaygroundError, SessionFilter
from agents.ace import REVIEW_CALL
from ui.state import address, navigation
from ui.text.labels import ago, plain, title_of

if TYPE_CHECKING:
    from agents import SessionSummary
    from agents.runs import PendingCall, RunManager

WATCH_SECONDS = 1.5
"""Least seconds between two looks of a tab."""
SECONDS_OF_A_RUN = 0.1
"""The same for each run that is under way: many tabs that look often would take the time of the runs."""
LONGEST_QUESTION = 60
"""Most characters of a question."""
_UNDER_WAY = SessionFilter(statuses=frozenset({"running", "paused"}))
SHOWN = 8
"""Most rows; the others are counted."""


def show(manager: RunManager) -> None:
    """Draws the section, if a call waits. Call it after the page, so that the section is never older than the page."""
    try:
        sessions = list(manager.sessions.each(_UNDER_WAY))
        pending = manager.pending_in(sessions)
    except DatabaseError:  # the page shows the error
        return
    here = address.current()
    if pending:
        with st.container(key="waiting", gap="xsmall"):
            st.markdown(f":violet-badge[Waiting for you ({len(pending)})]")
            for call in pending[:SHOWN]:
                _row(manager, call, here)
            if len(pending) > SHOWN:
                st.caption(f"… and {len(pending) - SHOWN} more.")
    running = sum(session.status == "running" for session in sessions if session.id != here.session)
    if running:
        pause = max(WATCH_SECONDS, SECONDS_OF_A_RUN * running)
        st.fragment(_watch, run_every=pause)(manager, _statuses(sessions), monotonic() + pause / 2)


def _row(manager: RunManager, call: PendingCall, here: address.Address) -> None:
    navigation.to_session(
        f"**{plain(_what(call))}** · {plain(_title(manager, call.pipeline))}  \n"
        f":small[{plain(title_of(call.title, length=40))}]  \n:small[:gray[{plain(call.agent)}, {ago(call.asked_at)}]]",
        call.pipeline,
        call.session_id,
        here,
    )


def _what(call: PendingCall) -> str:
    """A call's question, in a few words."""
    if call.tool == REQUEST_ANSWER:
        return "You are the model"
    if call.tool == REQUEST_INPUT:
        return title_of(str(call.args.get("message") or "A question"), length=LONGEST_QUESTION)
    if call.tool != REVIEW_CALL:
        return call.tool
    number = len(call.args.get("operations") or ())
    return f"Review of {number} change{'' if number == 1 else 's'}"


def _title(manager: RunManager, pipeline: str) -> str:
    """The pipeline's title; its name if it no longer exists."""
    try:
        return manager.catalog.get(pipeline).card.title
    except PlaygroundError:
        return pipeline


def _watch(manager: RunManager, before: dict[tuple[str, str], str], since: float) -> None:
    """Redraws the page when a background run has ended or waits; before `since` it has just been drawn."""
    if monotonic() >= since and _statuses(manager.sessions.each(_UNDER_WAY)) != before:
        st.rerun()


def _statuses(sessions: Iterable[SessionSummary]) -> dict[tuple[str, str], str]:
    return {(session.app_name, session.id): session.status for session in sessions}
