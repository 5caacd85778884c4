"""Lets Enter press a button that was disabled for a while, without a click on it first.

A browser takes the focus from a button that is disabled. The button gets it back, and until then, or where a click beside it
took the focus away, the page hears Enter in its place.
"""

from __future__ import annotations

from streamlit.components import v2

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


def keep_focus(button: str, place: object, *, ready: bool) -> None:
    """Focuses the button with this key when `place` or `ready` has changed, it is ready, and nothing else has the focus.

    Enter presses the button, too, while nothing has the focus.
    """
    _mount(key="keep_focus", data={"button": button, "place": str(place), "ready": ready})
