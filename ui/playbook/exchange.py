"""Import and export: files and texts in the three formats, looked at before anything is changed.

Knows what is opened and which deeds there are.
"""

from __future__ import annotations

import json
import re

import streamlit as st

from agents.ace.changes import imported
from agents.ace.playbook import Playbook
from agents.errors import PlaybookFormatError
from ui.labels import plain
from ui.playbook import deeds, looking, markup
from ui.playbook.marks import many
from ui.playbook.opened import FROZEN, Opened

_FILE, _TYPED, _INTO, _NAME = "import_file", "import_typed", "import_into", "import_name"
NEW = "A new playbook"
SHOWN = 5
_NOT_IN_A_NAME = re.compile(r"[^\w.-]+")
MOST_MB = 50


def show_export(found: Opened) -> None:
    """Draws the button and what it offers: the revision that is looked at, made when it is asked for."""
    shown = found.shown
    name = f"{_NOT_IN_A_NAME.sub('_', found.name)}-{shown.revision}"
    with st.popover("Export", key="export"):
        st.caption(f"Revision {shown.revision:,}, {many(len(shown), 'bullet')}")
        st.download_button(
            "Text", shown.to_text, f"{name}.txt", "text/plain", key="export_text", on_click="ignore", width="stretch"
        )
        st.download_button(
            "JSON, all of it",
            shown.to_json,
            f"{name}.json",
            "application/json",
            key="export_json",
            on_click="ignore",
            help="Lossless: times, authors and archive too",
            width="stretch",
        )
        st.download_button(
            "ADK dictionary",
            lambda: json.dumps(shown.to_dict(), ensure_ascii=False, indent=2),
            f"{name}.adk.json",
            "application/json",
            key="export_dict",
            on_click="ignore",
            width="stretch",
        )


def show_import(found: Opened | None) -> None:
    """Draws what the dialog holds: where from, what would come in, and where to."""
    st.caption(
        "A text of `## SECTION` and `[id] helpful=0 harmful=0 :: …` lines, the JSON that is exported here, or a dictionary "
        'with `"bullets"`, `"sections"` and `"next_id"`.'
    )
    file = st.file_uploader("A file", key=_FILE, max_upload_size=MOST_MB, type=["txt", "md", "json"])
    typed = st.text_area(
        "Or its text", key=_TYPED, height=110, placeholder="## STRATEGIES\n[s-00001] helpful=0 harmful=0 :: …"
    )
    text = _decoded(file.getvalue()) if file is not None else typed
    if text is None or not text.strip():
        return
    try:
        playbook = Playbook.read(text)
    except PlaybookFormatError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    st.session_state[looking.TAKEN_IN] = text
    _where(found, playbook)


def _decoded(content: bytes) -> str | None:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        st.error(
            f"Line {line}: this is not text in UTF-8. Save the file with that encoding, or paste its text below.",
            icon=":material/block:",
        )
        return None


def _where(found: Opened | None, playbook: Playbook) -> None:
    """What would come in, into what, and the button."""
    here = [] if found is None else [found.name]
    into = st.radio("Into", [*here, NEW], key=_INTO, format_func=plain, horizontal=True) if here else NEW
    if into == NEW:
        st.text_input("Name", key=_NAME, placeholder="e.g. finance")
    target = found.newest if found is not None and into == found.name else Playbook()
    _preview(playbook, target)
    locked = found is not None and into == found.name and found.info.frozen
    if locked:
        st.info(FROZEN, icon=":material/lock:")
    st.button(
        f"Import {many(len(playbook), 'bullet')}",
        key="import_it",
        type="primary",
        disabled=locked or not len(playbook),
        on_click=deeds.take_in,
        args=(looking.TAKEN_IN, None if into == NEW else into, _NAME),
    )


def _preview(playbook: Playbook, target: Playbook) -> None:
    renumbered = [change for change in imported(target, playbook.bullets) if "was" in change]
    archived = sum(bullet.archived for bullet in playbook.bullets)
    said = [many(len(playbook), "bullet"), many(len(playbook.sections), "section")]
    if archived:
        said.append(f"{archived:,} archived")
    lines = "".join(
        f'<li class="added"><code>{markup.escaped(bullet.id)}</code> {markup.escaped(bullet.content[: markup.CUT])}</li>'
        for bullet in playbook.bullets[:SHOWN]
    )
    more = len(playbook) - SHOWN
    if more > 0:
        lines += f'<li class="noted">… and {more:,} more</li>'
    if renumbered:
        pairs = "".join(
            f"<li><code>{markup.escaped(change['was'])}</code> → <code>{markup.escaped(change['bullet_id'])}</code></li>"
            for change in renumbered[:SHOWN]
        )
        rest = f"<li>… and {len(renumbered) - SHOWN:,} more</li>" if len(renumbered) > SHOWN else ""
        renamed = f"<h4>New numbers: {many(len(renumbered), 'id')} given out here before</h4><ul>{pairs}{rest}</ul>"
    else:
        renamed = ""
    st.html(f'<div class="preview"><h4>{", ".join(said)}</h4><ul class="changes">{lines}</ul>{renamed}</div>')
