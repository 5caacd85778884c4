"""How soon a click in the session view is seen: from the press of the mouse to the frame that shows what it did."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from tests.journeys.playground_page import Playground

TIMES = 30
PATIENCE_MS = 5000
_WATCH = """
(element, patience) => {
  const mark = () => ["aria-selected", "aria-expanded"].map((name) => element.getAttribute(name)).join();
  const before = mark();
  window.clickSeen = new Promise((done, fail) => {
    setTimeout(() => fail(new Error("a click changed nothing")), patience);
    addEventListener("pointerdown", ({ timeStamp }) => {
      const look = () => requestAnimationFrame(() => {
        if (element.isConnected && mark() === before) look();
        else requestAnimationFrame(() => done(performance.now() - timeStamp)); // the frame before this one was painted
      });
      look();
    }, { capture: true, once: true });
  });
}
"""
"""A row that is drawn anew by the click counts as changed."""


def event_clicks(page: Page) -> list[float]:
    """Seconds until a click on an event's row selected it."""
    view = Playground(page)
    rows = view.events.locator(".row.event")
    return [_click(_in_view(view.events, rows)[-1 - number % 2]) for number in range(TIMES)]


def tab_clicks(page: Page) -> list[float]:
    """Seconds until a click on a tab of the inspector opened it."""
    tabs = Playground(page).inspector.get_by_role("tab")
    count = tabs.count()
    return [_click(tabs.nth((number + 1) % count)) for number in range(TIMES)]


def fold_clicks(page: Page) -> list[float]:
    """Seconds until a click on the first row of a block folded it away, or showed it again."""
    view = Playground(page)
    return [_click(_in_view(view.events, view.events.get_by_role("button", name="as a tool"))[-1]) for _ in range(TIMES)]


def _in_view(around: Locator, targets: Locator) -> list[Locator]:
    """The elements that can be clicked: the list draws rows above and below what is seen."""
    area = around.bounding_box()
    assert area is not None
    boxes = [(target, target.bounding_box()) for target in targets.all()]
    bottom = area["y"] + area["height"]
    seen = [target for target, box in boxes if box and area["y"] <= box["y"] and box["y"] + box["height"] <= bottom]
    if not seen:
        raise RuntimeError("none of them can be seen")
    return seen


def _click(target: Locator) -> float:
    box = target.bounding_box()
    assert box is not None
    target.evaluate(_WATCH, PATIENCE_MS)
    target.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + min(20, box["height"] / 2))
    milliseconds: float = target.page.evaluate("window.clickSeen")
    return milliseconds / 1000
