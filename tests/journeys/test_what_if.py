"""A finished session is run on otherwise from one of its events."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground

TALL = {"viewport": {"width": 1440, "height": 2400}}


def log_of(app: App, session: str) -> list[tuple[object, ...]]:
    """A session's stored log, byte for byte."""
    query = "SELECT seq, kind, timestamp, body FROM log WHERE session = (SELECT key FROM sessions WHERE id = ?) ORDER BY seq"
    with closing(sqlite3.connect(app.database)) as db:
        return db.execute(query, (session,)).fetchall()


def session_in(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["session"][0]


@pytest.mark.parametrize("context", [TALL], indirect=True)
def test_a_loop_runs_on_otherwise_from_its_second_pass_and_the_origin_stays_as_it_was(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    view.run_button.click()
    view.expect_end("completed")
    origin = session_in(page)
    log = log_of(app, origin)
    view.event(5).click()
    expect(view.event(5)).to_have_attribute("aria-selected", "true")
    expect(view.event(5)).to_contain_text("CriticAgent")
    page.keyboard.press("f")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("After event 5: CriticAgent, pass 2 of RefinementLoop")
    dialog.get_by_text("An instruction").click()
    dialog.get_by_role("combobox", name="Agent").click()
    page.get_by_role("option", name="RefinerAgent").click()
    text = dialog.get_by_role("textbox", name="Instruction of RefinerAgent")
    expect(text).to_have_value(re.compile(re.escape("{criticism}")))
    text.fill(text.input_value().replace("{criticism}", "No major issues found."))
    dialog.get_by_role("button", name="▶ Run", exact=True).click()
    expect(page).not_to_have_url(re.compile(origin))
    expect(dialog).not_to_be_attached()
    view.expect_end("completed")
    expect(view.event(6)).to_contain_text("exit_loop")
    expect(page.get_by_text("after event 5, with instruction of RefinerAgent")).to_be_visible()
    page.get_by_role("button", name="Open the origin").click()
    expect(page).to_have_url(re.compile(origin))
    expect(view.event(5)).to_have_attribute("aria-selected", "true")
    assert log_of(app, origin) == log
