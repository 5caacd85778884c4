"""A session is kept as a case, guards its playbook, and a delta that breaks it waits, with the reason."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

from playwright.sync_api import Page, expect

from agents.ace import PlaybookStore
from tests.journeys.app import App
from tests.journeys.playground_page import Playground

BOOK = "guarded by a journey"
BAKERY = "A bakery has current assets of 120,000 € and current liabilities of 80,000 €. What is its current ratio?"
CINEMA = "A cinema has current assets of 45,000 € and current liabilities of 18,000 €. What is its current ratio?"


def ask(app: App, page: Page, question: str, *, end: str = "completed") -> None:
    view = Playground(page).open(f"{app.url}/?pipeline=ace&set={quote(f'playbook_name={json.dumps(BOOK)}')}")
    view.say(question)
    expect(page).to_have_url(re.compile("session="))
    view.expect_end(end)


def test_a_kept_session_guards_its_playbook_and_a_delta_that_breaks_it_waits(app: App, page: Page):
    ask(app, page, f"{BAKERY}\nAnswer: 1.5")
    ask(app, page, CINEMA)
    page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Keep as a case").click()
    dialog = page.get_by_role("dialog", name="Keep as a case")
    expect(dialog.get_by_role("textbox", name="Number")).to_have_value("2.5")
    dialog.get_by_role("textbox", name="Name", exact=True).fill("cinema ratio")
    dialog.get_by_role("textbox", name="Name", exact=True).press("Tab")
    dialog.get_by_role("button", name="Keep it").click()
    expect(page.get_by_text("Kept as a case, in the file cinema-ratio.json.")).to_be_visible()

    page.get_by_role("link", name="All cases").click()
    page.get_by_role("button", name="Run all").click()
    expect(page.get_by_text("1 held")).to_be_visible()

    page.goto(f"{app.url}/playbook?playbook={quote(BOOK)}&tab=approve")
    page.get_by_text("Guard it with cases").click()
    expect(page.get_by_text("is guarded: a delta that breaks a case waits for you")).to_be_visible()
    with PlaybookStore(app.database, BOOK) as store:
        before = [bullet.content for bullet in store.playbook().bullets]

    ask(app, page, f"{BAKERY}\nAnswer: 0.67", end="Waiting for you")
    page.goto(f"{app.url}/playbook?playbook={quote(BOOK)}&tab=approve")
    expect(page.get_by_text("This breaks the case cinema ratio.")).to_be_visible()
    expect(page.get_by_text("Expected: the answer has the number 2.5. Found: “0.40”.")).to_be_visible()
    with PlaybookStore(app.database, BOOK) as store:
        assert [bullet.content for bullet in store.playbook().bullets] == before

    page.get_by_role("link", name="Both runs side by side").click()
    expect(page.get_by_text("They part at")).to_be_visible()
    page.get_by_role("link", name="Case: cinema ratio (with the delta)").click()
    expect(Playground(page).events.get_by_text("Ran the case cinema ratio: it failed.")).to_be_visible()

    page.goto(f"{app.url}/playbook?playbook={quote(BOOK)}&tab=approve")
    page.get_by_role("radiogroup", name="Operation 1").get_by_text("Reject").click()
    page.get_by_role("button", name="Send: 0 approved, 1 rejected").click()
    expect(page.get_by_text("Nothing waits for you here.")).to_be_visible()
