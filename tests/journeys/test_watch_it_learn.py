"""A curve that climbs as bullets are learned and falls without them, and the answers behind it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from agents.ace import PlaybookStore
from tests.journeys.app import App

StartApp = Callable[..., App]
LONG = 240_000
"""Milliseconds for sixty questions on a machine that does much else."""


@pytest.mark.timeout(600)
def test_it_learns_outlives_its_server_goes_on_in_another_tab_and_falls_without_its_bullets(start_app: StartApp, page: Page):
    app = start_app(words_per_second=40)  # the speed of other runs is not that of this page
    page.goto(f"{app.url}/playbook")
    page.get_by_role("button", name="Watch it learn").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_text("Full speed").click()
    expect(page.get_by_text(re.compile(r"\d+ bullets learned"))).to_be_visible()
    pause = page.get_by_role("button", name="Pause")
    pause.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play")).to_be_enabled()

    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    port, url = app.port, page.url
    page.goto("about:blank")
    app.kill()
    app.start(port)
    page.goto(url)
    expect(page.get_by_role("button", name="Play")).to_be_enabled()

    other = page.context.new_page()
    other.goto(url)
    other.get_by_role("button", name="Play").click()
    expect(other.get_by_role("button", name="Pause")).to_be_visible()
    other.get_by_text("Full speed").click()
    expect(other.get_by_role("radio", name="Full speed")).to_be_checked()
    away = page.get_by_role("button", name="Take the bullets away")
    expect(away).to_be_enabled(timeout=LONG)
    expect(page.get_by_text("Question 60 of 60, with a playbook that learns")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile(r"0 of 60 right, kept empty"))).to_be_visible()
    away.click()
    end = re.compile("Question 60 of 60, with the bullets taken away")
    expect(page.get_by_text(end)).to_be_visible(timeout=LONG)
    expect(other.get_by_text(end)).to_be_visible()

    with PlaybookStore(app.database, "learning 1") as store:
        learned = [answer.right for answer in store.answers()]
        without = [answer.right for answer in store.beside("learning 1, bullets taken away").answers()]
    right = f"{sum(map(bool, learned))} of 60"
    expect(page.get_by_role("listitem").filter(has_text="right, learning")).to_contain_text(right)
    assert all(learned[-10:])
    assert sum(map(bool, without)) < 10

    page.get_by_role("button", name="Remove all of it").click()
    page.get_by_role("button", name="Bring it back").click()
    expect(page.get_by_text(end)).to_be_visible()


def test_a_click_on_a_mark_of_the_growth_chart_leads_to_its_question(app: App, page: Page):
    page.goto(f"{app.url}/playbook")
    page.get_by_role("button", name="Watch it learn").click()
    page.get_by_text("Full speed").click()
    expect(page.get_by_role("button", name="Take the bullets away")).to_be_enabled(timeout=LONG)
    page.get_by_role("button", name="→ Growth").click()
    number = page.get_by_label("Question", exact=True)
    expect(number).to_have_value("60")
    marks = page.locator(".st-key-accuracy .mark-symbol path")
    expect(marks).to_have_count(60)
    marks.first.click()
    expect(number).to_have_value("1")
    expect(page.get_by_text("✗ wrong, judged by the answer in the message, at revision 0")).to_be_visible()
    page.locator(".st-key-accuracy_links").get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"pipeline=ace&session=learning-1-\w+-learning-1&at=\d+"))
