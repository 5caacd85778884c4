"""The Sessions page, top to bottom: all sessions, their cases, what they teach, or a comparison."""

from __future__ import annotations

import streamlit as st

from agents import DatabaseError
from ui.cases.case_list import draw_cases
from ui.session_list.component import full_list
from ui.sessions import actions, comparison_view, head, learned
from ui.sharing import dialogs
from ui.state import navigation, places
from ui.state.address import Address
from ui.text.labels import plain

_WELCOME = """
A **session** is one conversation with a pipeline, with everything that happened in it: messages, answers, tool calls, state,
prompts and errors. Each run is kept as one.

- Here you find any of them again, by a word that was said, an agent, a tool, an error or a state key.
- Tags keep the good ones together. What you delete can be brought back.
- Select two to see where they part: the same question with another model, or a fork beside its origin.
"""


def show(here: Address) -> None:
    """Draws the page."""
    if (opened := st.session_state.pop(actions.OPENED, None)) is not None:
        navigation.to_playground(Address(pipeline=opened[0], session=opened[1], model=here.model))
    manager = places.manager()
    try:
        if here.compare:
            comparison_view.show(manager, here)
            return
        view = head.show(manager, here)
        if view == "cases":
            draw_cases(manager, here)
            return
        if view == "learned":
            learned.show(manager, here)
            return
        dialogs.show(manager, actions.open_imported)
        head.problem()
        if not manager.sessions.page(limit=0).found and not manager.collection.deleted():
            _welcome(here)
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


def _welcome(here: Address) -> None:
    """Draws it."""
    with (
        st.container(key="sessions_welcome_page", horizontal_alignment="center"),
        st.container(key="sessions_welcome", width=720),
    ):
        st.subheader("No session yet", anchor=False)
        st.markdown(_WELCOME)
        navigation.to_new_session("▶ Run a pipeline", "iterative_writing", here)
