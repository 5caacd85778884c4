"""The shown revision's delta: author, reason, changes, rejected operations; and its undo."""

from __future__ import annotations

import streamlit as st

from agents.ace import DeltaRecord
from ui.kit.elements import Html, element, html
from ui.playbook import markup, session_link, view_state, welcome
from ui.playbook.delta_effect import effect_of, summary
from ui.playbook.shown_playbook import ShownPlaybook
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
            st.html(element("div.delta", element("h3", "Revision 0"), element("p", "Every playbook begins empty.")))
        else:
            said = summary(effect_of(record.applied, found.shown), len(record.rejected))
            st.html(head(record, said, found.is_newest))
            _lists(record)
            if record.session_id:
                session_link.show(found, record.app_name, record.session_id, record.seq)
        _back(found)
    if found.newest.revision:
        welcome.run_the_pipeline(found.manager, found.address, playbook=found.name)


def head(record: DeltaRecord, said: str, newest: bool) -> Html:
    """Author, summary, time and reason of a delta, as HTML."""
    when = f"{local_time(record.committed_at):%Y-%m-%d %H:%M}"
    mark = html(" ", element("span.badge", "newest")) if newest else ""
    by = html(f"By {BY.get(record.by, record.by)}, ", element("span", ago(record.committed_at), title=when), f": {said}.")
    reasoning = element("blockquote", record.reasoning, dir="auto") if record.reasoning else ""
    return element("div.delta", element("h3", f"Revision {record.revision:,}", mark), element("p", by), reasoning)


def _lists(record: DeltaRecord) -> None:
    if record.applied:
        shown = markup.lines(record.applied, markup.change_line, SHOWN, "more changes")
        st.html(element("ul.changes", *shown, aria_label="Changes"))
    if record.rejected:
        refused = markup.lines(record.rejected, markup.rejection_line, SHOWN, "more rejected")
        title = element("div.delta", element("h4", "Rejected"))
        st.html(html(title, element("ul.changes", *refused, aria_label="Rejected")))


def _back(found: ShownPlaybook) -> None:
    """Draws undo (of this delta alone) and roll back (to this revision)."""
    record, locked = found.record, found.read_only
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
