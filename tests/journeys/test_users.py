"""Users in the browser: one is invited, joins in another one, runs, sees their own sessions alone, and is let in no more."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground
from tests.journeys.settings_page import Settings

StartApp = Callable[..., App]
HERE = {"PLAYGROUND_ALLOWED_HOSTS": "play.example.org"}
SIGN_IN = re.compile(r"/sign-in\b")


@pytest.fixture
def other(chromium: Browser) -> Iterator[BrowserContext]:
    """Another browser than the owner's: small, dark, and without scripts on its mind."""
    context = chromium.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark")
    yield context
    context.close()


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def add_user(file: Path, name: str, role: str) -> None:
    """Adds a user to a users' file."""
    command = [sys.executable, "-m", "ui.cli", "users", "add", name, "--role", role, "--users", str(file)]
    subprocess.run(command, input="correct horse\n", text=True, check=True, capture_output=True)


def test_who_is_invited_joins_runs_and_is_let_in_no_more(start_app: StartApp, page: Page, other: BrowserContext):
    app = start_app(variables=HERE)
    link = app.printed_with("/owner?token=").split()[-1]
    page.goto(link)
    expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
    owner = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    owner.run_button.click()
    owner.expect_end("completed")

    Settings(page).open()
    page.get_by_role("radio", name="Users").click()
    expect(page.get_by_text("Nobody but you has signed in yet.")).to_be_visible()
    page.get_by_label("For").fill("the new colleague")
    page.get_by_role("button", name="Make a link").click()
    code = page.locator(".st-key-users_invite code").first
    expect(code).to_contain_text("/invitation?code=")
    invited = code.inner_text().strip()
    assert invited.startswith(app.url)

    joining = other.new_page()
    joining.goto(f"{app.url}/sessions")
    expect(joining).to_have_url(SIGN_IN)
    joining.goto(invited)
    assert fits(joining)
    name = joining.get_by_label("Your name")
    expect(name).to_be_focused()
    name.fill("山田 太郎")
    name.press("Enter")
    joining.set_viewport_size({"width": 1280, "height": 720})
    own = Playground(joining).open(f"{app.url}/?pipeline=iterative_writing")
    expect(own.sessions.get_by_role("listitem")).to_have_count(0)
    own.run_button.click()
    own.expect_end("completed")
    expect(own.sessions.get_by_role("listitem")).to_have_count(1)
    expect(joining.get_by_text("山田 太郎 · user")).to_be_visible()

    Settings(page).open()
    expect(page.get_by_role("radio", name="Models")).to_be_checked()  # until then *Users* is, from before
    page.get_by_role("radio", name="Users").click()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Disable").click()
    expect(page.get_by_text("is signed out and let in no more")).to_be_visible()
    joining.get_by_role("link", name="Sessions").click()
    expect(joining).to_have_url(SIGN_IN)
    joining.goto(invited)
    joining.get_by_label("Your name").fill("again")
    joining.get_by_role("button", name="Join").click()
    expect(joining.get_by_role("alert")).to_contain_text("was used")


def test_a_page_beyond_the_limit_says_so_and_opens_once_another_one_is_closed(
    start_app: StartApp, page: Page, other: BrowserContext, tmp_path: Path
):
    limits = tmp_path / "limits.toml"
    limits.write_text("[user]\nviewers = 1\n", encoding="utf-8")
    app = start_app(variables=HERE | {"PLAYGROUND_LIMITS": str(limits)})
    page.goto(app.printed_with("/owner?token=").split()[-1])
    page.get_by_role("radio", name="Users").click()
    page.get_by_role("button", name="Make a link").click()
    first = other.new_page()
    first.goto(page.locator(".st-key-users_invite code").first.inner_text().strip())
    first.get_by_label("Your name").fill("Ann")
    first.get_by_role("button", name="Join").click()
    expect(first.get_by_test_id("stChatInputTextArea")).to_be_visible()

    second = other.new_page()
    second.goto(f"{app.url}/sessions")
    expect(second.get_by_role("alert")).to_contain_text("You have used 1 of 1 open pages")
    assert fits(second)
    first.close()
    expect(second.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()
    expect(second.get_by_role("alert")).to_have_count(0)


def test_a_run_that_waits_for_its_turn_says_so_and_its_message_outlives_stop(
    start_app: StartApp, page: Page, tmp_path: Path
):
    users, limits = tmp_path / "users.toml", tmp_path / "limits.toml"
    add_user(users, "ann", "user")
    limits.write_text("[user]\nruns = 1\n", encoding="utf-8")
    app = start_app(variables={"PLAYGROUND_USERS": str(users), "PLAYGROUND_LIMITS": str(limits)}, words_per_second=2)
    new = f"{app.url}/?pipeline=iterative_writing"
    page.goto(new)
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill("correct horse")
    page.keyboard.press("Enter")
    view = Playground(page)
    view.say("a lighthouse keeper")
    expect(view.status).to_contain_text("running")
    view.open(new)
    expect(view.sessions.get_by_role("listitem")).to_have_count(1)
    view.say("a whale that sings")
    for _ in range(2):
        expect(view.status).to_contain_text("waiting for its turn")
        expect(page.get_by_text("number 1 of 1 in the queue")).to_be_visible()
        expect(page.locator(".st-key-session_title")).to_contain_text("a whale that sings")
        expect(view.session("a whale that sings")).to_contain_text("waiting for its turn")
        page.reload()
    view.stop_button.click()
    view.expect_end("stopped")
    expect(view.event(1)).to_contain_text("a whale that sings")
    expect(page.get_by_text("number 1 of 1 in the queue")).to_be_hidden()
    view.again_button.click()
    expect(view.status).to_contain_text("waiting for its turn")


def test_a_user_of_the_file_signs_in_without_scripts_and_signs_out(start_app: StartApp, chromium: Browser, tmp_path):
    file = tmp_path / "users.toml"
    add_user(file, "ann", "author")
    app = start_app(variables={"PLAYGROUND_USERS": str(file)})
    plain = chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = plain.new_page()
    page.goto(f"{app.url}/settings?tab=api")
    expect(page).to_have_url(SIGN_IN)
    assert plain.cookies() == []
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not right")
    expect(page.get_by_label("Name")).to_have_value("ann")
    page.get_by_label("Password").fill("correct horse")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{app.url}/settings?tab=api")
    state = plain.storage_state()
    plain.close()

    context = chromium.new_context(storage_state=state, viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(f"{app.url}/settings?tab=api")
    page.get_by_label("Program", exact=True).fill("my editor")
    page.get_by_role("button", name="Make a token").click()
    expect(page.get_by_text("my editor has a token.")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(SIGN_IN)
    page.goto(app.url)
    expect(page).to_have_url(SIGN_IN)
    context.close()
