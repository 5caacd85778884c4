"""Help lies near what it explains, can be rested on, and swallows no click: on every page, for every control with help."""

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
    "sessions": ("/sessions", 1),
    "models": ("/settings?tab=models", 3),
}
"""Path, and how many controls with help there are at least."""
COVERED = """
({ left, top }) => {
  const below = document.createElement("button");
  below.id = "below";
  below.onclick = () => (below.dataset.clicked = "yes");
  below.style = `position: fixed; left: ${left - 4}px; top: ${top - 4}px; width: 8px; height: 8px; z-index: 1000000`;
  document.body.prepend(below);
}
"""
"""Puts a button below a point of the help."""
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


def can_be_rested_on_and_lets_clicks_through(page: Page, tooltip: Locator) -> None:
    box = tooltip.bounding_box()
    assert box is not None
    assert box["width"] <= 352
    left, top = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(left, top, steps=10)
    expect(tooltip).to_be_visible()
    page.evaluate(COVERED, {"left": left, "top": top})
    page.mouse.click(left, top)
    below = page.locator("#below")
    expect(below).to_have_attribute("data-clicked", "yes")
    expect(tooltip).to_be_hidden()
    below.evaluate("(button) => button.remove()")


@pytest.mark.parametrize("name", PAGES)
def test_no_help_swallows_a_click(start_app: StartApp, page: Page, name: str):
    path, least = PAGES[name]
    page.goto(start_app().url + path)
    for target in helped(page, least):
        can_be_rested_on_and_lets_clicks_through(page, show_help(page, target))
        page.mouse.move(0, 0)
        expect(page.locator(SELECTORS["tooltip"])).to_have_count(0)


def test_help_on_watch_it_learn_leaves_its_title_and_links_alone(start_app: StartApp, page: Page):
    page.goto(f"{start_app().url}/playbook")
    page.get_by_role("button", name="Watch it learn").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    for name in ("Stop", "Take the bullets away", "Remove all of it"):
        can_be_rested_on_and_lets_clicks_through(page, show_help(page, page.get_by_role("button", name=name)))
    page.get_by_role("button", name="✕ Close").click()
    expect(page).not_to_have_url(re.compile("demo="))


def test_a_menu_that_is_open_hides_the_help_of_its_button(start_app: StartApp, page: Page):
    view = Playground(page).open(f"{start_app().url}/?pipeline=help_desk")
    view.run_button.click()
    view.expect_end("completed")
    expect(view.again_button).to_be_visible()  # the page is drawn anew after a run, which takes open help away
    menu = page.get_by_role("button", name="⋯")
    tooltip = show_help(page, menu)
    menu.click()
    expect(page.get_by_role("button", name="Replay this session")).to_be_visible()
    expect(tooltip).to_be_hidden()
    show_help(page, page.get_by_role("button", name="Replay this session"))
