"""The dialog *Another model*: the message of an answer runs on the model that is chosen, beside this session."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from ui.forks import actions
from ui.forks.fork_point import changes_of_model, model_of
from ui.state import navigation
from ui.state.options import model_choices
from ui.text.labels import plain

if TYPE_CHECKING:
    from ui.state.places import Place


def draw(place: Place, wanted: dict[str, Any]) -> None:
    """Draws a button for each model that can be used; a click runs it and leads to the comparison."""
    name, session, seq = wanted["pipeline"], wanted["session"], wanted["seq"]
    here = model_of(name, session, seq)
    offered = model_choices.offered(place.preferences, place.address.model)
    others = [model for model in offered if model != here and not model_choices.is_replay(model)]
    usable = [model for model in others if model_choices.missing(model) is None]
    if usable:
        st.markdown(
            f"The same message, on another model than {plain(model_choices.shown(here))}. Both are shown side by side."
        )
    else:
        st.info("There is no other model that can be used. Connect one.", icon=":material/power_off:")
    for model in usable:
        if st.button(model_choices.shown(model), key=f"other_model_{model}", width="stretch"):
            changes = changes_of_model(name, session, seq, model, place.options.llm_agents)
            actions.do(partial(actions.run_beside, name, session, seq, changes))
    if len(usable) < len(others):
        navigation.to_settings("→ Settings: connect more models", place.address)
