"""What a user can do with forks: open the dialogs, run one or several, rewind, compare, and go to the origin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, assert_never

import streamlit as st

from agents.forks import PlaybookChange
from ui.cases import actions as cases
from ui.forks.fork_point import ForkPoint, fork_point, message_of_run
from ui.state import address, navigation, runs
from ui.state.compared import text_of
from ui.state.notices import DELETED, Deleted, action
from ui.state.quick_input import uninterrupted

if TYPE_CHECKING:
    from agents.forks import Change
    from ui.session_view import WhatIf

DIALOG = "what_if"
"""The open dialog: `{"kind", "about", "pipeline", "session", "seq", "forks", "point"}`.

`kind` and `about` are those of `WhatIf`; `forks` are the ids of repetitions, once they run; `point` is the
`ForkPoint`, once it was drawn.
"""
COMPARED = "fork_compared"
"""The sessions to show side by side next, as `Address.compare` has them."""


@action
def ask(pipeline: str, session: str, asked: WhatIf) -> None:
    """Opens the dialog that is asked for, or runs a change of the playbook that needs no more to be asked."""
    match asked.kind:
        case "change" | "state" | "model":
            place = {"pipeline": pipeline, "session": session, "seq": asked.event}
            st.session_state[DIALOG] = {"kind": asked.kind, "about": asked.about, **place, "forks": []}
        case "bullet":
            run_beside(pipeline, session, asked.event, [PlaybookChange(without=(asked.about,))])
        case "playbook":
            run_beside(pipeline, session, asked.event, [PlaybookChange(off=True)])
        case "case":
            cases.open_dialog(pipeline, session, asked.event)
        case _:
            assert_never(asked.kind)


def run_beside(pipeline: str, session: str, seq: int, changes: Sequence[Change]) -> None:
    """Runs the message of an entry's run again with changes, and has both sessions shown side by side."""
    if COMPARED in st.session_state:  # a second click: the page is about to show what the first one runs
        return
    message = message_of_run(pipeline, session, seq)
    [fork] = runs.workspace().forks.rerun(pipeline, session, at=message, changes=changes)
    close()
    st.session_state[COMPARED] = text_of([(pipeline, session), (pipeline, fork)])


def lead() -> None:
    """Switches to the comparison that the last action asked for, if it did."""
    if sessions := st.session_state.pop(COMPARED, None):
        navigation.to_comparison_page(address.current(), sessions)


def point_of(dialog: dict[str, Any]) -> ForkPoint:
    """The entry of a dialog, read once: it takes the whole log, and entries do not change.

    Raises:
        PlaygroundError: The session or the entry is gone, or cannot be read.
    """
    if "point" not in dialog:
        dialog["point"] = fork_point(runs.manager(), dialog["pipeline"], dialog["session"], dialog["seq"])
    return dialog["point"]


def close() -> None:
    """Closes the dialog."""
    st.session_state.pop(DIALOG, None)


def is_open(dialog: dict[str, Any]) -> bool:
    """Whether a dialog is still the open one."""
    return st.session_state.get(DIALOG) is dialog


def do(act: Callable[[], None]) -> NoReturn:
    """Acts for a button of the dialog and draws the page anew; a second click meanwhile changes nothing.

    Raises:
        PlaygroundError: The action failed; the dialog stays.
    """
    uninterrupted(act)()
    st.rerun()


def wanted(pipeline: str, session: str | None) -> dict[str, Any] | None:
    """The open dialog, if it belongs to the session on the page."""
    found: dict[str, Any] | None = st.session_state.get(DIALOG)
    if found is None or (found["pipeline"], found["session"]) != (pipeline, session):
        close()
        return None
    return found


def run(pipeline: str, session: str, seq: int, changes: Sequence[Change]) -> None:
    """Makes a fork, starts it and shows it."""
    [fork] = runs.workspace().forks.rerun(pipeline, session, at=seq, changes=changes)
    close()
    address.open_session(pipeline, fork)


def run_many(pipeline: str, session: str, seq: int, changes: Sequence[Change], repeat: int) -> None:
    """Starts several forks; the dialog then counts what becomes of them."""
    st.session_state[DIALOG]["forks"] = runs.workspace().forks.rerun(
        pipeline, session, at=seq, changes=changes, repeat=repeat
    )


def rewind(pipeline: str, session: str, seq: int, changes: Sequence[Change], title: str) -> None:
    """Makes a fork that takes its origin's place; the undo of a deletion brings the origin back."""
    fork = runs.workspace().forks.rewind(pipeline, session, at=seq, changes=changes)
    close()
    address.open_session(pipeline, fork)
    st.session_state[DELETED] = Deleted(pipeline, session, title)


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
