"""What can be done on the Sessions page: the callbacks. A callback leaves a notice, with an undo, or a problem."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple, ParamSpec

import streamlit as st

from agents import PlaygroundError
from ui.session_list.act import Act, Key
from ui.sharing.dialogs import say_imported
from ui.state import address, compared, runs
from ui.state.quick_input import uninterrupted
from ui.text.labels import many, title_of

if TYPE_CHECKING:
    from agents.sharing import Imported

P = ParamSpec("P")

NOTICE, PROBLEM = "sessions_notice", "sessions_problem"
OPENED = "sessions_opened"
"""The session to switch to."""
_VERSION = "sessions_version"
DAY = 86400.0


class Notice(NamedTuple):
    """The last action, and the sessions that an undo brings back."""

    text: str
    undo: tuple[Key, ...] = ()


def version() -> int:
    """How often this tab has changed sessions."""
    return st.session_state.get(_VERSION, 0)


def action(do: Callable[P, None]) -> Callable[P, None]:
    """Clears the last notice, and turns an expected error of `do` into a problem. Nothing else begins before it is over."""

    @uninterrupted
    @wraps(do)
    def callback(*args: P.args, **kwargs: P.kwargs) -> None:
        dismiss()
        st.session_state[_VERSION] = version() + 1
        try:
            do(*args, **kwargs)
        except PlaygroundError as error:
            st.session_state[PROBLEM] = str(error)

    return callback


def dismiss() -> None:
    """Removes the last notice and problem."""
    for name in (NOTICE, PROBLEM):
        st.session_state.pop(name, None)


@action
def act(asked: Act) -> None:
    """Does what the list asks for."""
    match asked.kind:
        case "open":
            st.session_state[OPENED] = asked.sessions[0]
        case "compare":
            address.go(replace(address.current(), compare=compared.text_of(asked.sessions)))
        case "rename":
            _rename(asked.sessions[0], asked.title)
        case "tag":
            runs.manager().collection.tag(asked.sessions, add=asked.add, remove=asked.remove)
        case "delete":
            _report_deleted(runs.manager().collection.delete(asked.sessions))


@action
def run_both(pipeline: str, fork: str) -> None:
    """Runs a fork's change again, beside a run with nothing changed, and shows both."""
    both = runs.workspace().forks.rerun_both(pipeline, fork)
    address.go(replace(address.current(), compare=compared.text_of([(pipeline, session) for session in both])))


def view(tab: str) -> None:
    """Shows a view."""
    address.go(replace(address.current(), tab=tab))


def open_imported(added: Imported) -> None:
    """Switches to a session that was imported."""
    say_imported(added)
    st.session_state[OPENED] = (added.pipeline, added.session_id)


@action
def restore(sessions: Sequence[Key]) -> None:
    """Brings deleted sessions back."""
    back = runs.manager().collection.restore(sessions)
    lost = len(sessions) - len(back)
    if lost:
        st.session_state[PROBLEM] = f"{many(lost, 'session')} cannot be brought back: a clean-up has removed them for good."
    if back:
        st.session_state[NOTICE] = Notice(f"Brought {many(len(back), 'session')} back.")


@action
def clean_up(key: str) -> None:
    """Removes for good what was deleted before, and deletes the sessions that are older than the days chosen under `key`."""
    days: int = st.session_state[key]
    _report_deleted(runs.manager().collection.clean_up(time.time() - days * DAY), "Cleaned up: deleted")


def _rename(session: Key, text: str) -> None:
    if text.strip():
        runs.manager().sessions.rename(*session, title_of(text, length=200))


def _report_deleted(gone: Sequence[Key], did: str = "Deleted") -> None:
    st.session_state[NOTICE] = Notice(f"{did} {many(len(gone), 'session')}.", tuple(gone))
