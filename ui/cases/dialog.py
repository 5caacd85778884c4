"""The dialog *Keep as a case*: a name, the playbook to take, and expectations to edit."""

from __future__ import annotations

from typing import Any

import streamlit as st

from agents.cases import NewestPlaybook
from ui.cases import actions
from ui.cases.fields import KINDS, Field
from ui.text.labels import plain, title_of

_SHOWN = 3
"""Most messages shown."""


def show() -> None:
    """Draws the dialog, if it is open."""
    if actions.DRAFT in st.session_state:
        _dialog()


@st.dialog("Keep as a case", width="medium", on_dismiss=actions.close)
def _dialog() -> None:
    draft = st.session_state.get(actions.DRAFT)
    if draft is None:  # saved: the page below says so
        st.rerun()
    case = draft["case"]
    st.caption(
        "A case is this answer as a test: the messages up to it are sent again, and what is below has to hold."
        if draft["of_answer"]
        else "A case is this session as a test: its messages are sent again, and what happens has to be what is below."
    )
    if case.why_not:
        st.warning(case.why_not, icon=":material/info:")
    for message in case.messages[:_SHOWN]:
        st.markdown(f"> {plain(title_of(message, length=200))}")
    if len(case.messages) > _SHOWN:
        st.caption(f"… and {len(case.messages) - _SHOWN} more messages.")
    st.text_input("Name", case.name, key=actions.NAME, max_chars=120)
    if isinstance(case.playbook, NewestPlaybook):
        _playbook(case.playbook.name, draft["revision"])
    for number, kind, texts in draft["rows"]:
        _row(draft["mark"], number, kind, texts)
    st.selectbox(
        "Another expectation",
        list(KINDS),
        index=None,
        key=actions.KIND,
        format_func=lambda kind: KINDS[kind][0],
        placeholder="Add an expectation",
        on_change=actions.add_row,
        args=(actions.KIND,),
        label_visibility="collapsed",
    )
    if problem := st.session_state.get(actions.PROBLEM):
        st.error(plain(problem), icon=":material/block:")
    with st.container(horizontal=True):
        st.button("Keep it", key="case_keep", type="primary", on_click=actions.save)
        if st.button("Cancel", key="case_cancel", on_click=actions.close):
            st.rerun()


def _playbook(name: str, revision: Any) -> None:
    choices = {"newest": f"Newest revision of {name}"}
    if isinstance(revision, int):
        choices["revision"] = f"Revision {revision:,}, as it was"
    st.segmented_control(
        "Playbook",
        list(choices),
        key=actions.CHOICE,
        default="newest",
        required=True,
        format_func=lambda choice: plain(choices[choice]),
        help="A case of the newest revision can guard the playbook: a delta that breaks it waits for you.",
    )


def _row(mark: int, number: int, kind: str, texts: dict[str, str]) -> None:
    title, fields = KINDS[kind]
    with st.container(key=f"case_row_{mark}_{number}", border=True, gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{title}**", width="stretch")
            st.button(
                "✕",
                key=f"case_remove_{mark}_{number}",
                help=f"Remove “{title}”",
                type="tertiary",
                on_click=actions.remove_row,
                args=(number,),
            )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            for field in fields:
                _field(actions.field_key(mark, number, field.name), field, texts.get(field.name, ""))


def _field(key: str, field: Field, text: str) -> None:
    if field.reads == "text" and "\n" in text:
        st.text_area(field.label, text, key=key, height=80)
    else:
        st.text_input(field.label, text, key=key)
