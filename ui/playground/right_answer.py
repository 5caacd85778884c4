"""The field for the right answer beside the message, on pipelines that learn from one."""

from __future__ import annotations

import streamlit as st
from streamlit.components import v2

from ui.dependencies.streamlit_private import SELECTORS
from ui.playground import actions
from ui.state.places import Place

WIDTH = 230
"""Pixels."""
_ENTER = """
export default function ({ data: { field, message, send } }) {
  const enter = (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches?.(field)) return;
    setTimeout(() => {  // by then the field has told its value
      const button = document.querySelector(send);
      if (button?.disabled === false) button.click();
      else document.querySelector(message)?.focus();
    });
  };
  document.addEventListener("keydown", enter);
  return () => document.removeEventListener("keydown", enter);
}
"""
_mount = v2.component("right_answer_enter", js=_ENTER)


def show(place: Place) -> None:
    """Draws it. Enter sends the message."""
    with st.container(key="right_answer", width=WIDTH):
        st.text_input(
            "Right answer (optional)",
            key=actions.truth_field(place.pipeline.name, place.session.id if place.session else None),
            placeholder="Right answer (optional)",
            label_visibility="collapsed",
            disabled=place.running or place.is_missing or place.is_blocked,
        )
        _mount(
            key="right_answer_enter",
            data={
                "field": ".st-key-right_answer input",
                "message": SELECTORS["chat-input"],
                "send": SELECTORS["chat-send"],
            },
        )
