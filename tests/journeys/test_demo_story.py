"""The guided demo: stepped through by keyboard and mouse, on the stage, at three widths, and begun again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from agents.ace import PlaybookStore
from tests.journeys.app import App
from tests.journeys.playground_page import Playground
from tests.journeys.test_accessible import both_themes, violations_in_both_themes

DEMO = (sys.executable, "-m", "ui.cli", "demo", "ace")
STEPS = 17
SAID = {
    1: ("No bullets yet.", ""),
    2: ("✗ wrong", "new formu-00001 current ratio: formula not known yet"),
    3: ("✗ wrong", "1 bullet"),
    4: ("✗ wrong", "new formu-00002 speed: formula not known yet"),
    5: ("✗ wrong", "0 of 3 right"),
    6: ("✓ right", "cites formu-00001 current ratio: formula not known yet"),
    7: ("✗ wrong", "new formu-00004"),
    8: ("✓ right", "new hr-00005 Write measurements"),
    9: ("✓ right", "new hr-00006 Write dates as YYYY-MM-DD."),
    10: ("✓ right", "written on Tuesday"),
    11: ("✓ right", "cites formu-00001"),
    12: ("✓ right", "6 of 10 right"),
    13: ("6 of 10 right", "7 bullets"),
    14: ("✗ wrong", "undone formu-00001"),
    15: ("○ unchecked", "edited formu-00008 current ratio = current liabilities / current assets"),
    16: ("✗ wrong", "tagged harmful formu-00008"),
    17: ("6 of 12 right", "6 bullets"),
}
"""Step → what the board says."""


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[App]:
    app = App(tmp_path / "demo.db", command=DEMO).start()
    yield app
    app.kill()


def at_step(page: Page, number: int) -> Locator:
    """The bar once the step is there and its run is over."""
    expect(page.get_by_text(f"Step {number} of {STEPS}")).to_be_visible()
    for words in SAID[number]:
        expect(page.locator(".st-key-demo .board")).to_contain_text(words)
    return page.locator(".st-key-demo")


def press_next(bar: Locator, *, focused: bool) -> None:
    """By keyboard: the button has the focus, or nothing has."""
    button = bar.get_by_role("button", name="Next")
    expect(button).to_be_focused()
    if not focused:
        button.evaluate("(button) => button.blur()")
    button.page.keyboard.press("Enter")


def press_stage(page: Page) -> None:
    """The keys of a page are there once their buttons are, which are drawn last."""
    expect(page.get_by_role("button", name="Stage", exact=True)).to_be_visible()
    page.keyboard.press("s")


def test_it_is_stepped_through_by_keyboard_to_its_curve_and_its_end(demo: App, page: Page):
    page.goto(demo.url)
    for number in range(1, STEPS + 1):
        bar = at_step(page, number)
        expect(page).to_have_url(re.compile(rf"demo=demo\+1&step={number}\b"))
        expect(Playground(page).inspector).to_be_visible(visible=number not in {13, 17})
        if number < STEPS:
            press_next(bar, focused=number % 4 != 3)
    expect(bar.get_by_role("img", name="6 of 12 right", exact=True)).to_be_visible()
    for name, score in {"Monday": "0 of 3", "Tuesday": "3 of 4", "Wednesday": "3 of 3", "Thursday": "0 of 2"}.items():
        expect(bar.locator("svg").get_by_text(name)).to_be_visible()
        expect(bar.locator("svg").get_by_text(score).first).to_be_visible()
    expect(bar.get_by_role("button", name="End")).to_be_focused()
    page.keyboard.press("Enter")
    expect(bar.get_by_text("The demo has ended.")).to_be_visible()
    with PlaybookStore(demo.database, "demo 1") as store:
        verdicts = [answer.right for answer in store.answers()]
    assert verdicts == [False] * 3 + [True, False] + [True] * 5 + [False] * 2
    bar.get_by_role("link", name="Playbook “demo 1”").click()
    expect(page).to_have_url(re.compile(r"/playbook\?playbook=demo"))
    expect(page.get_by_text("Write dates as YYYY-MM-DD.").first).to_be_visible()


@pytest.mark.parametrize("size", [(820, 1180), (1920, 1080)], ids=lambda size: str(size[0]))
def test_on_the_stage_the_verdict_is_large_and_nothing_is_cut_off(demo: App, page: Page, size: tuple[int, int]):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(demo.url)
    at_step(page, 1).get_by_role("button", name="Next").click()
    bar = at_step(page, 2)
    press_stage(page)
    expect(page).to_have_url(re.compile(r"[?&]stage=1\b"))
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    assert font_size(bar, "✗") >= 100
    for text in ("0 of 1", "1 bullet", "Monday, question 1 of 12", f"Step 2 of {STEPS}", "formu-00001", "Judged by"):
        assert font_size(bar, text) >= 18
    assert font_size(bar, "current ratio: formula not known yet") >= 24
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = bar.get_by_text("0 of 1").filter(visible=True).bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= size[0]
    bar.get_by_role("button", name="Next").click()
    at_step(page, 3)
    expect(page).to_have_url(re.compile(r"[?&]stage=1\b"))
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile(r"[?&]stage=1\b"))


def font_size(bar: Locator, text: str) -> float:
    found = bar.get_by_text(text).filter(visible=True).first
    return float(found.evaluate("element => parseFloat(getComputedStyle(element).fontSize)"))


@both_themes
def test_axe_finds_nothing_at_verdict_and_curve_and_one_click_leads_back_from_another_session(demo: App, page: Page):
    page.goto(demo.url)
    for number in range(1, 13):
        bar = at_step(page, number)
        if number == 12:
            assert violations_in_both_themes(page) == []
        bar.get_by_role("button", name="Next").click()
    bar = at_step(page, 13)
    assert violations_in_both_themes(page) == []
    view = Playground(page)
    expect(view.inspector).to_be_hidden()
    view.session("demo 1, Monday").click()
    expect(view.inspector).to_be_visible()
    bar.get_by_role("button", name="Show this step").click()
    expect(view.inspector).to_be_hidden()


def test_a_run_is_stopped_and_the_demo_goes_on(tmp_path: Path, page: Page):
    never = 0.01  # words a second: the answer does not come before the run is stopped, however slow the machine
    app = App(tmp_path / "slow.db", command=DEMO, words_per_second=never).start()
    try:
        page.goto(app.url)
        at_step(page, 1).get_by_role("button", name="Next").click()
        board = page.locator(".st-key-demo .board")
        expect(board).to_contain_text("● At work …")
        press_stage(page)
        page.get_by_role("button", name="Stop", exact=True).click()
        expect(board).to_contain_text("■ stopped, without an answer.")
        expect(page.get_by_role("button", name="Ask again")).to_be_visible()
        expect(page.get_by_role("button", name="Next")).to_be_enabled()
    finally:
        app.kill()


def test_reload_back_and_a_second_tab_show_the_same_step(demo: App, page: Page):
    page.goto(demo.url)
    at_step(page, 1).get_by_role("button", name="Next").press("Enter")
    at_step(page, 2)
    page.reload()
    bar = at_step(page, 2)
    other = page.context.new_page()
    other.goto(page.url)
    at_step(other, 2)
    bar.get_by_role("button", name="Next").click()
    at_step(page, 3)
    page.go_back()
    at_step(page, 2)
    at_step(other, 2).get_by_role("button", name="Next").click()
    at_step(other, 3)
    with PlaybookStore(demo.database, "demo 1") as store:
        assert store.playbook().revision == 2


def test_it_is_ended_and_begun_anew_with_another_empty_playbook(demo: App, page: Page):
    page.goto(demo.url)
    at_step(page, 1).get_by_role("button", name="Next").click()
    at_step(page, 2).get_by_role("button", name="End").click()
    page.get_by_role("button", name="Begin anew").click()
    expect(page).to_have_url(re.compile(r"demo=demo\+2&step=1\b"))
    at_step(page, 1).get_by_role("button", name="Next").click()
    at_step(page, 2)
    again = App(demo.database, command=DEMO).start()
    try:
        page.goto(again.url)
        expect(at_step(page, 1).get_by_text("Playbook “demo 3”")).to_be_visible()
    finally:
        again.kill()


def test_the_figures_need_no_browser_and_no_database(tmp_path: Path):
    command = [sys.executable, "-m", "ui.cli", "demo", "ace", "--figures", "--queries", "8", "--db", str(tmp_path / "x.db")]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ.copy(), timeout=120, check=True)
    assert done.stdout.startswith("8 questions, seed 1, simulated model")
    assert not (tmp_path / "x.db").exists()
