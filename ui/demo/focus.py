"""Restores the focus of a button that was disabled for a while, so that Enter presses it again.

A browser takes the focus from a button that is disabled.
"""

from __future__ import annotations

from streamlit.components import v2

_SCRIPT = """
const TRIES = 30, PAUSE = 50;  // a page is drawn bit by bit
let before = "";
export default function ({ data }) {
  const now = `${data.place} ${data.ready}`;
  if (now === before) return;
  before = now;
  if (data.ready) attempt(data.button, now, TRIES);
}
function attempt(name, wanted, left) {
  const button = document.querySelector(`.st-key-${name} button:not(:disabled)`);
  const holder = document.activeElement;
  if (before !== wanted) return;
  if ([null, document.body].includes(holder)) button?.focus({ preventScroll: true });
  if (left) setTimeout(() => attempt(name, wanted, left - 1), PAUSE);
}
"""

_mount = v2.component("keep_focus", js=_SCRIPT)


def keep_focus(button: str, place: object, *, ready: bool) -> None:
    """Focuses the button with this key when `place` or `ready` has changed, it is ready, and nothing else has the focus."""
    _mount(key="keep_focus", data={"button": button, "place": str(place), "ready": ready})
