"""How long a person waits for the server: the first load, a run, and another session, pipeline or page.

A wait ends with the frame that shows the result, which the browser itself looks for: Playwright's own waiting adds up to
half a second.
"""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Locator, Page

from tests.journeys.playground_page import Playground

TIMES = 6
PIPELINES = ("Status poller", "Iterative writing")
PAGES = {"Gallery": "/gallery", "Playbook": "/playbook", "Settings": "/settings", "Playground": "/"}
_WATCH = """() => {
  const before = location.href;
  const drawn = (selector) => [...document.querySelectorAll(selector)]
    .some((one) => one.checkVisibility() && !one.closest('[data-stale=true]'));
  const rows = () => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .some((host) => host.shadowRoot?.querySelector('.row.event') && !host.shadowRoot.querySelector('.last-picture'));
  window.waitEnded = new Promise((done) => addEventListener("pointerdown", ({ timeStamp }) => {
    const look = () => requestAnimationFrame(() => {
      if (!(IS_SHOWN)) look();
      else requestAnimationFrame(() => done(performance.now() - timeStamp)); // the frame before this one was painted
    });
    look();
  }, { capture: true, once: true }));
}"""
_ROWS = "rows()"
_OTHER_ROWS = "location.href !== before && rows()"
_PIPELINE = "location.href !== before && drawn('.st-key-run button:enabled')"
_PAGE = "location.pathname === 'PATH' && drawn('[data-testid=stMain] :is(h1, h2, h3, .st-key-run button:enabled)')"


class FirstLoad(NamedTuple):
    """Seconds from navigation until something is drawn, and until Run can be pressed."""

    drawn: float
    usable: float


def first_load(page: Page, url: str) -> FirstLoad:
    """Opens the app in a browser that has nothing of it."""
    page.goto(url, wait_until="commit")
    page.wait_for_function("document.querySelector('.st-key-run button:enabled')", polling="raf")
    usable = page.evaluate("performance.now()")
    drawn = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    return FirstLoad(drawn / 1000, usable / 1000)


def first_row(page: Page, url: str) -> float:
    """Seconds from pressing Run in a new session until its first event is shown."""
    view = Playground(page).open(url)
    view.run_button.wait_for()
    return _seconds(view.run_button, _ROWS)


def sessions(page: Page, url: str) -> list[float]:
    """Seconds from a click on another session until its events are shown; there are two sessions with events."""
    view = Playground(page).open(url)
    rows = view.sessions.get_by_role("listitem")
    rows.nth(1).wait_for()
    return [_seconds(rows.nth(1 - number % 2), _OTHER_ROWS) for number in range(TIMES)]


def pipelines(page: Page, url: str) -> list[float]:
    """Seconds from the choice of another pipeline until its Run can be pressed."""
    Playground(page).open(url).run_button.wait_for()
    found: list[float] = []
    for number in range(TIMES):
        page.get_by_role("combobox", name="Pipeline").click()
        option = page.get_by_role("option", name=PIPELINES[number % 2])
        option.wait_for()
        found.append(_seconds(option, _PIPELINE))
    return found


def pages(page: Page, url: str) -> list[float]:
    """Seconds from a click on a page's link until the page is shown, for each page."""
    Playground(page).open(url).run_button.wait_for()
    links = page.get_by_test_id("stSidebar")
    return [
        _seconds(links.get_by_role("link", name=name, exact=True), _PAGE.replace("PATH", path))
        for name, path in PAGES.items()
    ]


def _seconds(target: Locator, is_shown: str) -> float:
    target.scroll_into_view_if_needed()
    target.page.evaluate(_WATCH.replace("IS_SHOWN", is_shown))
    box = target.bounding_box()
    assert box is not None
    target.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    milliseconds: float = target.page.evaluate("window.waitEnded")
    return milliseconds / 1000
