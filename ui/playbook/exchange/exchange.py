"""Import and export of files and texts in the three formats. An import is previewed before it changes anything."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

import streamlit as st

from agents import PlaybookFormatError
from agents.ace import MAX_PLAYBOOK_BULLETS, MAX_PLAYBOOK_BYTES, LargeJob, Playbook, import_changes, playbook_file_text
from ui.dependencies.streamlit_private import free_upload
from ui.playbook import actions, large_changes, markup, view_state
from ui.playbook.shown_playbook import FROZEN, ShownPlaybook
from ui.text.labels import many, plain

_FILE, _TYPED, _INTO, _NAME = "import_file", "import_typed", "import_into", "import_name"
NEW = "A new playbook"
SHOWN = 5
_NOT_IN_A_NAME = re.compile(r"[^\w.-]+")
MOST_MB = MAX_PLAYBOOK_BYTES // 1_000_000


def show_export(found: ShownPlaybook) -> None:
    """Draws the export of the shown revision. A file is made only when it is downloaded."""
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


def show_import(found: ShownPlaybook | None) -> None:
    """Draws the dialog's content: source, preview, target."""
    st.caption(
        "A text of `## SECTION` and `[id] helpful=0 harmful=0 :: …` lines, the JSON that is exported here, or a dictionary "
        'with `"bullets"`, `"sections"` and `"next_id"`.'
    )
    if (job := large_changes.mine()) is not None and not job.is_wanted:
        _large(found, job)
        return
    st.caption(f"At most {MOST_MB} MB and {MAX_PLAYBOOK_BULLETS:,} bullets. All of it is imported, or nothing.")
    file = st.file_uploader("A file", key=_FILE, max_upload_size=MOST_MB, type=["txt", "md", "json"])
    typed = st.text_area(
        "Or its text", key=_TYPED, height=110, placeholder="## STRATEGIES\n[s-00001] helpful=0 harmful=0 :: …"
    )
    content = file.getvalue() if file is not None else typed.encode("utf-8", "replace")
    if file is None and not typed.strip():
        return
    if large_changes.is_large(content):
        if large_changes.begin_reading(content, file.name if file else "a text"):
            if file is not None:
                free_upload(file)
            st.rerun()
        return
    try:
        text = playbook_file_text(content)
        playbook = Playbook.read(text)
    except PlaybookFormatError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    st.session_state[view_state.TAKEN_IN] = text
    into = _where(found)
    target = found.newest if found is not None and into == found.name else Playbook()
    _preview(playbook, target)
    _import_button(found, into, len(playbook), actions.take_in, view_state.TAKEN_IN)


def _large(found: ShownPlaybook | None, job: LargeJob) -> None:
    """Draws the progress of reading a large file, then its preview and target."""
    if job.status.phase != "ready":
        _watched(job)
        return
    preview = job.status.preview
    into = _where(found)
    said = [many(preview["bullets"], "bullet"), many(preview["sections"], "section")]
    if preview["archived"]:
        said.append(f"{preview['archived']:,} archived")
    lines = "".join(map(_line, preview["first"]))
    more = preview["bullets"] - len(preview["first"])
    lines += f'<li class="noted">… and {more:,} more</li>' if more else ""
    st.html(f'<div class="preview"><h4>{", ".join(said)}</h4><ul class="changes">{lines}</ul></div>')
    st.caption(
        "Ids that the playbook has used before get new numbers. The import goes on when this page is left. It can be "
        "cancelled until all of it is stored; then nothing is stored."
    )
    _import_button(found, into, preview["bullets"], actions.store_large, job.key)


def _watched(job: LargeJob) -> None:
    @st.fragment(run_every=large_changes.EVERY)
    def progress() -> None:
        status = job.status
        if status.phase == "ready" or status.is_over:
            st.rerun()
        large_changes.draw(job, status)
        st.caption("Closing this dialog cancels it; nothing is stored then.")

    progress()


def _where(found: ShownPlaybook | None) -> str:
    """Draws the choice of the target; returns the name of a playbook, or `NEW`."""
    here = [] if found is None else [found.name]
    into = st.radio("Into", [*here, NEW], key=_INTO, format_func=plain, horizontal=True) if here else NEW
    if into == NEW:
        st.text_input("Name", key=_NAME, placeholder="e.g. finance")
    return into or NEW


def _import_button(found: ShownPlaybook | None, into: str, count: int, do: Callable[..., None], what: str) -> None:
    locked = found is not None and into == found.name and found.info.frozen
    if locked:
        st.info(FROZEN, icon=":material/lock:")
    st.button(
        f"Import {many(count, 'bullet')}",
        key="import_it",
        type="primary",
        disabled=locked or not count,
        on_click=_import,
        args=(do, what),
    )


def _import(do: Callable[..., None], what: str) -> None:
    into = st.session_state.get(_INTO) or NEW
    do(what, None if into == NEW else into, _NAME)


def _line(bullet: Mapping[str, str]) -> str:
    content = markup.escaped(bullet["content"][: markup.CUT])
    return f'<li class="added"><code>{markup.escaped(bullet["id"])}</code> {content}</li>'


def _preview(playbook: Playbook, target: Playbook) -> None:
    renumbered = [change for change in import_changes(target, playbook.bullets) if "was" in change]
    archived = sum(bullet.archived for bullet in playbook.bullets)
    said = [many(len(playbook), "bullet"), many(len(playbook.sections), "section")]
    if archived:
        said.append(f"{archived:,} archived")
    lines = "".join(_line({"id": bullet.id, "content": bullet.content}) for bullet in playbook.bullets[:SHOWN])
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
