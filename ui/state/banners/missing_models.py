"""What the models of the next run lack, with a link to the settings that fix it."""

from __future__ import annotations

import streamlit as st

from ui.state import navigation
from ui.state.options import model_choices
from ui.state.places import Place
from ui.text.labels import plain

TO_SETTINGS = "→ Settings: connect models"


def show(place: Place) -> None:
    """Shows what is missing, if anything is."""
    lacks = {model: lack for model in place.options.models if (lack := model_choices.missing(model))}
    if not lacks:
        return
    for cure in dict.fromkeys(lack.cure for lack in lacks.values() if lack.of_key):  # once per provider
        st.info(cure, icon=":material/key:")
    for model, lack in lacks.items():
        if not lack.of_key:
            st.info(f"**{plain(model)}** cannot answer: {lack.cure}", icon=":material/deployed_code_alert:")
    navigation.to_settings(TO_SETTINGS, place.address)
