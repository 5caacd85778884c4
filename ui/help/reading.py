"""The script of a document: its links stay in the tab, and a URL that names a heading leads to it."""

from __future__ import annotations

from streamlit.components import v2

from ui.dependencies.streamlit_private import SELECTORS

_SCRIPT = """
const PATIENCE = 3000;  // milliseconds in which what is above the heading may still be drawn
let shown = null;

function lead(block) {
  const heading = decodeURIComponent(location.hash.slice(1));
  if (!heading || !block) return;
  const drawn = new ResizeObserver(() => document.getElementById(heading)?.scrollIntoView());
  const leave = () => drawn.disconnect();
  drawn.observe(block);
  for (const name of ["wheel", "keydown", "pointerdown", "touchmove"]) addEventListener(name, leave, { once: true });
  setTimeout(leave, PATIENCE);
}

export default function ({ data }) {
  const stay = ({ target }) => {
    const link = target.closest?.("a[target=_blank]");
    if (link && new URL(link.href).origin === location.origin) link.target = "_self";
  };
  document.addEventListener("click", stay, true);
  if (data.topic !== shown) lead(document.querySelector(data.block));
  shown = data.topic;
  return () => document.removeEventListener("click", stay, true);
}
"""

_mount = v2.component("reading", js=_SCRIPT)


def follow(topic: str) -> None:
    """Has links to other pages open in the same tab, where Streamlit opens a new one, and scrolls to the URL's heading.

    Args:
        topic: The page; "" for their list.
    """
    _mount(key="reading", data={"topic": topic, "block": SELECTORS["main-block"]})
