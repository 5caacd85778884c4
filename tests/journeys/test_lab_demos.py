"""The demos of the Lab: one is stepped through by keyboard, on the stage and in a second tab; the others are begun."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.test_accessible import both_themes, violations_in_both_themes
from ui.demo.lab.demos import LAB_DEMOS

DONE = 90_000
"""Milliseconds that a run may take, beside other tests."""
SAID = {
    1: "After question 40 a definition is another one.",
    2: "✗ Question 41: the answer is",
    3: "One UPDATE by the curator, after question 41.",
    4: "Right again at question 48: 9 of 10",
    5: "74 of 80 right",
}
SMALLEST = """() => Math.min(...[...document.querySelectorAll(".st-key-lab_demo *")]
  .flatMap((element) => [element, ...(element.shadowRoot?.querySelectorAll("*") ?? [])])
  .filter((element) => element.checkVisibility() && [...element.childNodes].some(({ nodeType, textContent }) =>
    nodeType === Node.TEXT_NODE && textContent.trim()) && element.tagName !== "STYLE")
  .map((element) => parseFloat(getComputedStyle(element).fontSize)))"""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    started = App(tmp_path / "demo.db", command=(sys.executable, "-m", "ui.cli", "demo", "world")).start()
    yield started
    started.kill()


def at_step(page: Page, number: int) -> None:
    expect(page.get_by_text(f"Step {number} of {len(SAID)}")).to_be_visible(timeout=DONE)
    expect(page.locator(".moments .say")).to_contain_text(SAID[number])


def press_next(page: Page, *, focused: bool) -> None:
    """By keyboard: the button has the focus, or nothing has."""
    button = page.get_by_role("button", name="Next")
    expect(button).to_be_focused(timeout=DONE)
    if not focused:
        button.evaluate("(button) => button.blur()")
    page.keyboard.press("Enter")


def look_at_the_others(page: Page) -> None:
    page.get_by_role("link", name="The other demos").click()
    expect(page).to_have_url(re.compile(r"/demo(\?stage=1)?$"))
    links = page.get_by_test_id("stMain").get_by_role("link")
    expect(links).to_have_count(len(LAB_DEMOS))
    boxes = links.evaluate_all(
        "(all) => all.map((link) => link.getBoundingClientRect()).map((box) => [box.left, box.top, box.right, box.bottom])"
    )
    for one, other in combinations(boxes, 2):  # none lies on another
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.timeout(300)  # four lab runs
@both_themes
def test_a_demo_is_stepped_through_by_keyboard_and_the_others_are_begun(app: App, page: Page):
    page.goto(app.url)
    at_step(page, 1)
    expect(page).to_have_url(re.compile(r"/demo\?demo=world&run=demo\+world&step=1"))
    press_next(page, focused=True)
    at_step(page, 2)
    page.keyboard.press("s")
    expect(page).to_have_url(re.compile(r"stage=1"))
    press_next(page, focused=False)
    at_step(page, 3)
    expect(page).to_have_url(re.compile(r"stage=1"))
    assert page.evaluate(SMALLEST) >= 18
    assert page.locator(".moments .say").evaluate("(say) => parseFloat(getComputedStyle(say).fontSize)") >= 24
    page.reload()
    at_step(page, 3)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    other = page.context.new_page()
    other.goto(page.url)
    at_step(other, 3)
    other.close()
    press_next(page, focused=True)
    at_step(page, 4)
    assert violations_in_both_themes(page) == []
    page.go_back()
    at_step(page, 3)
    press_next(page, focused=True)
    at_step(page, 4)
    press_next(page, focused=False)
    at_step(page, 5)
    expect(page.get_by_role("button", name="End")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The demo has ended.")).to_be_visible()
    look_at_the_others(page)
    page.go_back()
    page.get_by_role("link", name="This run in the Lab").click()
    expect(page.get_by_role("heading", name="demo world")).to_be_visible()
    page.set_viewport_size({"width": 820, "height": 1180})
    for name in ("collapse", "poison", "race"):
        count = len(LAB_DEMOS[name].steps)
        page.goto(f"{app.url}/demo?demo={name}")
        expect(page.get_by_role("button", name="Begin")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"Step 1 of {count}")).to_be_visible()
        expect(page.get_by_role("button", name="Next")).to_be_enabled(timeout=DONE)
        at_the_end = count if name != "poison" else 4  # its fifth step is shown once the undo was done
        page.goto(f"{app.url}/demo?demo={name}&run=demo+{name}&step=99")
        expect(page.get_by_text(f"Step {at_the_end} of {count}")).to_be_visible()
        expect(page.locator(".moments .note")).to_contain_text("closed world")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
