"""One bullet: its text with an editor, the answers that it touched, and its lineage."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from agents import PlaygroundError
from agents.ace import MAX_BULLET_LENGTH, TAGS, DeltaRecord, StoredBullet, changed_ids
from agents.runs import Provenance
from ui.kit.elements import Html, element
from ui.playbook import actions, markup, session_link
from ui.playbook.bullets import touched
from ui.playbook.delta_effect import SIGNS
from ui.playbook.deltas.delta_card import BY
from ui.playbook.shown_playbook import ShownPlaybook
from ui.text.labels import ago, many

FIRST, LAST = 2, 6
"""Steps shown of a long history: the first ones and the last ones."""
LONGEST = 400
"""Characters of an answer or a reflection that are shown."""
_ALL = "whole_lineage"


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
        _lineage(found, bullet_id, records)


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


def _lineage(found: ShownPlaybook, bullet_id: str, records: list[DeltaRecord]) -> None:
    """Draws the steps, oldest first.

    Args:
        found: The shown playbook.
        bullet_id: The bullet.
        records: The deltas that concern it, oldest first.
    """
    st.subheader("Where it comes from", anchor=False)
    if not records:
        st.caption("No delta concerns a bullet of this name.")
        return
    left_out = len(records) - FIRST - LAST
    key = f"{_ALL}_{bullet_id}"
    if left_out > 1 and not st.session_state.get(key):
        _steps(found, records[:FIRST], records, bullet_id)
        st.button(
            f"Show {many(left_out, 'step')} between", key="show_lineage", type="tertiary", on_click=_show_all, args=(key,)
        )
        _steps(found, records[-LAST:], records, bullet_id)
    else:
        _steps(found, records, records, bullet_id)


def _show_all(key: str) -> None:
    st.session_state[key] = True


def _steps(found: ShownPlaybook, shown: list[DeltaRecord], records: list[DeltaRecord], bullet_id: str) -> None:
    known = _made_of(records, bullet_id)
    for record in shown:
        provenance = _provenance(found, record)
        with st.container(key=f"step_{record.revision}", gap=None):
            st.html(step(record, known, provenance))
            if provenance.session is not None:
                pipeline, session = provenance.session
                session_link.show(found, pipeline, session, provenance.seq)
            elif record.session_id:
                st.caption("Its session was deleted.")


def _made_of(records: list[DeltaRecord], bullet_id: str) -> set[str]:
    """The ids of a bullet and of all bullets that it was merged from."""
    known = {bullet_id}
    for record in reversed(records):
        for change in record.applied:
            if change["type"] == "MERGE" and change["bullet_id"] in known:
                known |= set(change["bullet_ids"])
    return known


def _provenance(found: ShownPlaybook, record: DeltaRecord) -> Provenance:
    try:
        return found.manager.sessions.provenance(record)
    except PlaygroundError:
        return Provenance(session=None)


def step(record: DeltaRecord, known: set[str], provenance: Provenance) -> Html:
    """One delta of a bullet's history, as HTML.

    Args:
        record: The delta.
        known: The ids of the bullet and of those that it was merged from.
        provenance: What led to it.
    """
    mine = [change for change in record.applied if known & set(changed_ids(change))]
    undoes = f", takes back revision {record.undoes:,}" if record.undoes is not None else ""
    by = element("span", f"by {BY.get(record.by, record.by)}, {ago(record.committed_at)}{undoes}")
    led_to = (part for name, text in _led_to(provenance) for part in (element("dt", name), element("dd", text, dir="auto")))
    changes = markup.changes([_about(change, known) for change in mine])
    return element("div.step", element("h4", f"Revision {record.revision:,} ", by), element("dl", *led_to), changes)


def _about(change: Mapping[str, Any], known: set[str]) -> Mapping[str, Any]:
    """The part of a change that concerns the bullet: a query may have cited many."""
    if change["type"] == "CITE":
        return {**change, "bullet_ids": [id_ for id_ in change["bullet_ids"] if id_ in known]}
    return change


def _led_to(provenance: Provenance) -> list[tuple[str, str]]:
    """What led to a delta: pairs of label and text, oldest first."""
    answer, reflection = _fields(provenance, "generator_output"), _fields(provenance, "reflector_output")
    found = {
        "query": provenance.query,
        "answer": answer.get("final_answer"),
        "feedback": provenance.values.get("feedback"),
        "reflection": reflection.get("key_insight") or reflection.get("root_cause_analysis"),
    }
    return [(name, _cut(str(text))) for name, text in found.items() if text]


def _fields(provenance: Provenance, key: str) -> Mapping[str, Any]:
    """A role's output as an object; the state may have it as an object or as text."""
    value = provenance.values.get(key)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {"final_answer": value, "key_insight": value}
    return value if isinstance(value, Mapping) else {}


def _cut(text: str) -> str:
    line = text.strip()
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"
