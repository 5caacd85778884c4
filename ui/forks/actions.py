"""What a user can do with forks: open the dialog, run one or several, rewind, and go to the origin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from agents.experiments import PlaybookChange
from ui.forks.cut import message_of_run
from ui.playground import actions
from ui.playground.actions import action
from ui.state import address, runs
from ui.web import owner

if TYPE_CHECKING:
    from agents.experiments import Change
    from ui.session_view import WhatIf

DIALOG = "what_if"
"""The open dialog: `{"pipeline", "session", "seq", "forks"}`; `forks` are the ids of repetitions, once they run."""


@action
def ask(pipeline: str, session: str, asked: WhatIf) -> None:
    """Opens the dialog at an entry, or runs a change of the playbook that needs no more to be asked."""
    if not asked.without and not asked.off:
        st.session_state[DIALOG] = {"pipeline": pipeline, "session": session, "seq": asked.event, "forks": []}
        return
    message = message_of_run(pipeline, session, asked.event)
    if message is not None:
        change = PlaybookChange(off=asked.off, without=(asked.without,) if asked.without else ())
        address.open_session(pipeline, runs.forks().rerun(pipeline, session, at=message, changes=[change])[0])


def close() -> None:
    """Closes the dialog."""
    st.session_state.pop(DIALOG, None)


def wanted(pipeline: str, session: str | None) -> dict[str, Any] | None:
    """The open dialog, if it belongs to the session on the page."""
    found: dict[str, Any] | None = st.session_state.get(DIALOG)
    if found is None or (found["pipeline"], found["session"]) != (pipeline, session):
        close()
        return None
    return found


def run(pipeline: str, session: str, seq: int, changes: Sequence[Change]) -> None:
    """Makes a fork, starts it and shows it."""
    [fork] = runs.forks().rerun(pipeline, session, at=seq, changes=changes)
    close()
    address.open_session(pipeline, fork)


def run_many(pipeline: str, session: str, seq: int, changes: Sequence[Change], repeat: int) -> None:
    """Starts several forks; the dialog then counts what becomes of them."""
    st.session_state[DIALOG]["forks"] = runs.forks().rerun(pipeline, session, at=seq, changes=changes, repeat=repeat)


def rewind(pipeline: str, session: str, seq: int, changes: Sequence[Change], title: str) -> None:
    """Makes a fork that takes its origin's place; the undo of a deletion brings the origin back."""
    owner.require()
    fork = runs.forks().rewind(pipeline, session, at=seq, changes=changes)
    close()
    address.open_session(pipeline, fork)
    st.session_state[actions.DELETED] = actions.Deleted(pipeline, session, title)


@action
def open_fork(pipeline: str, session: str) -> None:
    """Shows one of the repetitions."""
    close()
    address.open_session(pipeline, session)


@action
def open_origin(pipeline: str, origin: str, number: int) -> None:
    """Shows a fork's origin at the cut."""
    here = address.of_playground()
    address.go(replace(here, pipeline=pipeline, session=origin, at=str(number), tab="event", settings=()))
