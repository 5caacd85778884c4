"""The documents in the app: pages lead to their topics, links stay in the tab, and the search leads to what it found."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.app import App

StartApp = Callable[..., App]
FIELD = "Search the documents"


@pytest.fixture
def url(start_app: StartApp) -> str:
    return start_app().url.rstrip("/")


def heading(page: Page, name: str) -> Locator:
    return page.get_by_role("heading", name=name, exact=True)


def test_a_page_leads_to_its_topic_and_links_stay_in_the_tab(page: Page, url: str):
    page.goto(f"{url}/lab")
    page.get_by_role("link", name="Help", exact=True).click()
    expect(page).to_have_url(re.compile(r"/help\?topic=lab$"))
    expect(heading(page, "What is stored")).to_be_attached()
    tabs = len(page.context.pages)
    page.get_by_test_id("stMain").get_by_role("link", name="Lab: results").last.click()
    expect(heading(page, "Arms side by side")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/help\?topic=lab-results$"))
    assert len(page.context.pages) == tabs
    page.go_back()
    expect(heading(page, "What is stored")).to_be_attached()


def test_a_url_with_a_heading_leads_to_it(page: Page, url: str):
    page.goto(f"{url}/help?topic=security#what-a-visitor-may-do")
    found = heading(page, "What a visitor may do")
    expect(found).to_be_in_viewport()
    expect(heading(page, "Promises and security")).not_to_be_in_viewport()


def test_the_search_works_by_keyboard_and_its_url_can_be_shared(page: Page, url: str):
    page.goto(f"{url}/help?topic=models")
    page.get_by_label(FIELD).press_sequentially("reverse proxy")
    first = page.get_by_role("link", name="Operate › Behind a reverse proxy")
    expect(first).to_be_visible()
    expect(page).to_have_url(re.compile(r"words=reverse[+%20]+proxy"))
    shared = page.url
    first.focus()
    page.keyboard.press("Enter")
    expect(heading(page, "Behind a reverse proxy")).to_be_in_viewport()
    expect(page).to_have_url(re.compile(r"/help\?topic=operate#behind-a-reverse-proxy$"))
    page.goto(shared)
    expect(first).to_be_visible()


def test_what_is_not_found_is_said(page: Page, url: str):
    page.goto(f"{url}/help?topic=zebra")
    expect(page.get_by_text("There is no page zebra. These are all.")).to_be_visible()
    page.get_by_label(FIELD).press_sequentially("zebra crossing")
    expect(page.get_by_text("No page has “zebra crossing”.")).to_be_visible()
    page.get_by_role("button", name="All topics").click()
    expect(heading(page, "First steps")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/help$"))


def test_programs_read_the_same_pages(page: Page, url: str):
    assert "(help/models.md)" in page.request.get(f"{url}/llms.txt").text()
    assert page.request.get(f"{url}/help/models.md").text().startswith("# Models\n")
