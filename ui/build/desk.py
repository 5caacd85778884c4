"""One team: its head, the editor, and beside that what it does, what is wrong with it, and its files."""

from __future__ import annotations

import streamlit as st

from agents.access import Action, permits
from agents.teams import not_in_adk
from ui.access import owner
from ui.access.identity import current
from ui.build import actions, editor, files, problems, try_it
from ui.build.open_team import OpenTeam, store
from ui.state import imports, navigation, notices, runs
from ui.state.address import Address
from ui.state.options import model_choices
from ui.text.labels import ago, plain

_NAME, TAB = "team_name", "build_tab"
ROOT_FILE = "root_agent.yaml"
TRY_IT, PROBLEMS, FILES = "Try it", "Problems", "Files"


def show(team: OpenTeam, here: Address) -> None:
    """Draws the page of a team."""
    if here.member and here.member != team.agent:
        team.lead_to(here.member)
    locked = not permits(current(), Action.EDIT_TEAM)
    _head(team, here, locked=locked)
    manager = runs.manager()
    with st.container(key="team_notices"):  # in one place: Streamlit makes an editor anew that comes to another one
        owner.show_notice(Action.EDIT_TEAM)
        notices.show()
        if team.is_behind:
            _changed_elsewhere(team)
        imports.show(manager.catalog)
    found = problems.look_at(team.name)
    with st.container(key="build_desk"):
        with st.container(key="build_editor"):
            if ROOT_FILE in team.draft.files:
                models = model_choices.offered(manager.models.preferences)
                editor.draw(team, found.findings, models=models, locked=locked)
            else:
                st.info("This team is written in Python. Change it in the tab *Files*.", icon=":material/code:")
        with st.container(key="build_side"):
            tab = st.segmented_control(
                "Beside the editor",
                (TRY_IT, PROBLEMS, FILES),
                key=TAB,
                default=TRY_IT,
                required=True,
                label_visibility="collapsed",
                format_func=lambda one: f"{one} · {found.number}" if one == PROBLEMS and found.number else one,
            )
            if tab == PROBLEMS:
                problems.show(team, found, locked=locked)
            elif tab == FILES:
                files.show(team, locked=locked)
            else:
                try_it.show(team, found.pipeline, here)


def _head(team: OpenTeam, here: Address, *, locked: bool) -> None:
    with st.container(key="team_head", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        navigation.to_team("← Teams", None, here)
        st.header(plain(team.name), anchor=False, width="stretch")
        for label, icon, back, there in (("Undo", "undo", True, team.past), ("Redo", "redo", False, team.future)):
            st.button(
                label,
                key=f"team_{icon}",
                icon=f":material/{icon}:",
                disabled=locked or not there,
                on_click=actions.turn,
                args=(team.name,),
                kwargs={"back": back},
            )
        with st.popover("Team", type="tertiary", key="team_menu"), st.container(width=320, gap="small"):
            _menu(team, locked=locked)


def _menu(team: OpenTeam, *, locked: bool) -> None:
    st.text_input(
        "Name",
        team.name,
        key=f"{_NAME}_{team.name}",
        disabled=locked,
        help="Sessions that were run stay with the old name.",
        on_change=actions.rename,
        args=(team.name, f"{_NAME}_{team.name}"),
    )
    st.button("Duplicate", key="team_copy", disabled=locked, on_click=actions.duplicate, args=(team.name,), width="stretch")
    st.download_button(
        "Export as a zip", lambda: store().to_zip(team.name), f"{team.name}.zip", key="team_zip", width="stretch"
    )
    if lacks := not_in_adk(team.draft.files, team.name):
        st.caption(plain(" ".join(["`adk web` will not know all of it.", *lacks])))
    st.button("Delete", key="team_delete", disabled=locked, on_click=actions.delete, args=(team.name,), width="stretch")
    if owner.is_owner():
        st.caption("Its folder, to open in an editor of your own:")
        st.code(str(store().path(team.name)), language=None, wrap_lines=True)


def _changed_elsewhere(team: OpenTeam) -> None:
    newest = store().revisions(team.name)[0]
    with st.container(key="changed_elsewhere", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f":orange[⚠ {plain(team.name)} was changed elsewhere, {ago(newest.saved_at)}: {plain(newest.note)}. "
            "What you see is older, and cannot be saved over it.]"
        )
        st.button("Load the newest", key="load_newest", on_click=actions.load_newest, args=(team.name,))
