"""The top of the Sessions page, its deleted sessions, the clean-up, and what the last action did."""

from __future__ import annotations

import time

import streamlit as st

from agents import SessionSummary
from agents.access import Action, permits
from agents.runs import RunManager
from ui.access import identity, owner
from ui.sessions import actions
from ui.sharing import dialogs
from ui.state.address import Address
from ui.state.quick_input import if_chosen, key_for
from ui.text.amounts import bytes_in_words
from ui.text.labels import ago, many, plain, title_of

AGES = {7: "a week", 30: "a month", 90: "3 months", 365: "a year", 0: "any time"}
"""Days → in words."""
_AGE, _VIEW = "clean_up_age", "sessions_view"
VIEWS = {"sessions": "All sessions", "cases": "Cases", "learned": "What they teach"}
"""Value of `tab` in the address → name."""
LISTED = 20
"""Deleted sessions that can be brought back one by one."""


def show(manager: RunManager, here: Address) -> str:
    """Draws the title, the choice of a view, and the buttons of what concerns all sessions; returns the view."""
    asked = here.tab if here.tab in VIEWS else "sessions"
    with st.container(key="sessions_head", horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Sessions", anchor=False, width="content")
        st.segmented_control(
            "What to show",
            list(VIEWS),
            key=key_for(_VIEW, asked),
            format_func=VIEWS.__getitem__,
            required=True,
            on_change=if_chosen(actions.view),
            args=(_VIEW,),
            label_visibility="collapsed",
        )
        st.space("stretch")
        if asked == "sessions":
            st.button(
                "Import …",
                key="import_session",
                on_click=dialogs.ask_import,
                disabled=not permits(identity.current(), Action.IMPORT),
            )
            _deleted(manager.collection.deleted())
            _clean_up(manager)
    owner.show_notice(Action.USE_CASES)
    return asked


def problem() -> None:
    """Draws the reason why the last action failed."""
    if text := st.session_state.get(actions.PROBLEM):
        st.error(plain(text), icon=":material/block:")


def notice() -> None:
    """Draws what the last action did, with its undo, over the page until the next action."""
    done: actions.Notice | None = st.session_state.get(actions.NOTICE)
    if done is None:
        return
    with st.container(key="sessions_notice", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.markdown(f":green[✓] {plain(done.text)}", width="stretch")
        if done.undo:
            st.button("Undo", key="undo_sessions", type="tertiary", on_click=actions.restore, args=(done.undo,))
        st.button("✕", key="dismiss_sessions", type="tertiary", help="Close", on_click=actions.dismiss)


def _deleted(gone: list[SessionSummary]) -> None:
    if not gone:
        return
    with st.popover(f"Deleted ({len(gone):,})", key="deleted_sessions", help="Bring deleted sessions back"):
        st.caption("Deleted sessions can be brought back until the next clean-up.")
        for row in gone[:LISTED]:
            with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
                st.markdown(f"{plain(title_of(row.title, length=60))} :small[:gray[{ago(row.updated_at)}]]", width="stretch")
                st.button(
                    "Restore",
                    key=f"restore_{row.app_name}_{row.id}",
                    on_click=actions.restore,
                    args=([(row.app_name, row.id)],),
                )
        if len(gone) > 1:
            st.button(
                f"Restore all {len(gone):,}",
                key="restore_all",
                on_click=actions.restore,
                args=([(row.app_name, row.id) for row in gone],),
            )


def _clean_up(manager: RunManager) -> None:
    about = "Delete old sessions, and free the space of deleted ones"
    with st.popover("Clean up", key="clean_up_sessions", help=about, on_change="rerun") as popover:
        if not popover.open:  # what it would do is looked for among all sessions
            return
        days: int = st.selectbox(
            "Delete sessions that did not change for", list(AGES), key=_AGE, format_func=AGES.__getitem__, index=1
        )
        preview = manager.collection.preview_clean_up(time.time() - days * actions.DAY)
        old, gone = len(preview.old), len(preview.gone)
        st.markdown(f"**{many(old, 'session')}** would be deleted. This can be undone until the next clean-up.")
        if preview.old:
            names = [f"- {plain(title_of(row.title, length=60))} · {ago(row.updated_at)}" for row in preview.old[:5]]
            st.markdown("\n".join([*names, f"- … and {old - 5:,} more"] if old > len(names) else names))
        if gone:
            freed = f", which frees {bytes_in_words(preview.frees)} for new ones" if preview.frees else ""
            st.markdown(f"**{many(gone, 'session')}** deleted before would be removed for good{freed}.")
        st.caption("A session with a tag, one that runs and one that waits for an answer are kept.")
        st.button(
            "Clean up now",
            key="clean_up_now",
            type="primary",
            disabled=not (old or gone) or not permits(identity.current(), Action.CLEAN_UP),
            on_click=actions.clean_up,
            args=(_AGE,),
        )
