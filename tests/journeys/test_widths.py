"""Every control is in sight on any screen: tablets, projectors, wide monitors, and pages that were zoomed in."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.journeys.app import SLOW, App, run_command
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]

WIDTHS = (390, 640, 720, 820, 853, 960, 1024, 1280, 1920)
"""Pixels; 853 and 640 are also what 1280 is at 150 % and 200 % zoom."""
PAGES = (
    *("/", "/gallery", "/gallery?pipeline=ace", "/playbook", "/playbook?tab=growth", "/sessions", "/lab"),
    *("/settings", "/settings?tab=prices"),
)
QUESTION = "A shop has current assets of 120 € and current liabilities of 80 €. What is its current ratio?\nAnswer: 1.5"
CUT = """
() => [...document.querySelectorAll("[data-testid=stMain] :is(button, a, input, textarea)")].filter((control) => {
  const { left, right, width } = control.getBoundingClientRect();
  const scrolls = control.closest("[role=tablist], .st-key-samples, .source");
  return width > 1 && !scrolls && (left < -1 || right > innerWidth + 1) && getComputedStyle(control).visibility !== "hidden";
}).map((control) => control.innerText || control.ariaLabel || control.tagName)
"""


def in_sight(page: Page, control: Locator) -> None:
    expect(control).to_be_visible()
    box, size = control.bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"] + 1
    assert box["y"] + box["height"] <= size["height"] + 1


def at_each_width(page: Page):
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("width => innerWidth === width", arg=width)
        yield width


def test_run_and_stop_setup_and_the_session_menu_are_in_sight(start_app: StartApp, page: Page):
    view = Playground(page).open(start_app(words_per_second=SLOW).url)
    expect(view.run_button).to_be_enabled()
    for _ in at_each_width(page):
        in_sight(page, view.run_button)
        in_sight(page, page.get_by_role("button", name="Setup"))
    view.run_button.click()
    expect(view.stop_button).to_be_visible()
    for _ in at_each_width(page):
        in_sight(page, view.stop_button)
    view.stop_button.click()
    view.expect_end("stopped")
    for _ in at_each_width(page):
        in_sight(page, view.again_button)
        in_sight(page, page.get_by_role("button", name="⋯"))
        in_sight(page, page.get_by_role("button", name="Samples"))


def test_no_control_is_cut_off_on_any_page(start_app: StartApp, page: Page):
    app = start_app()
    run_command(app, "run", "ace", QUESTION)
    for path in PAGES:
        page.goto(app.url + path)
        expect(page.get_by_role("main").locator("button, a").first).to_be_visible()
        for _ in at_each_width(page):
            page.wait_for_function(f"({CUT})().length === 0")
