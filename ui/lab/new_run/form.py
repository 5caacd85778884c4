"""The form that begins a run: presets, the description, and the user's own data."""

from __future__ import annotations

import streamlit as st

from ui.access import owner
from ui.lab import actions
from ui.lab.new_run import drafts
from ui.lab.new_run.presets import presets
from ui.state import data_files, notices
from ui.text.labels import plain

CLOSED = (
    "The sets that come along are a closed world, made for the simulated model: they show how a playbook works, not how "
    "good a model is. For that, take your own questions and a real model."
)
MOST_FILES = 50
_FILE = "lab_file"


def show() -> None:
    """Draws the form."""
    drafts.fill()
    with st.container(key="lab_form", gap="small"):
        titles = [preset.title for preset in presets()]
        st.pills("Begin with", titles, key=drafts.PRESET, required=True, on_change=drafts.take_chosen)
        st.markdown(drafts.chosen().about)
        text, side = st.columns([3, 2], gap="medium")
        with text:
            st.text_area(
                "Description (TOML)",
                key=actions.DESCRIPTION,
                height=320,
                help="Data, pipeline, model, seeds, arms with their switches, limits. It is kept with the results.",
                on_change=drafts.keep,
            )
        with side:
            _data_file()
        notices.show("form")
        _buttons()
        st.caption(CLOSED)


def _buttons() -> None:
    locked = not owner.is_owner()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("▶ Begin", key="lab_begin", type="primary", disabled=locked, on_click=actions.begin)
        if drafts.is_changed():
            about = f"Takes “{drafts.chosen().title}” again, as it comes along"
            st.button("Discard changes", key="lab_reset", type="tertiary", help=about, on_click=drafts.reset)


def _data_file() -> None:
    locked = not owner.is_owner()
    st.file_uploader(
        "Your own data",
        type=[suffix[1:] for suffix in data_files.SUFFIXES],
        key=_FILE,
        on_change=actions.upload,
        args=(_FILE,),
        help="JSON lines with question and answer, or context and target; or CSV.",
        disabled=locked,
    )
    if name := st.session_state.get(actions.KEPT):
        st.success(f"**{plain(name)}** is kept. A description names it by", icon=":material/check:")
        st.code(f"file = {drafts.quoted(name)}", language="toml", wrap_lines=True)
        st.button("Describe a run with it", key="lab_use_file", on_click=drafts.use_file, args=(name,))
    if there := data_files.kept():
        more = f" … and {len(there) - MOST_FILES:,} more" if len(there) > MOST_FILES else ""
        st.caption(f"Files that can be named: {', '.join(map(plain, there[:MOST_FILES]))}{more}")
