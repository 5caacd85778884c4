"""What the models of the next run need and do not have, and the way to where it is given. Knows a `Place`."""

from __future__ import annotations

import streamlit as st

from agents.models.connections import connection, why_withheld
from ui.state import model_choices, navigation
from ui.state.places import Place
from ui.text.labels import plain

TO_SETTINGS = "→ Settings: connect models"


def show(place: Place) -> None:
    """Says what is missing, if anything is."""
    lacks = {model: lack for model in place.models if (lack := model_choices.missing(model))}
    if not lacks:
        return
    if model_choices.NO_KEY in lacks.values():
        st.info(model_choices.HOW_TO_GET_A_KEY, icon=":material/key:")
    if model_choices.KEY_WITHHELD in lacks.values():
        st.info(plain(why_withheld("gemini", connection("gemini"))), icon=":material/key:")
    for model, lack in lacks.items():
        if lack in model_choices.CURES:
            st.info(f"**{plain(model)}** cannot answer: {model_choices.CURES[lack]}", icon=":material/deployed_code_alert:")
    navigation.to_settings(TO_SETTINGS, place.address)
