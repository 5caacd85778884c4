"""The Lab: a form is filled in, a run begun and watched, one answer opened, a bullet switched off, and its session read."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]

DESCRIPTION = """name = "the sea"
data = { generate = "moving_world", seed = 3, count = 16, change_at = 16 }
keep = "all"
arms = [{ kind = "none" }, { kind = "online" }]
"""


def test_a_run_is_begun_and_read_down_to_a_session(start_app: StartApp, page: Page):
    Playground(page).open((app := start_app()).url)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Lab").click()
    page.get_by_test_id("stMain").get_by_text("What if the world changes?", exact=True).click()
    begin = page.get_by_role("button", name="Begin", exact=False)
    expect(begin).to_be_in_viewport()
    expect(page.get_by_role("spinbutton", name="The rule changes after question")).to_have_value("60")
    page.get_by_text("Rewrites its notes", exact=True).click()
    for _ in range(2):
        expect(page.get_by_text("3 ways of answering")).to_be_visible()
        page.reload()  # the draft is still there
    tab, text = page.get_by_role("tab", name="TOML"), page.get_by_role("textbox", name="Description")
    tab.click()
    expect(text).to_have_value(re.compile("rewriting"))
    text.fill(DESCRIPTION)
    text.press("Control+Enter")
    begin.click()  # at once: what the browser still has of the form before is no choice
    expect(page.get_by_role("heading", name="the sea")).to_be_visible()
    expect(page.get_by_text("McNemar")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).not_to_be_attached()
    expect(page.get_by_role("cell", name=re.compile("of 16")).last).to_be_visible()

    page.get_by_role("link", name="All runs").click()
    tab.click()
    expect(text).to_have_value(DESCRIPTION)
    expect(page).to_have_url(f"{app.url}/lab")
    page.get_by_role("link", name="the sea").click()
    expect(page).to_have_url(f"{app.url}/lab?run=the+sea")
    page.go_back()
    tab.click()
    expect(text).to_have_value(DESCRIPTION)

    page.get_by_role("link", name="the sea").click()
    point = page.locator("svg.marks").first.locator(".mark-symbol path").last
    for _ in range(2):  # the point that was clicked before opens its answer again
        point.click(force=True)
        expect(page.get_by_role("heading", name="Question 16 of 16")).to_be_visible()
        page.get_by_role("button", name="✕").click()
        expect(page.get_by_role("heading", name="Question 16 of 16")).not_to_be_attached()

    page.get_by_role("button", name="Look at single answers").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Question 1 of 16")).to_be_visible()
    page.get_by_role("spinbutton", name="Go to question").fill("14")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Question 14 of 16")).to_be_visible()
    page.get_by_role("spinbutton", name="Go to question").fill("15")
    page.get_by_role("button", name="▶").click()  # right after it: one further than what was typed
    expect(page.get_by_role("heading", name="Question 16 of 16")).to_be_visible()
    assert "sample=online%3A0%3A16" in page.url
    page.get_by_role("button", name="Switch off").first.click()
    expect(page.get_by_text("Without", exact=True)).to_be_visible()

    page.get_by_role("button", name="Open its session").click()
    expect(page.get_by_text("Lab the sea: online, sample 16").first).to_be_visible()
    expect(page.get_by_text("Generator").first).to_be_visible()
