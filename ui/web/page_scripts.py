"""Small scripts of a page: scroll to the top at another place, and mark a pressed button before the server hears of it."""

from __future__ import annotations

from streamlit.components import v2

from ui.dependencies.streamlit_private import SELECTORS

PRESSED = (".st-key-run", ".st-key-again", ".st-key-stop", ".st-key-samples", ".st-key-say_recorded")
"""Containers whose buttons start or stop a run."""

_TOP = """
let shown = null;
export default function ({ data }) {
  if (data.place === shown) return;
  shown = data.place;
  document.querySelector(data.main)?.scrollTo(0, 0);
}
"""
_MARK = """
const LONGEST = 3000;  // milliseconds; a refused action leaves its button on the page, which must work again
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

_mount_top = v2.component("top_of_page", js=_TOP)
_mount_mark = v2.component("pressed", js=_MARK)


def top_of_page(place: str) -> None:
    """Scrolls to the top when `place` differs from the last script run's."""
    _mount_top(key="top_of_page", data={"place": place, "main": SELECTORS["main"]})


def mark_pressed() -> None:
    """Marks the buttons of `PRESSED` with `aria-busy` when they are clicked."""
    _mount_mark(key="pressed", data={"pressed": ", ".join(PRESSED)})
