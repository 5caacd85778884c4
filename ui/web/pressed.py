"""Marks a pressed button as busy in the browser, before the server has heard of it."""

from __future__ import annotations

from streamlit.components import v2

PRESSED = (".st-key-run", ".st-key-again", ".st-key-stop", ".st-key-samples", ".st-key-say_recorded")
"""Containers whose buttons start or stop a run."""

_SCRIPT = """
const LONGEST = 3000;  // an action that was refused leaves its button: it is as before then
export default function ({ data }) {
  const mark = ({ target }) => {
    const button = target.closest?.("button:enabled");
    if (!button?.closest(data.pressed)) return;
    button.ariaBusy = "true";
    setTimeout(() => (button.ariaBusy = null), LONGEST);
  };
  document.addEventListener("click", mark, true);
  return () => document.removeEventListener("click", mark, true);
}
"""

_mount = v2.component("pressed", js=_SCRIPT)


def mark_pressed() -> None:
    """Marks the buttons of `PRESSED` with `aria-busy` when they are clicked."""
    _mount(key="pressed", data={"pressed": ", ".join(PRESSED)})
