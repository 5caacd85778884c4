"""A button that hands in the entry which is selected in the session view, as the page's address names it.

The view writes the address in the browser, without telling Python; so the button reads it there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from streamlit.components import v2

from ui.dependencies import streamlit_private

_KEY = "selected_entry"
_WRITTEN = 350
"""Milliseconds in which the session view has written a choice into the address."""
_SCRIPT = """
export default function ({ parentElement, data, setTriggerValue }) {
  let button = parentElement.querySelector("button");
  if (!button) parentElement.append(button = document.createElement("button"));
  button.type = "button";
  button.textContent = data.label;
  button.onclick = () => {
    button.disabled = true;
    setTimeout(() => {
      button.disabled = false;
      setTriggerValue("at", new URL(location.href).searchParams.get("at") ?? "");
    }, data.written);
  };
}
"""
_STYLE = """
button {
  background: var(--st-primary-color); border: 1px solid var(--st-primary-color); border-radius: 0.5rem;
  color: var(--st-background-color);
  cursor: pointer; font: inherit; min-height: 2.5rem; padding: 0.25rem 0.75rem;
}
button:hover { filter: brightness(0.92); }
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }
"""
_mount = v2.component("lesson_selected_entry", js=_SCRIPT, css=_STYLE)


def hand_in_button(label: str, on_hand_in: Callable[[str], None]) -> None:
    """Draws the button; `on_hand_in` gets the number of the selected entry, "" for none."""
    _mount(key=_KEY, data={"label": label, "written": _WRITTEN}, on_at_change=partial(_forward, on_hand_in))


def _forward(on_hand_in: Callable[[str], None]) -> None:
    at = streamlit_private.sent_with(_KEY, "at")
    if isinstance(at, str):
        on_hand_in(at)
