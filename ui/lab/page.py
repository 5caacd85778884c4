"""The Lab page, top to bottom: all runs and the way to a new one, or one run."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from agents import PlaygroundError
from ui.access import owner
from ui.lab import actions, overview, run_view
from ui.shell import styles
from ui.shell.page_scripts import top_of_page
from ui.state import navigation, notices, places, runs
from ui.state.address import Address
from ui.text.labels import plain

_STYLE = Path(__file__).with_name("lab.css")


def show(here: Address) -> None:
    """Draws the page."""
    if (opened := st.session_state.pop(actions.OPENED, None)) is not None:
        navigation.to_playground(Address(pipeline=opened[0], session=opened[1], model=here.model))
    places.manager()  # says what is wrong with the database, if something is
    styles.apply(_STYLE)
    with st.container(key="lab_page", gap="small"):
        top_of_page(here.run or "")
        owner.show_notice()
        if here.run is None:
            notices.show()
            overview.draw(here)
            return
        try:
            run = runs.workspace().lab.open(here.run)
        except PlaygroundError as error:  # there is none of that name, or its database is damaged
            st.warning(plain(str(error)), icon=":material/search_off:")
            navigation.to_lab("→ All runs", here)
            return
        with run:
            run_view.draw(run, here)
