"""The Sessions page, top to bottom: all sessions, the cases that were made of some, or a comparison."""

from __future__ import annotations

import streamlit as st

from agents import DatabaseError
from ui.cases.case_list import draw_cases
from ui.session_list.component import full_list
from ui.sessions import actions, comparison_view, head
from ui.sessions.welcome import welcome
from ui.sharing import dialogs
from ui.state import navigation, places
from ui.state.address import Address
from ui.text.labels import plain


def show(here: Address) -> None:
    """Draws the page."""
    if (opened := st.session_state.pop(actions.OPENED, None)) is not None:
        navigation.to_playground(Address(pipeline=opened[0], session=opened[1], model=here.model))
    manager = places.manager()
    try:
        if here.compare:
            comparison_view.show(manager, here)
            return
        if head.show(manager, here) == "cases":
            draw_cases(manager, here)
            return
        dialogs.show(manager, actions.open_imported)
        head.problem()
        if not manager.sessions.page(limit=0).found and not manager.collection.deleted():
            welcome(here)
        else:
            full_list(
                pipelines=places.titles(manager),
                version=actions.version(),
                on_act=actions.act,
            )
        head.notice()
    except DatabaseError as error:
        st.error(f"**The sessions cannot be read.** {plain(str(error))}", icon=":material/database_off:")
        st.button("Try again", type="primary", key="try_again")
