"""One bullet: its text with an editor, the answers that it touched, and its lineage."""

from __future__ import annotations

import streamlit as st

from agents.ace import MAX_BULLET_LENGTH, TAGS, StoredBullet
from ui.kit.elements import element
from ui.playbook import actions, markup
from ui.playbook.bullets import lineage, touched
from ui.playbook.delta_effect import SIGNS
from ui.playbook.shown_playbook import ShownPlaybook


def show(found: ShownPlaybook, bullet_id: str) -> None:
    """Draws the panel."""
    bullet = found.shown.get(bullet_id)
    with st.container(key="bullet_panel"):
        if bullet is None:
            _gone(found, bullet_id)
        elif found.locked:
            st.html(element("div.panel", markup.bullet(bullet, None, section=True)))
            st.info(found.locked, icon=":material/lock:")
        else:
            _edit(found, bullet)
        records = found.store.lineage(bullet_id)
        touched.show(found, bullet_id, records)
        lineage.show(found, bullet_id, records)


def _gone(found: ShownPlaybook, bullet_id: str) -> None:
    if bullet_id in found.newest:
        st.info(
            f"It is not in revision {found.shown.revision:,} yet. Its later history is below.", icon=":material/history:"
        )
    else:
        st.info(
            f"It is not in revision {found.shown.revision:,}. Its history is below. To bring it back, undo the delta that "
            "removed it.",
            icon=":material/history:",
        )


def _edit(found: ShownPlaybook, bullet: StoredBullet) -> None:
    st.html(element("div.panel", markup.facts(bullet, section=True)))
    key = f"text_of_{bullet.id}_{found.shown.revision}"
    with st.form("edit_bullet", border=False):
        st.text_area(
            "What it says",
            bullet.content,
            key=key,
            height=120,
            label_visibility="collapsed",
            help=f"At most {MAX_BULLET_LENGTH:,} characters. Ctrl+Enter saves.",
        )
        st.form_submit_button(
            "Save the text", key="save", type="primary", on_click=actions.rewrite, args=(found.name, bullet.id, key)
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        for tag in TAGS:
            operation = {"type": "TAG", "bullet_id": bullet.id, "tag": tag}
            st.button(
                f"{SIGNS[tag]} {tag}",
                key=f"tag_{tag}",
                help=f"Count that it was {tag}",
                on_click=actions.commit,
                args=(found.name, [operation], f"Tagged {bullet.id} as {tag}."),
                kwargs={"keep": True},
            )
        _move(found, bullet)
        with st.popover("Remove", key="remove"):
            st.caption("It leaves the playbook; an undo brings it back, counters and all.")
            st.button(
                "Remove it",
                key="really_remove",
                type="primary",
                on_click=actions.commit,
                args=(found.name, [{"type": "REMOVE", "bullet_id": bullet.id}], f"Removed {bullet.id}."),
            )


def _move(found: ShownPlaybook, bullet: StoredBullet) -> None:
    type_, label, done = ("UNARCHIVE", "Restore", "Restored") if bullet.archived else ("ARCHIVE", "Archive", "Archived")
    st.button(
        label,
        key="move",
        help="Bring it back into prompts" if bullet.archived else "Leave it out of prompts, and keep it",
        on_click=actions.commit,
        args=(found.name, [{"type": type_, "bullet_id": bullet.id}], f"{done} {bullet.id}."),
        kwargs={"keep": True},
    )
