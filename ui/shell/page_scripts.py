"""Small scripts of a page: scroll to the top at another place, mark a pressed button at once, pass clicks through help."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.components import v2

from ui.dependencies import streamlit_private
from ui.dependencies.streamlit_private import SELECTORS

PRESSED = (".st-key-run", ".st-key-again", ".st-key-stop", ".st-key-samples", ".st-key-say_recorded")
"""Containers whose buttons start or stop a run."""

_TOP = """
let shown = null;
export default function ({ data }) {
  if (data.place === shown) return;
  shown = data.place;
  if (!location.hash) document.querySelector(data.main)?.scrollTo(0, 0);
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
_THROUGH = """
export default function ({ data }) {
  const pass = (event) => {
    const help = event.target.closest?.(data.help);
    if (!help || !getSelection().isCollapsed) return;
    event.stopPropagation();
    help.style.visibility = "hidden";
    const found = (root) => root?.elementFromPoint(event.clientX, event.clientY);
    let below = found(document);
    for (let inner = found(below?.shadowRoot); inner && inner !== below; inner = found(below.shadowRoot)) below = inner;
    below?.closest("input, textarea")?.focus();
    below?.click();
  };
  document.addEventListener("click", pass, true);
  return () => document.removeEventListener("click", pass, true);
}
"""

_IS_DUE = "page_is_due"
"""In the session state: another widget was used in the moment in which the browser confirmed an address."""
_DRAWN = """
let drawn = -1;
let heard = 0;
export default function ({ data: { written, unheard }, setTriggerValue }) {
  if (written !== drawn) dispatchEvent(new Event("playground:drawn"));
  drawn = written;
  if (!unheard || unheard === heard) return;
  heard = unheard;
  setTriggerValue("heard", heard);
}
"""

_mount_top = v2.component("top_of_page", js=_TOP)
_mount_mark = v2.component("pressed", js=_MARK)
_mount_through = v2.component("clicks_through_help", js=_THROUGH)

_mount_drawn = v2.component("drawn", js=_DRAWN)


def top_of_page(place: str) -> None:
    """Scrolls to the top when `place` differs from the last script run's, unless the URL names a heading."""
    _mount_top(key="top_of_page", data={"place": place, "main": SELECTORS["main"]})


@st.fragment
def tell_drawn(written: int, unheard: int, on_heard: Callable[[int], None]) -> None:
    """Tells `history.js` that the page is drawn, so that the next change of its URL is an entry of its own.

    Args:
        written: How often the script has written the page's URL.
        unheard: A number that the browser sends back at once, since it has the URL by now; 0 for none.
        on_heard: Called with it. Every later request of the browser tab has that URL, or a newer one.
    """

    def forward() -> None:
        number = streamlit_private.sent_with("drawn", "heard")
        if isinstance(number, int):
            on_heard(number)
        st.session_state[_IS_DUE] = streamlit_private.came_with_others()

    if st.session_state.pop(_IS_DUE, False):
        st.rerun()
    _mount_drawn(key="drawn", data={"written": written, "unheard": unheard}, on_heard_change=forward)


def mark_pressed() -> None:
    """Marks the buttons of `PRESSED` with `aria-busy` when they are clicked."""
    _mount_mark(key="pressed", data={"pressed": ", ".join(PRESSED)})


def pass_clicks_through_help() -> None:
    """Gives a click on help to what lies below it, and hides that help.

    The pointer can rest on help, to read or to select its text (WCAG 2.2, 1.4.13), and help that covers a control takes no
    click away from it.
    """
    _mount_through(key="clicks_through_help", data={"help": SELECTORS["tooltip"]})
