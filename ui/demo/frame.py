"""The bar of the demos that are stepped through: words on the left, the buttons Back, Next and End on the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import streamlit as st
from streamlit.components import v2

from ui.shell import styles

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

END = "end"
"""The step after the last one, in the URL."""
NEXT, BACK, LAST = "demo_next", "demo_back", "demo_end"
"""Keys of the buttons."""
_STYLE = Path(__file__).with_name("bar.css")
_SCRIPT = """
const TRIES = 30, PAUSE = 50;  // a page is drawn bit by bit
let before = "";
export default function ({ data }) {
  const press = (event) => {
    if (event.key === "Enter" && !event.repeat && isFree()) enabled(data.button)?.click();
  };
  document.addEventListener("keydown", press);
  const now = `${data.place} ${data.ready}`;
  const changed = now !== before;
  before = now;
  if (changed && data.ready) attempt(data.button, now, TRIES);
  return () => document.removeEventListener("keydown", press);
}
function attempt(name, wanted, left) {
  if (before !== wanted) return;
  if (isFree()) enabled(name)?.focus({ preventScroll: true });
  if (left) setTimeout(() => attempt(name, wanted, left - 1), PAUSE);
}
function enabled(name) {
  return document.querySelector(`.st-key-${name} button:not(:disabled)`);
}
function isFree() {
  return [null, document.body].includes(document.activeElement);
}
"""

_mount = v2.component("keep_focus", js=_SCRIPT)


class ShownStep(Protocol):
    """What the bar says of a step."""

    @property
    def title(self) -> str:
        """Its heading."""
        ...

    @property
    def look_for(self) -> str:
        """What to look for."""
        ...


def bar() -> DeltaGenerator:
    """The bar, with its style."""
    styles.apply(_STYLE)
    return st.container(key="demo", gap=None)


def row(*texts: str, links: Callable[[], None] | None = None) -> DeltaGenerator:
    """Draws texts with links below them, and returns the place for the buttons beside them."""
    with st.container(key="demo_row", horizontal=True, vertical_alignment="center", gap="medium", wrap=False):
        with st.container(key="demo_says", width="stretch", gap="xxsmall"):
            for text in texts:
                st.markdown(text)
            if links is not None:
                with st.container(key="demo_links", horizontal=True, gap="medium"):
                    links()
        return st.container(key="demo_buttons", horizontal=True, gap="xsmall", width="content", wrap=False)


def step(
    steps: Sequence[ShownStep],
    number: int,
    *,
    on_back: Callable[[int], None],
    on_next: Callable[[int], None],
    on_end: Callable[[], None],
    links: Callable[[], None],
    others: Callable[[], None],
    may_go_on: bool,
    is_over: bool,
    may_end: bool = True,
) -> None:
    """Draws a step.

    Args:
        steps: All steps.
        number: The step's number, from 1.
        on_back: Shows a step that was reached already, by number.
        on_next: Does and shows the step of that number.
        on_end: Shows the end.
        links: Draws the links of the last step.
        others: Draws buttons before these.
        may_go_on: Whether Next can be pressed.
        is_over: Whether nothing is worked on; the button to press then gets the focus.
        may_end: Whether End can be pressed.
    """
    shown, is_last = steps[number - 1], number == len(steps)
    heading = f":gray[Step {number} of {len(steps)}] &ensp;**{shown.title}**"
    with row(heading, shown.look_for, links=links if is_last else None):
        others()
        st.button("Back", key=BACK, disabled=number == 1, on_click=on_back, args=(number - 1,))
        if not is_last:
            st.button("Next", key=NEXT, type="primary", disabled=not may_go_on, on_click=on_next, args=(number + 1,))
        st.button("End", key=LAST, type="primary" if is_last else "secondary", disabled=not may_end, on_click=on_end)
    keep_focus(LAST if is_last else NEXT, number, ready=is_over)


def number_in(step: str | None, most: int) -> int:
    """The number of the step that the URL names, from 1 to `most`; 1 if it names none."""
    asked = int(step) if step and step.isascii() and step.isdecimal() and len(step) <= len("999999") else 1
    return max(1, min(asked, most))


def keep_focus(button: str, place: object, *, ready: bool) -> None:
    """Focuses the button with this key when `place` or `ready` has changed, it is ready, and nothing else has the focus.

    Enter presses the button, too, while nothing has the focus.
    """
    _mount(key="keep_focus", data={"button": button, "place": str(place), "ready": ready})
