"""All teams, and the ways to a new one: a start, a copy of a pipeline, pasted YAML, files."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from agents import TeamError
from agents.access import Action
from agents.teams import STARTS
from ui.access import owner
from ui.build import actions
from ui.build.open_team import store
from ui.state import navigation, notices, places, runs
from ui.state.address import Address
from ui.text.labels import plain
from ui.text.visible_text import visible

_COPIED, _PASTED, _FOLDER, _ZIP = "copied_pipeline", "pasted_team", "team_folder", "team_zip_file"
CODE_HEIGHT = 240
"""Pixels of a file of a team that is not taken yet."""
_EXAMPLE = "name: writer\ninstruction: Write a short story about what the user names."


def show(here: Address) -> None:
    """Draws the page."""
    with st.container(key="build_head"):
        st.header("Build", anchor=False)
        st.caption(
            "A team of agents is a folder of files that other programs can read. Make one here, see what is wrong with it "
            "before it runs, and try it as it stands."
        )
    owner.show_notice(Action.EDIT_TEAM)
    notices.show()
    _deleted()
    st.subheader("New team", anchor=False)
    with st.container(key="team_starts"):
        for start in STARTS:
            with st.container(key=f"start_{start.name}", border=True, gap="xsmall"):
                st.button(
                    plain(start.title),
                    key=f"begin_{start.name}",
                    disabled=not owner.may(Action.EDIT_TEAM),
                    on_click=actions.begin,
                    args=(start,),
                    width="stretch",
                )
                st.caption(plain(start.summary))
    _others(here)
    _teams(here)


def _others(here: Address) -> None:
    """The other ways to a new team; a pipeline that the address names is offered for a copy."""
    locked = not owner.may(Action.EDIT_TEAM)
    titles = places.titles(runs.manager())
    asked = list(titles).index(here.pipeline) if here.pipeline in titles else 0
    with st.expander(
        "Copy a pipeline, paste YAML, or open files", here.pipeline in titles, type="compact", key="other_starts"
    ):
        copied, pasted, files = st.tabs(["Copy a pipeline", "Paste YAML", "Files"])
        with copied, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.selectbox("Pipeline", list(titles), asked, key=_COPIED, format_func=lambda name: titles[name], width=320)
            st.button("Copy it", key="begin_copy", disabled=locked, on_click=actions.begin_copy, args=(_COPIED,))
        with pasted:
            st.text_area("The file root_agent.yaml", key=_PASTED, height=160, placeholder=_EXAMPLE)
            st.button("Make the team", key="begin_pasted", disabled=locked, on_click=actions.begin_pasted, args=(_PASTED,))
        with files:
            st.caption("A folder with a root_agent.yaml, or a zip of one, e.g. as it is exported here.")
            _upload("Folder", _FOLDER, "directory", None, locked=locked)
            _upload("Zip", _ZIP, False, ["zip"], locked=locked)


def _upload(label: str, key: str, several: Literal[False, "directory"], kinds: list[str] | None, *, locked: bool) -> None:
    st.file_uploader(label, kinds, several, key=key, max_upload_size=actions.MOST_MB, disabled=locked)
    code: dict[str, str] = {}
    try:
        data = actions.uploaded(key)
        files = store().in_zip(data) if data is not None else {}
        code = {name: text for name, text in files.items() if name.endswith(".py")}
    except TeamError as error:
        data = None
        st.error(plain(str(error)), icon=":material/block:")
    if code:
        _code(key, code)
    st.button(
        f"Open the {label.lower()}{' and let its code run' if code else ''}",
        key=f"begin_{key}",
        disabled=locked or data is None,
        on_click=actions.begin_uploaded,
        args=(key,),
    )


def _code(key: str, code: dict[str, str]) -> None:
    """Says before a team is taken that it brings code, and shows it."""
    st.warning(
        f"This team brings Python code: {plain(', '.join(code))}. As soon as it is opened, the code runs on this machine "
        "with your rights, in the playground itself and in its workers. Open it only if you trust those who wrote it.",
        icon=":material/code:",
    )
    with st.expander("Read the code", type="compact", key=f"code_of_{key}"):
        for name, text in code.items():
            st.caption(plain(name))
            st.code(visible(text), language="python", height=CODE_HEIGHT, line_numbers=True)


def _teams(here: Address) -> None:
    names = store().names()
    st.subheader("Teams", anchor=False)
    if not names:
        st.caption("There are none yet. Begin with one of the above: each of them runs without a key.")
        return
    with st.container(key="team_rows", border=True, gap="xsmall"):
        for name in names:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                navigation.to_team(f"**{plain(name)}**", name, here)
                st.space("stretch")
                st.button(
                    "Delete",
                    key=f"delete_team_{name}",
                    type="tertiary",
                    icon=":material/delete:",
                    help=f"Delete {plain(name)}; this can be undone",
                    disabled=not owner.may(Action.EDIT_TEAM),
                    on_click=actions.delete,
                    args=(name,),
                )


def _deleted() -> None:
    """Draws what the last deletion did, with its undo."""
    if (name := st.session_state.get(actions.DELETED)) is None:
        return
    with st.container(key="undo", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"Deleted **{plain(name)}**.", width="content")
        st.button("Undo", key="undelete_team", type="tertiary", on_click=actions.undelete, args=(name,))
