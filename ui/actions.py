"""What a person can do to sessions and runs: the callbacks of buttons and inputs.

A callback that cannot do what it was asked leaves a *notice*, which the page shows until the next action. Draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Literal, NamedTuple, ParamSpec

import streamlit as st

from agents.errors import PlaygroundError
from ui import address, runs
from ui.labels import title_of

P = ParamSpec("P")
NOTICE = "notice"
DELETED = "deleted"
MESSAGE = "message"


class Notice(NamedTuple):
    """Something that a person has to know: plain text, never Markdown."""

    kind: Literal["error", "info"]
    text: str


class Deleted(NamedTuple):
    """The session that was deleted last, to offer it back."""

    pipeline: str
    session: str
    title: str


def _action(do: Callable[P, None]) -> Callable[P, None]:
    """Clears the last notice, and turns an expected error of `do` into one."""

    @wraps(do)
    def callback(*args: P.args, **kwargs: P.kwargs) -> None:
        st.session_state.pop(NOTICE, None)
        try:
            do(*args, **kwargs)
        except PlaygroundError as error:
            st.session_state[NOTICE] = Notice("error", str(error))

    return callback


def send_message(pipeline: str, session: str | None, model: str) -> None:
    """Runs what was typed; what cannot be run stays in the input, so that it can be changed."""
    text = st.session_state.get(MESSAGE) or ""
    run(pipeline, session, text, model)
    if NOTICE in st.session_state:
        st.session_state[MESSAGE] = text


@_action
def run(pipeline: str, session: str | None, message: str, model: str) -> None:
    """Runs a pipeline on a message, in a session or, with None, in a new one, and shows it."""
    begun = runs.manager().start(pipeline, message, session_id=session, model=model)
    st.session_state.pop(DELETED, None)
    address.open_session(pipeline, begun.session_id)


@_action
def run_again(pipeline: str, session: str, model: str) -> None:
    """Runs a session's last message again."""
    runs.manager().rerun(pipeline, session, model=model)


@_action
def stop(pipeline: str, session: str) -> None:
    """Stops a session's run; returns once nothing more is written."""
    stopped = runs.manager().stop(pipeline, session)
    if not stopped and any(s.status == "running" for s in runs.manager().sessions(pipeline) if s.id == session):
        st.session_state[NOTICE] = Notice(
            "info",
            "This run belongs to another process on this machine, e.g. one in a terminal. Stop it there: with Ctrl-C.",
        )


@_action
def open_session(pipeline: str, session: str | None) -> None:
    """Shows a session; None: a new one, which is stored with its first message."""
    st.session_state.pop(DELETED, None)
    address.open_session(pipeline, session)


@_action
def choose_model(key: str, default: str) -> None:
    """Takes the model that was picked for the next run."""
    chosen = st.session_state[key]
    address.go(replace(address.current(), model=None if chosen in {None, default} else chosen))


@_action
def rename(pipeline: str, session: str, key: str) -> None:
    """Gives a session the title that was typed under `key`; an empty one is left alone."""
    title = title_of(st.session_state[key], length=200) if st.session_state[key].strip() else ""
    if title:
        runs.manager().rename_session(pipeline, session, title)


@_action
def delete(pipeline: str, session: str, title: str) -> None:
    """Deletes a session, stopping its run first, and remembers it so that it can be brought back."""
    runs.manager().stop(pipeline, session)
    runs.manager().delete_session(pipeline, session)
    st.session_state[DELETED] = Deleted(pipeline, session, title)
    if address.current().session == session:
        address.open_session(pipeline, None)


@_action
def restore(pipeline: str, session: str) -> None:
    """Brings a deleted session back and shows it."""
    st.session_state.pop(DELETED, None)
    if runs.manager().restore_session(pipeline, session):
        address.open_session(pipeline, session)
    else:
        st.session_state[NOTICE] = Notice("error", "The session cannot be brought back: its name is in use again.")
