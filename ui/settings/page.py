"""The Settings page, top to bottom."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from agents import DatabaseError
from ui.access import owner
from ui.settings import actions, data, defaults, problems
from ui.settings.models import section as models
from ui.settings.prices import section as prices
from ui.state import address, places
from ui.state.address import Address
from ui.state.quick_input import show_value
from ui.text.labels import plain

SECTIONS = {"models": "Models", "defaults": "Defaults", "prices": "Prices", "data": "Data"}
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
            case "data":
                data.show(manager)
            case _:
                models.show(manager, preferences)
    except DatabaseError as error:
        st.error(f"**The settings cannot be read.** {plain(str(error))}", icon=":material/database_off:")
        st.button("Try again", type="primary", key="try_again")
    problems.show("page")
    problems.show_done()


def _head(here: Address) -> str:
    asked = here.tab if here.tab in SECTIONS else "models"
    show_value(_SECTION, asked)
    with st.container(key="settings_head", horizontal=True, vertical_alignment="center", gap="medium"):
        st.header("Settings", anchor=False, width="content")
        st.segmented_control(
            "Section",
            list(SECTIONS),
            key=_SECTION,
            format_func=SECTIONS.__getitem__,
            required=True,
            on_change=_go_to,
            label_visibility="collapsed",
        )
    return asked or "models"


def _go_to() -> None:
    for key in (actions.PROBLEM, actions.NOTICE):
        st.session_state.pop(key, None)
    address.go(replace(address.current(), tab=st.session_state[_SECTION]))
