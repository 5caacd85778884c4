"""The Build page, top to bottom: all teams and the ways to a new one, or one team."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from agents import TeamError
from ui.build import desk, team_list
from ui.build.open_team import opened
from ui.shell import styles
from ui.shell.page_scripts import top_of_page
from ui.state import navigation, places
from ui.state.address import Address
from ui.text.labels import plain

_STYLE = Path(__file__).parent / "css" / "page.css"


def show(here: Address) -> None:
    """Draws the page."""
    places.manager()  # says what is wrong with the database, if something is
    styles.apply(_STYLE)
    top_of_page(here.team or "")
    if here.team is None:
        team_list.show(here)
        return
    try:
        team = opened(here.team)
    except TeamError as error:  # there is none of that name, or its folder cannot be read
        st.warning(plain(str(error)), icon=":material/search_off:")
        navigation.to_team("→ All teams", None, here)
        return
    desk.show(team, here)
