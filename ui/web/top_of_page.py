"""Scrolls to the top when a page shows another place than before."""

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
    """Scrolls to the top when `place` differs from the last script run's."""
    _mount(key="top_of_page", data={"place": place, "main": SELECTORS["main"]})
