"""The Playbook page, top to bottom."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from agents import DatabaseError
from agents.access import Action
from ui.access import owner
from ui.demo.watch import page as watch
from ui.forks import actions as forks
from ui.playbook import compare, dialogs, growth, head, shown_playbook, view_state, welcome
from ui.playbook.actions import DONE
from ui.playbook.bullets import bullet_list, duplicates
from ui.playbook.deltas import approval, delta_card
from ui.playbook.measured import effects
from ui.playbook.shown_playbook import ShownPlaybook
from ui.sharing import links
from ui.state import address, places
from ui.state.address import Address
from ui.state.quick_input import if_chosen, key_for
from ui.text.labels import plain

if TYPE_CHECKING:
    from agents.ace import PlaybookInfo
    from agents.runs import RunManager

LOOK_SECONDS = 2.0
"""Seconds between two looks at what sessions, other programs and other tabs have changed."""
VIEWS = {
    "bullets": "Bullets",
    "growth": "Growth",
    "effect": "Effect",
    "approve": "Approve",
    "duplicates": "Duplicates",
    "beside": "Side by side",
}
_VIEW = "playbook_view"


def show(here: Address) -> None:
    """Draws the page."""
    st.session_state.pop(DONE, None)
    forks.lead()
    manager = places.manager()
    try:
        if here.demo is not None:
            watch.show(manager, here)
            return
        found = shown_playbook.find(manager, here)
        name, infos = (None, []) if found is None else (found.name, found.infos)
        before = _changing(manager, name, infos)
        if found is None:
            welcome.show(manager, here)
        else:
            _show(found)
            head.notice(found)
        dialogs.show(found)
        links.show(manager)
        _watch(manager, name, before)
    except DatabaseError as error:
        st.error(f"**The playbooks cannot be read.** {plain(str(error))}", icon=":material/database_off:")
        st.button("Try again", type="primary", key="try_again")


@st.fragment(run_every=LOOK_SECONDS)
def _watch(manager: RunManager, name: str | None, before: Hashable) -> None:
    """Redraws the page when the playbook has changed, or another change waits; it stays the page of this playbook."""
    with suppress(DatabaseError):  # the page says so when it is drawn
        if _changing(manager, name, manager.playbooks(shown_playbook.ANY).names()) != before:
            if name is not None:
                address.go(replace(address.current(), playbook=name))
            st.rerun()


def _changing(manager: RunManager, name: str | None, infos: Sequence[PlaybookInfo]) -> Hashable:
    """What differs when the page of a playbook is to be drawn again; without a name, the page says that there is none."""
    return tuple(info for info in infos if name in {None, info.name}), tuple(call.call_id for call in manager.pending())


def _show(found: ShownPlaybook) -> None:
    waiting = approval.waiting(found)
    head.show(found)
    owner.show_notice(Action.EDIT_PLAYBOOK)
    view = _switch(found, len(waiting))
    match view:
        case "growth":
            growth.show(found)
        case "effect":
            effects.show(found)
        case "approve":
            approval.show(found, waiting)
        case "duplicates":
            duplicates.show(found)
        case "beside":
            compare.show(found)
        case _:
            with st.container(key="bullets_and_delta"):
                left, right = st.columns([13, 7], gap="medium")
            with left:
                bullet_list.show(found)
            with right:
                delta_card.show(found)


def _switch(found: ShownPlaybook, waiting: int) -> str:
    asked = found.address.tab if found.address.tab in VIEWS else "bullets"

    def label(view: str) -> str:
        return f"{VIEWS[view]} ({waiting})" if view == "approve" and waiting else VIEWS[view]

    with st.container(key="playbook_views", horizontal=True, vertical_alignment="center", gap="medium"):
        st.segmented_control(
            "What to show",
            list(VIEWS),
            key=key_for(_VIEW, asked),
            format_func=label,
            required=True,
            on_change=if_chosen(view_state.show),
            args=(_VIEW,),
            label_visibility="collapsed",
        )
        head.totals(found)
    return asked or "bullets"
