"""The tab *Files*: the team as it is saved, a text editor for it, and its revisions."""

from __future__ import annotations

import streamlit as st

from agents.teams import TeamRevision
from ui.build import actions
from ui.build.open_team import OpenTeam, store
from ui.text.labels import ago, plain
from ui.text.visible_text import visible

_LANGUAGES = {"yaml": "yaml", "py": "python", "json": "json", "toml": "toml", "md": "markdown"}
_FILE, _EDITS, _REVISION, _ADDED = "team_file", "team_edits", "team_revision", "team_added"
FIRST = ("root_agent.yaml", "agent.py")
"""A team begins with one of these files."""
HEIGHT, SHORT = 420, 18
MOST_REVISIONS = 200


def show(team: OpenTeam, *, locked: bool) -> None:
    """Draws the tab."""
    names = sorted(team.draft.files, key=lambda name: (name not in FIRST, name))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.selectbox("File", names, key=_FILE, label_visibility="collapsed")
        edits = st.toggle("Edit", key=_EDITS, disabled=locked)
    if name is not None:
        _file(team, name, edits=edits and not locked)
    if not locked:
        _more(team, name)
    st.markdown("##### Revisions")
    _revisions(team, locked=locked)


def _file(team: OpenTeam, name: str, *, edits: bool) -> None:
    text, key = team.draft.files[name], f"team_text_{name}_{team.draft.revision}"
    if edits:
        keep = actions.keep_text
        st.text_area(
            name, text, key=key, height=HEIGHT, label_visibility="collapsed", on_change=keep, args=(team.name, name, key)
        )
        st.button("Save", key="save_file", type="primary", on_click=actions.save_file, args=(team.name, name, key))
    else:
        height = HEIGHT if text.count("\n") > SHORT else "content"
        st.code(visible(text), language=_LANGUAGES.get(name.rpartition(".")[2]), height=height, line_numbers=True)
    shown = st.session_state.get(key) if edits else None
    if (typed := team.unsaved.get(name)) not in (None, text, shown):
        st.caption("What you typed, and what is not saved:")
        st.code(visible(typed or ""), language=None)


def _more(team: OpenTeam, name: str | None) -> None:
    with st.expander("Add or remove files", type="compact", key="more_files"):
        st.caption(
            "A CSV or JSON file becomes a tool that looks up its rows. Functions of tools.py are tools, too: that code runs "
            "on this machine, with your rights."
        )
        st.file_uploader(
            "Files", accept_multiple_files=True, key=_ADDED, max_upload_size=actions.MOST_MB, label_visibility="collapsed"
        )
        with st.container(horizontal=True, gap="small"):
            chosen = bool(st.session_state.get(_ADDED))
            st.button("Add them", key="add_files", disabled=not chosen, on_click=actions.add_files, args=(team.name, _ADDED))
            if "tools.py" not in team.draft.files:
                st.button("New tools.py", key="add_tools", on_click=actions.add_tools, args=(team.name,))
            if name not in (None, *FIRST):
                st.button(f"Remove {plain(name)}", key="remove_file", on_click=actions.remove_file, args=(team.name, name))


def _revisions(team: OpenTeam, *, locked: bool) -> None:
    found = store().revisions(team.name)[:MOST_REVISIONS]
    by_number = {one.number: one for one in found}
    chosen = st.selectbox(
        "Revision",
        list(by_number),
        key=_REVISION,
        format_func=lambda number: _words(by_number[number]),
        label_visibility="collapsed",
    )
    if chosen is None:
        return
    newest = found[0].number
    earlier = max((number for number in by_number if number < chosen), default=None)
    if earlier is not None:
        st.code(visible(store().diff(team.name, earlier, chosen)) or "Nothing.", language="diff", wrap_lines=True)
    st.button(
        "Restore it",
        key="restore_revision",
        disabled=locked or chosen == newest,
        on_click=actions.restore,
        args=(team.name, chosen),
    )


def _words(revision: TeamRevision) -> str:
    return f"{revision.number} · {revision.note or 'saved'} · {ago(revision.saved_at)}"
