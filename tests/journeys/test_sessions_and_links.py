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
TALL = {"viewport": {"width": 1280, "height": 4000}}


def test_a_session_is_renamed_deleted_and_brought_back(app: App, page: Page):
    view = Playground(page).open(app.url)
    view.run_button.click()
    view.expect_end("completed")
    page.get_by_role("button", name="⋯").click()
    title = page.get_by_role("textbox", name="Title")
    title.fill("My first story")
    title.press("Enter")
    renamed = view.session("My first story")
    expect(renamed.get_by_role("link").first).to_have_attribute("aria-current", "true")
    if not page.get_by_role("button", name="Delete session").is_visible():
        page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Delete session").click()
    page.get_by_role("button", name="Delete it").click()
    expect(renamed).not_to_be_attached()
    page.get_by_role("button", name="Undo").click()
    expect(renamed.get_by_role("link").first).to_have_attribute("aria-current", "true")
    view.expect_end("completed")


def test_a_new_session_begins_empty_and_the_old_one_is_a_click_away(app: App, page: Page):
    view = Playground(page).open(app.url)
    view.say("an old story")
    view.expect_end("completed")
    page.get_by_role("button", name="New session").click()
    expect(page).not_to_have_url(re.compile("session="))
    expect(view.run_button).to_be_visible()
    view.session("an old story").click()
    expect(page).to_have_url(re.compile("session="))
    view.expect_end("completed")


def test_links_to_what_is_not_there_say_what_to_do(app: App, page: Page):
    page.goto(f"{app.url}/?pipeline=no_such_thing")
    expect(page.get_by_text("There is no pipeline named")).to_be_visible()
    page.goto(f"{app.url}/?pipeline=iterative_writing&session=no-such-session")
    expect(page.get_by_text(re.compile("is not here"))).to_be_visible()
    page.get_by_role("button", name="Start a new session").click()
    expect(Playground(page).run_button).to_be_enabled()


def test_a_message_that_is_too_long_is_refused_and_kept(app: App, page: Page):
    view = Playground(page).open(app.url)
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
def test_nothing_overflows_and_no_theme_breaks(app: App, page: Page):
    view = Playground(page).open(app.url)
    view.run_button.click()
    expect(page).to_have_url(re.compile("session="))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


class Sent:
    """What a page sends to the server: requests, and frames over sockets."""

    def __init__(self, page: Page) -> None:
        self.frames: list[str | bytes] = []
        self.requests: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("websocket", lambda socket: socket.on("framesent", self._frame))

    def _frame(self, frame: str | bytes) -> None:
        self.frames.append(frame)


@pytest.mark.parametrize("context", [TALL], indirect=True)
def test_what_is_looked_at_is_in_the_address_and_no_news_to_the_server(app: App, page: Page):
    sent = Sent(page)
    view = Playground(page).open(app.url)
    view.run_button.click()
    view.expect_end("completed")
    expect(view.again_button).to_be_enabled()
    page.wait_for_load_state("networkidle")
    before = (len(sent.requests), len(sent.frames))
    assert before[1], "the frames of the run are counted"
    for number in (1, 3, 2):
        view.event(number).click()
        expect(view.event(number)).to_have_attribute("aria-selected", "true")
    for name in ("Timeline", "JSON"):
        view.open_tab(name)
    number = view.event(2).locator(".number").inner_text()
    expect(page).to_have_url(re.compile(rf"[?&]at={number}&tab=json$"))
    assert (len(sent.requests), len(sent.frames)) == before

    link = page.url
    page.reload()
    other = Playground(page.context.new_page())
    other.page.goto(link)
    for shown in (view, other):
        expect(shown.event(2)).to_have_attribute("aria-selected", "true")
        expect(shown.inspector.get_by_role("tab", name="JSON")).to_have_attribute("aria-selected", "true")
        assert shown.page.url == link


@pytest.mark.parametrize("context", [TALL], indirect=True)
def test_a_fold_and_an_agent_are_in_the_address_and_no_news_to_the_server(app: App, page: Page):
    sent = Sent(page)
    view = Playground(page).open(f"{app.url}/?pipeline=report_writer")
    view.run_button.click()
    view.expect_end("completed")
    expect(view.again_button).to_be_enabled()
    page.wait_for_load_state("networkidle")
    before = (len(sent.requests), len(sent.frames))
    blocks, folded = (view.events.get_by_role("button", name="as a tool", expanded=state) for state in (True, False))
    blocks.last.click()
    expect(folded).to_have_count(1)
    agent = view.graph.get_by_role("button").nth(1)
    agent.click()
    expect(agent).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile(r"[?&]folds=\d+&agent=\w+$"))
    assert (len(sent.requests), len(sent.frames)) == before

    link, rows = page.url, view.shown_events()
    page.reload()
    other = Playground(page.context.new_page())
    other.page.goto(link)
    for shown in (view, other):
        expect(shown.graph.get_by_role("button").nth(1)).to_have_attribute("aria-pressed", "true")
        expect(shown.status).to_contain_text(re.compile("completed", re.IGNORECASE))
        assert (shown.page.url, shown.shown_events()) == (link, rows)
        shown.page.get_by_role("button", name="Show all", exact=True).click()
        expect(shown.events.get_by_role("button", name="as a tool", expanded=False)).to_have_count(1)
        expect(shown.page).not_to_have_url(re.compile("agent="))


@pytest.mark.parametrize("context", [TALL], indirect=True)
@pytest.mark.parametrize(
    "part",
    [
        f"&folds={'1.' * 2000}1",
        "&folds=0-999999",
        "&folds=%3Cimg%20src%3Dx%3E&agent=%3Cimg%20src%3Dx%3E",
        "&agent=" + "a" * 4000,
    ],
)
def test_a_hostile_link_does_no_harm(app: App, page: Page, part: str):
    view = Playground(page).open(app.url)
    view.run_button.click()
    view.expect_end("completed")
    page.goto(f"{page.url}{part}")
    view.expect_end("completed")
    page.keyboard.press("Escape")
    expect(view.event(1)).to_be_visible()
    expect(page).not_to_have_url(re.compile("agent=|folds="))


@pytest.mark.parametrize("context", [TALL], indirect=True)
def test_what_is_looked_at_stays_when_the_script_writes_the_address(app: App, page: Page):
    view = Playground(page).open(app.url)
    view.run_button.click()
    view.expect_end("completed")
    view.event(2).click()
    view.open_tab("JSON")
    expect(page).to_have_url(re.compile(r"[?&]at=\d.*tab=json"))
    looked_at, session = page.url, re.compile("session=")
    page.get_by_role("button", name="New session").click()
    expect(page).not_to_have_url(session)
    expect(page).to_have_url(re.compile("tab=json"))
    page.go_back()
    expect(page).to_have_url(looked_at)
    expect(view.event(2)).to_have_attribute("aria-selected", "true")
    page.get_by_role("link", name="Settings").click()
    expect(page).to_have_url(re.compile("/settings"))
    page.get_by_role("link", name="Playground").click()
    expect(view.event(2)).to_have_attribute("aria-selected", "true")
    expect(page).to_have_url(re.compile(r"[?&]at=\d.*tab=json"))
