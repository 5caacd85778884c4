"""The session list, links that lead nowhere, bad input, a person's own pipelines."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from agents.config import MAX_MESSAGE_BYTES
from tests.journeys.app import App
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]
NARROW = {"viewport": {"width": 390, "height": 844}}
DARK = {"color_scheme": "dark"}


def test_a_session_is_renamed_deleted_and_brought_back(start_app: StartApp, page: Page):
    view = Playground(page).open(start_app().url)
    view.run_button.click()
    view.expect_end("completed")
    page.get_by_role("button", name="⋯").click()
    title = page.get_by_role("textbox", name="Title")
    title.fill("My first story")
    title.press("Enter")
    renamed = page.get_by_role("radio", name=re.compile("My first story"))
    expect(renamed).to_be_checked()
    if not page.get_by_role("button", name="Delete session").is_visible():
        page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Delete session").click()
    page.get_by_role("button", name="Delete it").click()
    expect(renamed).not_to_be_attached()
    page.get_by_role("button", name="Undo").click()
    expect(renamed).to_be_checked()
    view.expect_end("completed")


def test_a_new_session_begins_empty_and_the_old_one_is_a_click_away(start_app: StartApp, page: Page):
    view = Playground(page).open(start_app().url)
    view.run_button.click()
    view.expect_end("completed")
    page.get_by_role("button", name="New session").click()
    expect(page).not_to_have_url(re.compile("session="))
    expect(view.run_button).to_be_visible()
    page.get_by_test_id("stRadioOption").filter(has_text="a lighthouse keeper").click()
    expect(page).to_have_url(re.compile("session="))
    view.expect_end("completed")


def test_links_to_what_is_not_there_say_what_to_do(start_app: StartApp, page: Page):
    app = start_app()
    page.goto(f"{app.url}/?pipeline=no_such_thing")
    expect(page.get_by_text("There is no pipeline named")).to_be_visible()
    page.goto(f"{app.url}/?pipeline=iterative_writing&session=no-such-session")
    expect(page.get_by_text(re.compile("is not here"))).to_be_visible()
    page.get_by_role("button", name="Start a new session").click()
    expect(Playground(page).run_button).to_be_enabled()


def test_a_message_that_is_too_long_is_refused_and_kept(start_app: StartApp, page: Page):
    view = Playground(page).open(start_app().url)
    view.say("word " * (100 * 1024 // 5))
    expect(page.get_by_role("alert")).to_contain_text(re.compile(f"{MAX_MESSAGE_BYTES // 1024}|{MAX_MESSAGE_BYTES:,}"))
    expect(view.input).to_have_value(re.compile("^word word"))


def test_own_pipelines_run_and_a_broken_one_shows_its_traceback(start_app: StartApp, page: Page, tmp_path: Path):
    own = tmp_path / "mine"
    (own / "greeter").mkdir(parents=True)
    (own / "greeter" / "agent.py").write_text(
        "from agents import LlmAgent\nroot_agent = LlmAgent(name='Greeter', instruction='Greet the person.')\n"
    )
    (own / "broken").mkdir()
    (own / "broken" / "agent.py").write_text("raise RuntimeError('the oven is cold')\n")
    view = Playground(page).open(f"{start_app(agents=own).url}/?pipeline=greeter")
    page.get_by_text("1 pipeline not loaded").click()
    expect(page.get_by_text("the oven is cold").first).to_be_visible()
    view.say("hello")
    view.expect_end("completed")


@pytest.mark.parametrize("context", [NARROW, NARROW | DARK, DARK], indirect=True, ids=["narrow", "narrow-dark", "dark"])
def test_nothing_overflows_and_no_theme_breaks(start_app: StartApp, page: Page):
    view = Playground(page).open(start_app().url)
    view.run_button.click()
    expect(page).to_have_url(re.compile("session="))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
