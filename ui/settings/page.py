"""The Settings page, top to bottom."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from agents import DatabaseError
from agents.access import Action, permits
from agents.models import models_folder
from agents.runs import Database, RunManager, files_folder, folder_beside
from ui.access import owner
from ui.settings import actions, activity, api, defaults, prices, problems, servers, use, users
from ui.settings.models import section as models
from ui.state import address, places, runs
from ui.state.address import Address
from ui.state.quick_input import if_chosen, key_for
from ui.text.amounts import bytes_in_words, size_of
from ui.text.labels import many, plain

SECTIONS = {
    "models": "Models",
    "defaults": "Defaults",
    "prices": "Prices",
    "users": "Users",
    "api": "API",
    "mcp": "MCP",
    "data": "Data",
    "use": "Use",
    "activity": "Activity",
}
_SECTION = "settings_section"
_OWNERS = {"users", "mcp", "data", "activity"}
_OF_SETTINGS = {"models", "defaults", "prices"}


def show(here: Address) -> None:
    """Draws the page."""
    manager = places.manager()
    sections = _sections(manager)
    section = _head(here, sections)
    if section == "use" and not owner.is_owner() and not permits(manager.user, Action.SET_OWN):
        owner.show_form()
    try:
        _show(section, manager, here)
    except DatabaseError as error:
        st.error(f"**The settings cannot be read.** {plain(str(error))}", icon=":material/database_off:")
        st.button("Try again", type="primary", key="try_again")
    problems.show("page")
    problems.show_done()


def _show(section: str, manager: RunManager, here: Address) -> None:
    match section:
        case "defaults":
            defaults.show(manager, manager.models.preferences, here)
        case "prices":
            prices.show(manager, manager.models.preferences)
        case "users":
            users.show(manager)
        case "api" if permits(manager.user, Action.SET_OWN):
            api.show(manager, manager.models.preferences)
        case "api":
            api.show_tokens(manager)
        case "mcp":
            servers.show(manager)
        case "data":
            _data(manager)
        case "use":
            use.show(manager)
        case "activity":
            activity.show(manager)
        case _:
            models.show(manager, manager.models.preferences)


def _sections(manager: RunManager) -> list[str]:
    """The sections that the user sees: what they use is everybody's."""
    if owner.is_owner():
        return [name for name in SECTIONS if name != "users" or users.are_expected(manager)]
    hidden = _OWNERS | (set() if permits(manager.user, Action.SET_OWN) else _OF_SETTINGS)
    hidden |= set() if permits(manager.user, Action.MAKE_TOKENS) else {"api"}
    return [name for name in SECTIONS if name not in hidden]


def _head(here: Address, sections: list[str]) -> str:
    asked = here.tab if here.tab in sections else sections[0]
    with st.container(key="settings_head", horizontal=True, vertical_alignment="center", gap="medium"):
        st.header("Settings", anchor=False, width="content")
        st.segmented_control(
            "Section",
            sections,
            key=key_for(_SECTION, asked),
            format_func=SECTIONS.__getitem__,
            required=True,
            on_change=if_chosen(_go_to),
            args=(_SECTION,),
            label_visibility="collapsed",
        )
    return asked


def _go_to(section: str) -> None:
    for key in (actions.PROBLEM, actions.NOTICE):
        st.session_state.pop(key, None)
    address.go(replace(address.current(), tab=section))


def _data(manager: RunManager) -> None:
    """Draws a card for each location."""
    sessions = manager.sessions.page(limit=0).found
    database, holds = runs.database(), many(sessions, "session")
    if isinstance(database, Path) and database.exists():
        size = sum(size_of(database.with_name(database.name + ending))[0] for ending in ("", "-wal", "-shm"))
        holds += f", {bytes_in_words(size)}"
    _place(
        "Sessions, playbooks and what you set here",
        database,
        holds,
        "Another file, or a PostgreSQL database: `playground --db PLACE`, or `PLAYGROUND_DB`. Keys are never in it. "
        f"Teams, cases and lab runs are in {plain(str(folder_beside(database)))}; another folder: `playground --data DIR`, "
        "or `PLAYGROUND_DATA`.",
    )
    _folder("Working files of sessions", files_folder(), "Another folder: `PLAYGROUND_FILES`.")
    _folder("Model files", models_folder(), "Another folder: `PLAYGROUND_MODELS`.")


def _folder(title: str, folder: Path, how: str) -> None:
    size, number = size_of(folder)
    _place(title, folder, f"{many(number, 'file')}, {bytes_in_words(size)}" if number else "Nothing there yet", how)


def _place(title: str, where: Database, holds: str, how: str) -> None:
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(title, anchor=False, width="content")
            st.caption(holds, width="content")
        st.code(str(where), language=None, wrap_lines=True)
        st.caption(how)
