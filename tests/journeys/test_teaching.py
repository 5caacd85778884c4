"""Right answers are given with the keyboard, and a list is taught: sessions, growth, the way to a row and back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]

TALL = {"viewport": {"width": 1280, "height": 3000}}
"""All events are in sight."""
QUESTION = "A shop has current assets of 120 and current liabilities of 80. What is the current ratio?"
TABLE = """Question\tRight answer
How long can lamps be returned?\t30 days
من يصلح الدراجات؟\tورشة ٤
ランプの返品期間は？\t30日以内"""


@pytest.mark.parametrize("context", [TALL], indirect=True)
def test_enter_in_the_field_sends_the_message_with_its_right_answer(start_app: StartApp, page: Page) -> None:
    app = start_app()
    view = Playground(page).open(f"{app.url}/?pipeline=ace")
    field = page.get_by_label("Right answer (optional)")
    field.fill("1.50")
    field.press("Enter")
    expect(view.input).to_be_focused()  # there is no message yet
    view.input.type(QUESTION)
    field.press("Enter")
    expect(page).to_have_url(re.compile("session="))
    view.expect_end()
    expect(view.event(1)).to_contain_text("Right answer: 1.50")
    expect(field).to_have_value("")
    view.say(f"{QUESTION}\n正解：1.50")
    expect(view.events.locator(".truth", has_text="1.50")).to_have_count(2)
    page.reload()
    expect(view.events.locator(".truth", has_text="1.50")).to_have_count(2)


@pytest.mark.parametrize("context", [{"viewport": {"width": 720, "height": 3000}}, TALL], indirect=True)
def test_a_pasted_list_is_taught_row_by_row(start_app: StartApp, page: Page) -> None:
    app = start_app()
    Playground(page).open(f"{app.url}/?pipeline=ace")
    page.get_by_role("button", name="List", exact=True).click()
    page.get_by_role("textbox", name="Or paste a table").fill(TABLE)
    page.get_by_role("textbox", name="Or paste a table").press("Control+Enter")
    expect(page.locator(".first-rows td.chosen")).to_have_count(6)
    page.get_by_role("button", name="▶ Begin: 3 rows, 3 sessions").click()
    expect(page.get_by_text("3 of 3 rows")).to_be_visible()
    expect(page.get_by_text("0 of 3 answers right. Wrong: lines 2, 3, 4.")).to_be_visible()
    expect(page.get_by_text("Bullets of the playbook")).to_be_visible()
    page.reload()
    expect(page.get_by_text("3 of 3 rows")).to_be_visible()
    page.get_by_test_id("stMain").get_by_role("link", name="How long can lamps be returned?").click()
    view = Playground(page)
    expect(view.event(1)).to_contain_text("Right answer: 30 days")
    page.go_back()
    expect(page.get_by_text("3 of 3 rows")).to_be_visible()
    page.get_by_role("button", name="✕ Close").click()
    expect(view.input).to_be_visible()
