"""Where a person looks: the callbacks that show another playbook, revision, part of the page, bullet or dialog.

Nothing here changes a playbook; that is in `deeds`. Draws nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from ui.state import address

NOTICE = "playbook_notice"
"""What was done last: `{"text", "playbook", "undo"}`, where `undo` is the revision that takes it back, or None."""
PROBLEM = "playbook_problem"
"""Why the last deed did not work: plain text."""
DIALOG = "playbook_dialog"
"""The dialog that is open: `{"what", …}`."""
PICKED = "playbook_picked"
"""Ids of the bullets that are selected, by playbook."""
TAKEN_IN = "import_text"
"""The text that is looked at before it is imported."""


def choose(name: str | None) -> None:
    """Shows a playbook, its newest revision."""
    forget()
    here = address.current()
    beside = here.beside if here.beside != name else None
    address.go(replace(here, playbook=name, revision=None, bullet=None, beside=beside))


def choose_from(key: str, names: Sequence[str]) -> None:
    """Shows the playbook that was chosen in a list."""
    chosen: str | None = st.session_state[key]
    if chosen in names:
        choose(chosen)


def look_at(revision: int | None) -> None:
    """Shows a revision; None: the newest."""
    forget()
    address.go(replace(address.current(), revision=None if revision is None else str(revision)))


def slide(key: str, newest: int) -> None:
    """Shows the revision that the slider is on."""
    revision: int = st.session_state[key]
    look_at(None if revision >= newest else revision)


def view(key: str) -> None:
    """Shows another part of the page."""
    forget()
    address.go(replace(address.current(), tab=st.session_state[key], bullet=None))


def compare(key: str, names: Sequence[str]) -> None:
    """Puts another playbook beside this one, or none."""
    chosen: str | None = st.session_state[key]
    if chosen is None or chosen in names:
        address.go(replace(address.current(), beside=chosen))


def look_into(bullet_id: str | None) -> None:
    """Opens a bullet; None closes it."""
    forget()
    address.go(replace(address.current(), bullet=bullet_id))


def ask(what: str, **about: Any) -> None:
    """Opens a dialog."""
    forget()
    st.session_state[DIALOG] = {"what": what, **about}


def close() -> None:
    """Closes whatever dialog is open."""
    st.session_state.pop(DIALOG, None)
    st.session_state.pop(PROBLEM, None)
    st.session_state.pop(TAKEN_IN, None)
    address.go(replace(address.current(), bullet=None))


def dismiss() -> None:
    """Takes the notice away."""
    st.session_state.pop(NOTICE, None)


def picked(name: str) -> list[str]:
    """The bullets of a playbook that are selected."""
    return list(st.session_state.get(PICKED, {}).get(name, ()))


def pick(name: str, bullet_id: str, key: str) -> None:
    """Selects a bullet, or takes it out of the selection, as its box says."""
    others = [id_ for id_ in picked(name) if id_ != bullet_id]
    st.session_state[PICKED] = {name: [*others, bullet_id] if st.session_state[key] else others}


def clear_picked() -> None:
    """Selects nothing."""
    st.session_state.pop(PICKED, None)


def forget() -> None:
    """Takes away what was said of the last deed, and whatever dialog is open."""
    for key in (NOTICE, PROBLEM, DIALOG):
        st.session_state.pop(key, None)
