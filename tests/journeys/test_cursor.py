"""One position in a session's log: scrubbed back, read, and played from."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground


def test_a_finished_loop_is_scrubbed_back_to_its_second_pass_read_there_and_played(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    view.say("a lighthouse keeper")
    view.expect_end()
    page.keyboard.press("Escape")
    cursor = page.get_by_role("slider", name="Cursor")
    end = page.get_by_role("group", name="Cursor").get_by_role("button", name="End")
    last = int(cursor.get_attribute("max"))
    expect(end).to_be_disabled()

    cursor.fill("5")  # user, first draft, critic, refiner, and the critic again
    expect(cursor).to_have_attribute("aria-valuetext", re.compile(rf"^event 5 of {last}, CriticAgent, pass 2 of "))
    expect(page).to_have_url(re.compile(r"[?&]at=5\b"))
    expect(view.event(5)).to_have_attribute("aria-selected", "true")
    expect(view.graph).to_contain_text("iteration 2 / 5")
    expect(view.status).to_contain_text(f"event 5 of {last}")
    expect(view.event(6)).to_have_class(re.compile(r"\blater\b"))
    document = view.event(4).locator(".text").inner_text()
    item = view.inspector.locator(".scope .item", has_text="current_document")
    expect(item).to_contain_text("by RefinerAgent, event 4")
    expect(item.locator(".value")).to_have_text(document)

    page.get_by_role("tab", name="Prompt").click()
    filled = view.inspector.locator(".sent-part", has_text="current_document")
    expect(filled).to_contain_text("State")
    expect(filled.locator(".sent-text")).to_have_text(document)
    page.get_by_label("Compare with").select_option(index=1)
    expect(view.inspector).to_contain_text("Changed since call")
    filled = view.inspector.locator(".sent-part", has_text="State")
    expect(filled.locator("ins").first).to_be_visible()

    page.reload()
    expect(view.event(5)).to_have_attribute("aria-selected", "true")
    expect(view.inspector.get_by_role("tab", name="Prompt")).to_have_attribute("aria-selected", "true")
    page.get_by_label("Speed").select_option("16")
    cursor.focus()
    page.keyboard.press("ArrowLeft")
    expect(cursor).to_have_attribute("aria-valuetext", f"event 4 of {last}, RefinerAgent, pass 1 of RefinementLoop")
    expect(end).to_be_enabled()
    page.keyboard.press("Space")
    expect(end).to_be_disabled()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert cursor.get_attribute("aria-valuetext") == f"the end, after {last} events"
