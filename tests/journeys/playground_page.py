"""The Playground page as a person finds things on it: by role and name."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

RUN_ENDED = re.compile(r"^(completed|stopped|failed|interrupted)\b", re.IGNORECASE)


DRAWN = "[data-testid=stApp][data-test-script-state=notRunning]"
"""A page whose script is not running."""


class Playground:
    """What a person does and sees on one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.events = page.get_by_role("grid", name="Events")
        self.sessions = page.get_by_role("list", name="Sessions")
        self.loading = page.get_by_role("progressbar", name="Loading events")
        self.status = page.get_by_role("region", name="Events").get_by_role("status").first
        self.inspector = page.get_by_role("region", name="Inspector")
        self.graph = page.get_by_role("navigation", name="Agents")
        self.input = page.get_by_test_id("stChatInputTextArea")
        self.run_button = page.get_by_role("button", name="▶ Run")
        self.stop_button = page.get_by_role("button", name="■ Stop")
        self.again_button = page.get_by_role("button", name="↻")

    def open(self, url: str) -> Playground:
        self.page.goto(url)
        expect(self.status).to_be_visible()
        return self

    def say(self, text: str) -> None:
        self.input.fill(text)
        self.input.press("Enter")

    def event(self, number: int) -> Locator:
        """The row of an event, counted from 1 in the session."""
        return self.events.get_by_role("row", name=re.compile(rf"^Event {number}\b"))

    def session(self, title: str) -> Locator:
        """The row of a session in the list, by the beginning of its title."""
        link = self.page.get_by_role("link", name=re.compile(rf"^{re.escape(title)}"))
        return self.sessions.get_by_role("listitem").filter(has=link)

    def open_tab(self, name: str) -> None:
        """Opens a tab of the inspector: in the row, or from the list of those that have no room there."""
        tab = self.inspector.get_by_role("tab", name=name)
        if tab.is_visible():
            tab.click()
        else:
            self.inspector.get_by_label("More tabs").select_option(label=name)
        expect(tab).to_have_attribute("aria-selected", "true")

    def expect_end(self, word: str = "completed") -> None:
        expect(self.status).to_contain_text(re.compile(word, re.IGNORECASE))

    def shown_events(self) -> list[str]:
        """Accessible names of the event rows that are in sight, in order."""
        rows = self.events.get_by_role("row", name=re.compile(r"^Event \d+"))
        return [row.get_attribute("aria-label") or row.inner_text() for row in rows.all()]
