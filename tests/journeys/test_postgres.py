"""The app on PostgreSQL: run, stop, open an old session, search, fork, keep a case; beside another process."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.agents.storage.postgres_server import postgres, postgres_server  # noqa: F401
from tests.journeys.app import App, run_command
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]
BAKERY = "A bakery has current assets of 120,000 € and current liabilities of 80,000 €. What is its current ratio?"


@pytest.mark.parametrize("context", [{"viewport": {"width": 1440, "height": 2400}}], indirect=True)
def test_everything_of_a_page_is_there_on_postgresql(
    start_app: StartApp,
    page: Page,
    tmp_path: Path,
    postgres: str,  # noqa: F811
):
    app = start_app(place=postgres, variables={"PLAYGROUND_DATA": str(tmp_path)}, words_per_second=40)
    assert "postgresql://" in app.printed_with("Sessions are kept in")
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    view.run_button.click()
    expect(view.event(2)).to_be_visible()
    view.stop_button.click()
    view.expect_end("stopped")

    run_command(app, "run", "ace", f"{BAKERY}\nAnswer: 1.5")  # by another process: the page hears of it
    view.open(f"{app.url}/?pipeline=ace")
    view.session("A bakery").get_by_role("link").first.click()
    view.expect_end("completed")
    page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Keep as a case").click()
    page.get_by_role("dialog", name="Keep as a case").get_by_role("button", name="Keep it").click()
    expect(page.get_by_text(re.compile("Kept as a case"))).to_be_visible()
    assert [*(tmp_path / "cases").glob("*.json")]

    view.event(4).click()
    page.keyboard.press("f")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("After event 4")
    dialog.get_by_role("button", name="▶ Run", exact=True).click()
    expect(page.get_by_role("button", name="Open the origin")).to_be_visible()
    view.expect_end("completed")

    page.goto(f"{app.url}/sessions")
    rows = page.get_by_role("list", name="Sessions").get_by_role("listitem")
    expect(rows).to_have_count(3)
    page.keyboard.press("/")
    page.keyboard.type("BAKERY")
    expect(rows).to_have_count(2)

    page.goto(f"{app.url}/playbook?playbook=ace")
    expect(page.get_by_text(re.compile("current ratio")).first).to_be_visible()
    page.goto(f"{app.url}/settings?tab=data")
    expect(page.get_by_text(re.compile("^postgresql://")).first).to_be_visible()
