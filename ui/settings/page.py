"""The Settings page, top to bottom."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from agents import DatabaseError
from agents.models import models_folder
from agents.runs import RunManager, files_folder
from ui.access import owner
from ui.settings import actions, api, defaults, prices, problems, servers
from ui.settings.models import section as models
from ui.state import address, places, runs
from ui.state.address import Address
from ui.state.quick_input import if_chosen, key_for
from ui.text.amounts import bytes_in_words, size_of
from ui.text.labels import many, plain

SECTIONS = {"models": "Models", "defaults": "Defaults", "prices": "Prices", "api": "API", "mcp": "MCP", "data": "Data"}
_SECTION = "settings_section"


def show(here: Address) -> None:
    """Draws the page."""
    manager = places.manager()
    section = _head(here)
    if not owner.is_owner():
        owner.show_form()
        return
    try:
        preferences = manager.models.preferences
        match section:
            case "defaults":
                defaults.show(manager, preferences, here)
            case "prices":
                prices.show(manager, preferences)
            case "api":
                api.show(manager, preferences)
            case "mcp":
                servers.show(manager)
            case "data":
                _data(manager)
            case _:
                models.show(manager, preferences)
    except DatabaseError as error:
        st.error(f"**The settings cannot be read.** {plain(str(error))}", icon=":material/database_off:")
        st.button("Try again", type="primary", key="try_again")
    problems.show("page")
    problems.show_done()


def _head(here: Address) -> str:
    asked = here.tab if here.tab in SECTIONS else "models"
    with st.container(key="settings_head", horizontal=True, vertical_alignment="center", gap="medium"):
        st.header("Settings", anchor=False, width="content")
        st.segmented_control(
            "Section",
            list(SECTIONS),
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
    database = runs.database()
    size = sum(size_of(database.with_name(database.name + ending))[0] for ending in ("", "-wal", "-shm"))
    _place(
        "Sessions, playbooks and what you set here",
        database,
        f"{many(sessions, 'session')}, {bytes_in_words(size)}" if database.exists() else f"{many(sessions, 'session')}",
        "Another file: `playground --db FILE`, or `PLAYGROUND_DB`. Keys are never in it.",
    )
    _folder("Working files of sessions", files_folder(), "Another folder: `PLAYGROUND_FILES`.")
    _folder("Model files", models_folder(), "Another folder: `PLAYGROUND_MODELS`.")


def _folder(title: str, folder: Path, how: str) -> None:
    size, number = size_of(folder)
    _place(title, folder, f"{many(number, 'file')}, {bytes_in_words(size)}" if number else "Nothing there yet", how)


def _place(title: str, where: Path, holds: str, how: str) -> None:
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(title, anchor=False, width="content")
            st.caption(holds, width="content")
        st.code(str(where), language=None, wrap_lines=True)
        st.caption(how)
