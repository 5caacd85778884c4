"""Takes the reader to the top of a page that shows another place than before. Knows no place but by its name."""

from __future__ import annotations

from streamlit.components import v2

from ui.dependencies.streamlit_private import SELECTORS

_SCRIPT = """
let shown = null;
export default function ({ data }) {
  if (data.place === shown) return;
  shown = data.place;
  document.querySelector(data.main)?.scrollTo(0, 0);
}
"""

_mount = v2.component("top_of_page", js=_SCRIPT)


def top_of_page(place: str) -> None:
    """Scrolls to the top whenever `place` is another one than last time."""
    _mount(key="top_of_page", data={"place": place, "main": SELECTORS["main"]})
