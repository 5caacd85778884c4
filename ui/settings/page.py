"""The Settings page, top to bottom."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from agents import DatabaseError, PersonError
from agents.access import Action
from agents.models import models_folder
from agents.runs import Database, RunManager, files_folder, folder_beside
from ui.access import owner
from ui.settings import actions, api, defaults, prices, problems, users
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
    "data": "Data",
}
_SECTION = "settings_section"


def show(here: Address) -> None:
    """Draws the page."""
    manager = places.manager()
    is_owner = owner.is_owner()
    section = _head(here, _sections(manager) if is_owner else [])
    if not is_owner:
        if owner.may(Action.MAKE_TOKENS):
            api.show_tokens(manager)
            problems.show_done()
        else:
            owner.show_form()
        return
    try:
        preferences = manager.models.preferences
        match section:
            case "defaults":
                defaults.show(manager, preferences, here)
            case "prices":
                prices.show(manager, preferences)
            case "users":
                users.show(manager)
            case "api":
                api.show(manager, preferences)
            case "data":
                _data(manager)
            case _:
                models.show(manager, preferences)
    except DatabaseError as error:
        st.error(f"**The settings cannot be read.** {plain(str(error))}", icon=":material/database_off:")
        st.button("Try again", type="primary", key="try_again")
    problems.show("page")
    problems.show_done()


def _sections(manager: RunManager) -> list[str]:
    """The owner's sections."""
    return [name for name in SECTIONS if name != "users" or users.are_expected(manager)]


def _head(here: Address, sections: list[str]) -> str:
    asked = here.tab if here.tab in sections else "models"
    with st.container(key="settings_head", horizontal=True, vertical_alignment="center", gap="medium"):
        st.header("Settings", anchor=False, width="content")
        if not sections:
            return asked
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
    return asked or "models"


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
    _mcp_servers(manager)


def _mcp_servers(manager: RunManager) -> None:
    """Draws the file with the MCP servers that agents may use, and each of them with the tools that are known."""
    servers = manager.mcp_servers
    assert servers.file is not None
    try:
        named = servers.named
    except PersonError as error:
        st.error(f"**The list of MCP servers cannot be read.** {plain(str(error))}", icon=":material/extension_off:")
        named = {}
    how = "A file as desktop clients have it, see Help › MCP. Another one: `playground --mcp FILE`, or `PLAYGROUND_MCP`."
    _place("MCP servers", servers.file, many(len(named), "server"), how)
    for name, params in named.items():
        tools = [tool.name for tool in servers.listed(params)]
        st.caption(f"**{plain(name)}**: {plain(', '.join(tools)) or 'its tools are listed with the first run that uses it'}")


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
