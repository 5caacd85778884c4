"""A server is told to end while a run is under way: what it answers, what the browser says, and what becomes of the run."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.conftest import Watch
from tests.journeys.playground_page import Playground

ABOUT_TO_END = "This server is about to end"
WORDS_PER_SECOND = 30


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """A process of its own, as its signals are what this is about."""
    app = App(tmp_path / "journey.db", words_per_second=WORDS_PER_SECOND, variables={"PLAYGROUND_DRAIN": "120"})
    yield app.start()
    app.kill()


def begin(page: Page, app: App) -> Playground:
    playground = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    playground.run_button.click()
    expect(playground.event(2)).to_be_visible()
    return playground


def terminate(app: App) -> httpx2.Response:
    """Sends SIGTERM; returns what the server answers to whether it is ready, once it is not."""
    os.kill(app.pid, signal.SIGTERM)

    while (answer := httpx2.get(f"{app.url}/ready")).status_code != 503:
        assert answer.status_code == 200
    return answer


def test_a_run_under_way_is_finished_and_no_other_is_begun(app: App, page: Page, watch: Watch):
    watch.expects_cut = True
    running = begin(page, app)
    assert ABOUT_TO_END in terminate(app).text
    assert httpx2.get(f"{app.url}/health").status_code == 200

    late = Playground(page.context.new_page()).open(f"{app.url}/?pipeline=iterative_writing")
    late.run_button.click()
    expect(late.page.get_by_text(ABOUT_TO_END)).to_be_visible()
    running.expect_end("completed")
    assert app.wait() == -signal.SIGTERM  # the orderly end: uvicorn raises the signal again
    expect(page.get_by_text("Connection lost, reconnecting.")).to_be_visible()

    app.start(app.port)
    expect(page.get_by_text("Connection lost, reconnecting.")).to_be_hidden()
    running.expect_end("completed")
    expect(running.sessions.get_by_role("listitem")).to_have_count(1)


def test_a_second_signal_ends_it_at_once_and_keeps_what_was_stored(app: App, page: Page, watch: Watch):
    watch.expects_cut = True
    running = begin(page, app)
    terminate(app)
    os.kill(app.pid, signal.SIGTERM)
    app.wait()
    app.start(app.port)
    running.expect_end("stopped")
    expect(running.event(2)).to_be_visible()
    expect(page.get_by_role("button", name="↻ Run again")).to_be_enabled()
