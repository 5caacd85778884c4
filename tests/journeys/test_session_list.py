"""The list of sessions: the same in two tabs, used by keyboard, over all pipelines, with a thousand sessions."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import Page, expect

from agents.runs import RunManager
from tests.journeys.app import App, run_command
from tests.journeys.conftest import Watch
from tests.journeys.playground_page import Playground
from tests.journeys.test_sessions_and_links import Sent

StartApp = Callable[..., App]
SESSION = re.compile("session=")


def write_sessions(database: Path, *titles: str, pipeline: str = "iterative_writing") -> None:
    """Writes sessions, the last title last changed."""

    def write() -> None:
        with RunManager(database=database) as manager:
            for number, title in enumerate(titles):
                session = manager.sessions.create(pipeline, session_id=f"{pipeline}-{number}")
                manager.sessions.rename(pipeline, session, title)

    with ThreadPoolExecutor(1) as other:  # a thread that drives a browser has an event loop already
        other.submit(write).result()


def test_two_tabs_show_the_same_list(start_app: StartApp, page: Page):
    app = start_app()
    view = Playground(page).open(app.url)
    other = Playground(page.context.new_page())
    sent = Sent(other.page)
    other.open(app.url)
    expect(other.page.get_by_text("Each run is kept here")).to_be_visible()
    other.page.wait_for_load_state("networkidle")
    before = len(sent.frames)
    view.run_button.click()
    view.expect_end("completed")
    expect(other.session("a lighthouse keeper")).to_contain_text("✓ completed · just now")
    page.get_by_role("button", name="⋯").click()
    title = page.get_by_role("textbox", name="Title")
    title.fill("My first story")
    title.press("Enter")
    for shown in (view, other):
        expect(shown.session("My first story")).to_be_visible()
    expect(other.session("a lighthouse keeper")).to_have_count(0)
    if not page.get_by_role("button", name="Delete session").is_visible():
        page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Delete session").click()
    page.get_by_role("button", name="Delete it").click()
    for shown in (view, other):
        expect(shown.session("My first story")).to_have_count(0)
    assert len(sent.frames) == before, "the other tab asked for nothing"
    expect(other.page).not_to_have_url(SESSION)


def test_a_session_of_a_terminal_appears_in_an_open_list(app: App, page: Page):
    view = Playground(page).open(app.url)
    run_command(app, "run", "iterative_writing", "a terminal at night")
    expect(view.session("a terminal at night")).to_contain_text("✓ completed")


def test_keys_move_through_the_list_and_enter_opens(start_app: StartApp, page: Page, tmp_path: Path):
    write_sessions(tmp_path / "journey.db", "a kite", "Jam", "a baker")
    view = Playground(page).open(start_app().url)
    rows = view.sessions.get_by_role("listitem")
    expect(rows).to_have_count(3)
    url = page.url
    page.get_by_role("button", name="All", exact=True).focus()
    page.keyboard.press("Tab")
    focused = view.sessions.locator(":focus")
    expect(focused).to_contain_text("a baker")
    for key, title in (("ArrowDown", "Jam"), ("End", "a kite"), ("Home", "a baker"), ("j", "Jam")):
        page.keyboard.press(key)
        expect(focused).to_contain_text(title)
    assert page.url == url
    expect(view.sessions.locator("[aria-current=true]")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page).to_have_url(SESSION)
    expect(view.session("Jam").get_by_role("link")).to_have_attribute("aria-current", "true")
    expect(page.locator(".st-key-session_title")).to_contain_text("Jam")
    expect(focused).to_contain_text("Jam")
    page.keyboard.press("Tab")
    expect(focused).to_have_count(0)


def test_a_click_is_answered_before_the_server_does(app: App, page: Page):
    write_sessions(app.database, "first to click", "second to click")
    view = Playground(page).open(app.url)
    row = view.session("first to click")
    expect(row).to_be_visible()
    row.evaluate(
        """row => {
            row.click();
            const { ariaCurrent, ariaBusy } = row.querySelector("a");
            window.marked = [ariaCurrent, ariaBusy, row.textContent];
        }"""
    )
    current, busy, text = page.evaluate("window.marked")
    assert (current, busy) == ("true", "true")
    assert "opening …" in text
    expect(page).to_have_url(SESSION)
    expect(row.get_by_role("link")).not_to_have_attribute("aria-busy", "true")


def test_all_lists_every_pipeline_and_leads_to_them(start_app: StartApp, page: Page, tmp_path: Path):
    write_sessions(tmp_path / "journey.db", "a story")
    write_sessions(tmp_path / "journey.db", "a banana", pipeline="banana_painter")
    view = Playground(page).open(start_app().url)
    expect(view.session("a story")).to_be_visible()
    expect(view.session("a banana")).to_have_count(0)
    page.get_by_role("button", name="All", exact=True).click()
    expect(view.session("a banana")).to_contain_text("Banana painter")
    view.session("a banana").click()
    expect(page).to_have_url(re.compile("pipeline=banana_painter&session=banana_painter-0"))
    expect(view.session("a story")).to_contain_text("Iterative writing")
    page.reload()
    expect(view.session("a banana").get_by_role("link")).to_have_attribute("aria-current", "true")
    expect(view.session("a story")).to_be_visible()


def test_a_thousand_sessions_are_searched_and_few_are_in_the_page(start_app: StartApp, page: Page, tmp_path: Path):
    hostile = '<img src=x onerror="window.broken = 1"> \u202eevil'
    write_sessions(tmp_path / "journey.db", hostile, *(f"topic {number}" for number in range(1000)))
    view = Playground(page).open(start_app().url)
    rows = view.sessions.get_by_role("listitem")
    expect(rows).to_have_count(100)
    page.get_by_role("button", name="Show more (901 older)").click()
    expect(rows).to_have_count(200)
    search = page.get_by_role("searchbox", name="Search sessions")
    search.fill("onerror")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text('<img src=x onerror="window.broken = 1"> \\u202eevil')
    assert page.evaluate("window.broken") is None
    search.fill("nothing like that")
    expect(page.get_by_text("No session has these words in its title.")).to_be_visible()


def test_the_list_finds_the_server_again(start_app: StartApp, page: Page, watch: Watch, tmp_path: Path):
    write_sessions(tmp_path / "journey.db", "before")
    app = start_app()
    view = Playground(page).open(app.url)
    expect(view.session("before")).to_be_visible()
    watch.expects_cut = True
    app.stop()
    write_sessions(tmp_path / "journey.db", "meanwhile", pipeline="status_poller")
    expect(page.get_by_text("This list may be out of date.")).to_be_visible()
    app.start(port=app.port)
    page.get_by_role("button", name="All", exact=True).click()
    expect(view.session("meanwhile")).to_be_visible()
    expect(page.get_by_text("This list may be out of date.")).to_have_count(0)
