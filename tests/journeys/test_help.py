"""Help lies near what it explains, and swallows no click: on every page, of every control that has some."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground
from ui.dependencies.streamlit_private import SELECTORS

StartApp = Callable[..., App]
PAGES = {
    "session": ("/?pipeline=ace", 2),
    "lesson": ("/gallery?pipeline=ace", 1),
    "playbook": ("/playbook", 1),
    "models": ("/settings?tab=models", 3),
}
"""Path, and how many controls with help there are at least."""
COVERED = """
(tooltip) => [...document.querySelectorAll("button, a, input, textarea, [role=combobox]")].filter((control) => {
  const { left, top, width, height } = control.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return width > 1 && height > 1 && found && document.querySelector(tooltip)?.contains(found);
}).map((control) => control.innerText || control.ariaLabel || control.tagName)
"""
LIES_OVER = """
({ tooltip, x, y }) => document.querySelector(tooltip).contains(document.elementFromPoint(x, y))
"""
TARGETS = "[data-testid=stTooltipHoverTarget]:visible"


def helped(page: Page, least: int) -> list[Locator]:
    """The controls with help, icons and buttons, once there are as many as expected."""
    targets = page.get_by_test_id("stMain").or_(page.get_by_test_id("stBottom")).locator(TARGETS)
    expect(targets.nth(least - 1)).to_be_visible()
    return targets.all()


def show_help(page: Page, target: Locator) -> Locator:
    target.scroll_into_view_if_needed()
    target.hover()
    tooltip = page.locator(SELECTORS["tooltip"])
    expect(tooltip).to_have_count(1)
    expect(tooltip).to_be_visible()
    return tooltip


def lets_clicks_through(page: Page, tooltip: Locator) -> None:
    assert page.evaluate(COVERED, SELECTORS["tooltip"]) == []
    box = tooltip.bounding_box()
    assert box is not None
    assert box["width"] <= 352
    middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    assert not page.evaluate(LIES_OVER, {"tooltip": SELECTORS["tooltip"], **middle})


@pytest.mark.parametrize("name", PAGES)
def test_no_help_swallows_a_click(start_app: StartApp, page: Page, name: str):
    path, least = PAGES[name]
    page.goto(start_app().url + path)
    for target in helped(page, least):
        lets_clicks_through(page, show_help(page, target))
        page.mouse.move(0, 0)
        expect(page.locator(SELECTORS["tooltip"])).to_have_count(0)


def test_help_on_watch_it_learn_leaves_its_title_and_links_alone(start_app: StartApp, page: Page):
    page.goto(f"{start_app().url}/playbook")
    page.get_by_role("button", name="Watch it learn").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    for name in ("Stop", "Take the bullets away", "Remove all of it"):
        lets_clicks_through(page, show_help(page, page.get_by_role("button", name=name)))
    page.get_by_role("button", name="✕ Close").click()
    expect(page).not_to_have_url(re.compile("demo="))


def test_a_menu_that_is_open_hides_the_help_of_its_button(start_app: StartApp, page: Page):
    view = Playground(page).open(f"{start_app().url}/?pipeline=help_desk")
    view.run_button.click()
    view.expect_end("completed")
    menu = page.get_by_role("button", name="⋯")
    tooltip = show_help(page, menu)
    menu.click()
    expect(page.get_by_role("button", name="Replay this session")).to_be_visible()
    expect(tooltip).to_be_hidden()
    show_help(page, page.get_by_role("button", name="Replay this session"))
