"""The shown revision's delta: author, reason, changes, rejected operations; and its undo."""

from __future__ import annotations

import streamlit as st

from agents.ace import DeltaRecord
from ui.playbook import markup, session_link, view_state, welcome
from ui.playbook.delta_effect import effect_of, summary
from ui.playbook.shown_playbook import FROZEN, ShownPlaybook
from ui.text.browser_time import local_time
from ui.text.labels import ago

BY = {
    "curator": "the curator",
    "reflector": "the reflector",
    "person": "a person",
    "import": "an import",
    "refinement": "refinement",
}
SHOWN = 12
"""Most changes shown; the others are counted."""


def show(found: ShownPlaybook) -> None:
    """Draws the card."""
    with st.container(key="delta_card", border=True, gap="small"):
        record = found.record
        if record is None:
            st.html('<div class="delta"><h3>Revision 0</h3><p>Every playbook begins empty.</p></div>')
        else:
            said = summary(effect_of(record.applied, found.shown), len(record.rejected))
            st.html(head(record, said, found.is_newest))
            _lists(record)
            if record.session_id:
                session_link.show(found, record.app_name, record.session_id, record.seq)
        _back(found)
    if found.newest.revision:
        welcome.run_the_pipeline(found.manager, found.address, playbook=found.name)


def head(record: DeltaRecord, said: str, newest: bool) -> str:
    """Author, summary, time and reason of a delta, as HTML."""
    when = f"{local_time(record.committed_at):%Y-%m-%d %H:%M}"
    mark = ' <span class="badge">newest</span>' if newest else ""
    reasoning = f'<blockquote dir="auto">{markup.escaped(record.reasoning)}</blockquote>' if record.reasoning else ""
    return (
        f'<div class="delta"><h3>Revision {record.revision:,}{mark}</h3>'
        f'<p>By {markup.escaped(BY.get(record.by, record.by))}, <span title="{when}">{ago(record.committed_at)}</span>: '
        f"{said}.</p>{reasoning}</div>"
    )


def _lists(record: DeltaRecord) -> None:
    shown = [markup.change_line(change) for change in record.applied[:SHOWN]]
    if len(record.applied) > SHOWN:
        shown.append(f'<li class="noted">… and {len(record.applied) - SHOWN:,} more changes</li>')
    refused = [markup.rejection_line(rejection) for rejection in record.rejected[:SHOWN]]
    if len(record.rejected) > SHOWN:
        refused.append(f'<li class="noted">… and {len(record.rejected) - SHOWN:,} more rejected</li>')
    if shown:
        st.html(f'<ul class="changes" aria-label="Changes">{"".join(shown)}</ul>')
    if refused:
        st.html(
            f'<div class="delta"><h4>Rejected</h4></div><ul class="changes" aria-label="Rejected">{"".join(refused)}</ul>'
        )


def _back(found: ShownPlaybook) -> None:
    """Draws undo (of this delta alone) and roll back (to this revision)."""
    record, locked = found.record, FROZEN if found.info.frozen else ""
    with st.container(horizontal=True, gap="small"):
        if record is not None:
            does_something = any(change["type"] != "CITE" for change in record.applied)
            st.button(
                "Undo this delta …",
                key="ask_undo",
                disabled=bool(locked) or not does_something,
                help=locked or ("Take back what it did; later ones stay" if does_something else "It changed no bullet"),
                on_click=view_state.ask,
                args=("undo",),
                kwargs={"revision": record.revision},
            )
        if not found.is_newest:
            st.button(
                "Roll back to here …",
                key="ask_roll_back",
                disabled=bool(locked),
                help=locked or "Make the newest revision say what this one says",
                on_click=view_state.ask,
                args=("roll_back",),
                kwargs={"revision": found.shown.revision},
            )
