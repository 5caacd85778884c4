"""Stop, restart, kill, another process: what was shown is kept."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.benchmarks.long_session import write_long_session
from tests.journeys.app import SLOW, App, run_command
from tests.journeys.conftest import Watch
from tests.journeys.log_reader import entries, events, text_of
from tests.journeys.playground_page import Playground
from tests.journeys.test_run_and_watch import TALL, session_in

StartApp = Callable[..., App]


def test_stop_ends_a_run_and_leaves_a_complete_log(start_app: StartApp, page: Page):
    app = start_app(words_per_second=2)
    view = Playground(page).open(app.url)
    view.run_button.click()
    expect(view.events.get_by_role("row", name="InitialWriterAgent is writing")).to_be_visible()
    view.stop_button.click()
    view.expect_end("stopped")
    expect(view.again_button).to_be_visible()
    log = entries(app.database, session_in(page))
    assert (log[-1]["kind"], log[-1]["status"]) == ("run_finished", "stopped")
    started = [entry["agent"] for entry in log if entry["kind"] == "agent_started"]
    finished = [entry["agent"] for entry in log if entry["kind"] == "agent_finished"]
    assert sorted(started) == sorted(finished)


def test_a_session_is_there_after_a_restart(start_app: StartApp, page: Page, watch: Watch):
    app = start_app()
    view = Playground(page).open(app.url)
    view.run_button.click()
    view.expect_end("completed")
    link = page.url
    watch.expects_cut = True
    app.stop()
    app.start(port=app.port)
    page.goto(link)
    expect(view.event(2).or_(view.events.get_by_role("row", name=re.compile("^Event")).first)).to_be_visible()
    view.expect_end("completed")
    expect(view.session("a lighthouse keeper").get_by_role("link")).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize("context", [TALL], indirect=True)
def test_after_a_kill_all_that_was_shown_is_there_and_the_run_can_go_again(start_app: StartApp, page: Page, watch: Watch):
    app = start_app(words_per_second=SLOW)
    view = Playground(page).open(app.url)
    view.run_button.click()
    expect(view.event(3)).to_be_visible()
    shown = view.shown_events()
    link = page.url
    watch.expects_cut = True
    app.kill()
    app.words_per_second = 0
    app.start(port=app.port)
    page.goto(link)
    view.expect_end("interrupted")
    expect(view.event(3)).to_be_visible()
    assert view.shown_events()[: len(shown)] == shown
    view.again_button.click()
    view.expect_end("completed")
    messages = [text_of(event) for event in events(app.database, session_in(page)) if event["author"] == "user"]
    assert messages == ["a lighthouse keeper", "a lighthouse keeper"]


def test_a_page_finds_the_server_again_by_itself(start_app: StartApp, page: Page, watch: Watch):
    app = start_app(words_per_second=SLOW)
    view = Playground(page).open(app.url)
    view.run_button.click()
    expect(view.event(1)).to_be_visible()
    watch.expects_cut = True
    app.kill()
    why = page.get_by_role("alert").filter(has_text="The server does not answer.")
    expect(why).to_be_visible()
    app.start(port=app.port)
    view.expect_end("interrupted")
    expect(why).to_have_count(0)


def test_a_run_in_a_terminal_appears_in_an_open_page(app: App, page: Page):
    view = Playground(page).open(app.url)
    view.run_button.click()
    view.expect_end("completed")
    before = len(events(app.database, session_in(page)))
    run_command(app, "run", "iterative_writing", "the sea at night", "--session", session_in(page))
    after = len(events(app.database, session_in(page)))
    assert after > before
    view.events.focus()
    page.keyboard.press("End")
    expect(view.event(after)).to_be_visible()


def test_ten_thousand_events_are_all_there_and_few_are_in_the_page(app: App, page: Page):
    link = write_long_session(app.database, 10_000)
    view = Playground(page).open(f"{app.url}/{link}")
    expect(view.event(10_000)).to_be_visible()
    view.events.focus()
    page.keyboard.press("Home")
    expect(view.event(1)).to_be_visible()
    expect(view.event(10_000)).not_to_be_attached()
    view.events.evaluate("list => { list.scrollTop = list.scrollHeight / 2 }")
    middle = view.events.get_by_role("row", name=re.compile(r"^Event (4[5-9]|5[0-5])\d\d\b")).first
    expect(middle).to_be_visible()
    inside = "host => host.shadowRoot ? host.shadowRoot.querySelectorAll('*').length : 0"
    hosts = page.locator("[data-testid=stBidiComponentIsolated]")
    assert hosts.filter(has=view.events).evaluate(inside) < 2000
