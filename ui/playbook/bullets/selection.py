"""The bullets that are selected in the list, and what can be done with all of them: merge, archive, remove."""

from __future__ import annotations

import streamlit as st

from ui.playbook import actions, view_state
from ui.playbook.shown_playbook import ShownPlaybook

SWITCH = "select_bullets"
"""Key of the switch that shows a check box beside each bullet."""


def is_on(found: ShownPlaybook) -> bool:
    """Whether bullets can be selected."""
    return bool(st.session_state.get(SWITCH)) and not found.locked


def show(found: ShownPlaybook) -> None:
    """Draws what can be done with the selected bullets."""
    if not is_on(found):
        return
    picked = _picked(found)
    with st.container(key="selection", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{len(picked)} selected**", width="content")
        st.button(
            "Merge …",
            key="merge",
            disabled=not picked[1:],
            on_click=_merge,
            args=(found,),
        )
        args = found, "ARCHIVE", "Archived"
        st.button("Archive", key="archive_picked", disabled=not picked, on_click=_with_picked, args=args)
        args = found, "REMOVE", "Removed"
        with st.popover("Remove", disabled=not picked, key="remove_picked"):
            st.caption("They leave the playbook; an undo brings them back, counters and all.")
            st.button("Remove them", key="really_remove_picked", type="primary", on_click=_with_picked, args=args)
        st.button("Clear", key="clear_picked", type="tertiary", disabled=not picked, on_click=view_state.clear_picked)


def _picked(found: ShownPlaybook) -> list[str]:
    return [bullet_id for bullet_id in view_state.picked(found.name) if bullet_id in found.shown]


def _merge(found: ShownPlaybook) -> None:
    if (picked := _picked(found))[1:]:
        view_state.ask("merge", ids=picked)


def _with_picked(found: ShownPlaybook, type: str, said: str) -> None:
    if picked := _picked(found):
        actions.with_each(found.name, picked, type, said)
