"""View state of the page: the callbacks that show another playbook, revision, part of the page, bullet or dialog."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from ui.kit import paging
from ui.state import address

NOTICE = "playbook_notice"
"""The last action's notice: `{"text", "playbook", "undo"}`, where `undo` is the revision to undo, or None."""
PROBLEM = "playbook_problem"
"""Why the last action failed: plain text."""
DIALOG = "playbook_dialog"
"""The open dialog: `{"what", …}`."""
PICKED = "playbook_picked"
"""Ids of the selected bullets, by playbook."""
SORT = "sort_bullets"
"""The order of the list of bullets: one of `bullet_list.SORTS`."""
TAKEN_IN = "import_playbook"
"""The playbook whose import is previewed, behind the content that it was read from."""


def choose(name: str | None) -> None:
    """Shows the newest revision of a playbook."""
    forget()
    here = address.current()
    beside = here.beside if here.beside != name else None
    address.go(replace(here, playbook=name, revision=None, bullet=None, beside=beside))


def choose_from(names: Sequence[str], chosen: str | None) -> None:
    """Shows the playbook that was chosen in a list."""
    if chosen in names:
        choose(chosen)


def look_at(revision: int | None) -> None:
    """Shows a revision; None: the newest."""
    forget()
    address.go(replace(address.current(), revision=None if revision is None else str(revision)))


def show_delta(revision: int) -> None:
    """Shows a revision with its delta, beside the bullets."""
    forget()
    address.go(replace(address.current(), revision=str(revision), tab=None, bullet=None))


def slide(newest: int, revision: int) -> None:
    """Shows the slider's revision."""
    look_at(None if revision >= newest else revision)


def show(name: str) -> None:
    """Shows a part of the page, by its name."""
    forget()
    address.go(replace(address.current(), tab=name, bullet=None))


def compare(names: Sequence[str], chosen: str | None) -> None:
    """Compares with another playbook, or with none."""
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
    """Closes the open dialog."""
    st.session_state.pop(DIALOG, None)
    st.session_state.pop(PROBLEM, None)
    st.session_state.pop(TAKEN_IN, None)
    address.go(replace(address.current(), bullet=None))


def dismiss() -> None:
    """Removes the notice."""
    st.session_state.pop(NOTICE, None)


def sort_by(name: str, order: str) -> None:
    """Sorts the list of a playbook's bullets.

    Args:
        name: The playbook.
        order: See `SORT`.
    """
    st.session_state[SORT] = order
    paging.back_to_first(f"bullets_{name}")


def picked(name: str) -> list[str]:
    """Ids of the selected bullets of a playbook."""
    return list(st.session_state.get(PICKED, {}).get(name, ()))


def pick(name: str, bullet_id: str, is_picked: bool) -> None:
    """Selects or deselects a bullet, as its check box says."""
    others = [id_ for id_ in picked(name) if id_ != bullet_id]
    st.session_state[PICKED] = {name: [*others, bullet_id] if is_picked else others}


def clear_picked() -> None:
    """Clears the selection."""
    st.session_state.pop(PICKED, None)


def forget() -> None:
    """Removes the last action's notice or problem, and closes the open dialog."""
    for key in (NOTICE, PROBLEM, DIALOG):
        st.session_state.pop(key, None)
