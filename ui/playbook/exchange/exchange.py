"""Import and export of files and texts, and of skills. An import is previewed before it changes anything."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from agents import PlaybookFormatError
from agents.ace import (
    MAX_PLAYBOOK_BULLETS,
    MAX_PLAYBOOK_BYTES,
    Playbook,
    StoredBullet,
    evidence_of,
    has_passed,
    import_changes,
    skill_name,
    write_skill,
    zip_skill,
)
from ui.kit.elements import Html, element
from ui.playbook import actions, markup, view_state
from ui.playbook.shown_playbook import FROZEN, ShownPlaybook
from ui.text.labels import many, plain

_FILE, _TYPED, _INTO, _NAME = "import_file", "import_typed", "import_into", "import_name"
_SECTIONS, _PASSED = "export_skill_sections", "export_skill_passed"
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
        _show_skill(found)


def _show_skill(found: ShownPlaybook) -> None:
    """Draws the export as a skill, which coding agents load."""
    live = [bullet for bullet in found.shown.bullets if not bullet.archived]
    sections = list(dict.fromkeys(bullet.section for bullet in live))
    st.divider()
    chosen = st.multiselect("Sections of the skill", sections, key=_SECTIONS, placeholder="All sections", format_func=plain)
    passed = st.checkbox(
        "Only bullets that passed",
        key=_PASSED,
        help="Those whose present text was judged helpful, and more often than harmful",
    )
    kept = [one for one in live if (not chosen or one.section in chosen) and (not passed or has_passed(one))]
    name = skill_name(found.name)

    def archive() -> bytes:
        evidence = {bullet.id: evidence_of(found.store, bullet) for bullet in kept}
        files = write_skill(found.shown, name=name, sections=chosen or None, passed_only=passed, evidence=evidence)
        return zip_skill(files, name)

    st.download_button(
        f"Skill, {many(len(kept), 'bullet')}",
        archive,
        f"{name}.zip",
        "application/zip",
        key="export_skill",
        on_click="ignore",
        disabled=not kept,
        help="A folder with SKILL.md and each bullet's evidence, as coding agents load it",
        width="stretch",
    )


def show_import(found: ShownPlaybook | None) -> None:
    """Draws the dialog's content: source, preview, target."""
    st.caption(
        "A text of `## SECTION` and `[id] helpful=0 harmful=0 :: …` lines, the JSON that is exported here, a dictionary "
        'with `"bullets"`, `"sections"` and `"next_id"`, a `SKILL.md`, or the ZIP archive of a skill.'
    )
    st.caption(f"At most {MOST_MB} MB and {MAX_PLAYBOOK_BULLETS:,} bullets. All of it is imported, or nothing.")
    file = st.file_uploader("A file", key=_FILE, max_upload_size=MOST_MB, type=["txt", "md", "json", "zip"])
    typed = st.text_area(
        "Or its text", key=_TYPED, height=110, placeholder="## STRATEGIES\n[s-00001] helpful=0 harmful=0 :: …"
    )
    content = file.getvalue() if file is not None else typed.encode("utf-8", "replace")
    if file is None and not typed.strip():
        return
    try:
        playbook = _read(content)
        into = _where(found)
        _preview(playbook, found.newest if found is not None and into == found.name else Playbook())
    except PlaybookFormatError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    _import_button(found, into, len(playbook))


def _read(content: bytes) -> Playbook:
    """The playbook in a file; it is read once, not each time that the dialog is drawn."""
    taken = st.session_state.get(view_state.TAKEN_IN)
    if taken is None or taken[0] != content:
        taken = st.session_state[view_state.TAKEN_IN] = content, Playbook.from_file(content)
    return taken[1]


def _where(found: ShownPlaybook | None) -> str:
    """Draws the choice of the target; returns the name of a playbook, or `NEW`."""
    here = [] if found is None else [found.name]
    into = st.radio("Into", [*here, NEW], key=_INTO, format_func=plain, horizontal=True) if here else NEW
    if into == NEW:
        st.text_input("Name", key=_NAME, placeholder="e.g. finance")
    return into or NEW


def _import_button(found: ShownPlaybook | None, into: str, count: int) -> None:
    locked = found is not None and into == found.name and found.info.frozen
    if locked:
        st.info(FROZEN, icon=":material/lock:")
    st.button(
        f"Import {many(count, 'bullet')}",
        key="import_it",
        type="primary",
        disabled=locked or not count,
        on_click=_import,
    )


def _import() -> None:
    into = st.session_state.get(_INTO) or NEW
    actions.take_in(None if into == NEW else into, _NAME)


def _line(bullet: StoredBullet) -> Html:
    return element("li.added", element("code", bullet.id), f" {bullet.content[: markup.CUT]}")


def _renumbered(change: Mapping[str, Any]) -> Html:
    return element("li", element("code", change["was"]), " → ", element("code", change["bullet_id"]))


def _preview(playbook: Playbook, target: Playbook) -> None:
    renumbered = [change for change in import_changes(target, playbook.bullets) if "was" in change]
    archived = sum(bullet.archived for bullet in playbook.bullets)
    said = [many(len(playbook), "bullet"), many(len(playbook.sections), "section")]
    if archived:
        said.append(f"{archived:,} archived")
    preview = [element("h4", ", ".join(said)), element("ul.changes", *markup.lines(playbook.bullets, _line, SHOWN))]
    if renumbered:
        preview.append(element("h4", f"New numbers: {many(len(renumbered), 'id')} given out here before"))
        preview.append(element("ul", *markup.lines(renumbered, _renumbered, SHOWN)))
    st.html(element("div.preview", *preview))
