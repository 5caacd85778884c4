"""One number for an event: on the command line, on the Playbook page, in the address, in the list and in the copied JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.journeys import log_reader
from tests.journeys.app import App, run_command
from tests.journeys.playground_page import Playground

QUESTION = "A shop has current assets of 120 and current liabilities of 80. What is the current ratio?\nAnswer: 1.50"


def run(app: App, *arguments: str) -> list[dict]:
    """A run on the command line: its events, then the summary."""
    return [json.loads(line) for line in run_command(app, "run", *arguments, "--json").splitlines()]


def test_an_event_has_one_number_everywhere(start_app: Callable[..., App], page: Page):
    app = start_app()
    run(app, "iterative_writing", "so that a seq is no number")
    *printed, summary = run(app, "ace", QUESTION)
    page.goto(f"{app.url}/playbook?playbook=ace")
    link = page.locator(".st-key-delta_card").get_by_role("link", name=re.compile(r"· event \d+$"))
    number = int(link.inner_text().rpartition(" ")[2])
    link.click()

    expect(page).to_have_url(re.compile(rf"session={summary['session_id']}&at={number}$"))
    view = Playground(page)
    expect(view.event(number)).to_have_attribute("aria-selected", "true")
    expect(view.event(number).locator(".number")).to_have_text(str(number))
    view.open_tab("JSON")
    copied = json.loads(view.inspector.locator("pre").inner_text())
    assert copied["number"] == number
    assert [event["id"] for event in printed if event["number"] == number] == [copied["body"]["id"]]
    assert [event["number"] for event in printed] == list(range(1, len(printed) + 1))

    seq = next(
        each["seq"] for each in log_reader.events(app.database, summary["session_id"]) if each["id"] == copied["body"]["id"]
    )
    assert seq > number
    page.goto(f"{app.url}/?pipeline=ace&session={summary['session_id']}&event={seq}")
    expect(view.event(number)).to_have_attribute("aria-selected", "true")
    expect(page).to_have_url(re.compile(rf"session={summary['session_id']}&at={number}$"))
