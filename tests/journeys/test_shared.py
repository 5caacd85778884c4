"""A session shared by a link: somebody without an account reads it, continues it with another link, and is refused then."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]
SIGN_IN = re.compile(r"/sign-in\b")
NOTHING = "Nothing is shared any more"


@pytest.fixture
def other(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, color_scheme="dark")
    yield context
    context.close()


@pytest.fixture
def app(start_app: StartApp, tmp_path) -> App:
    """One where everybody has to sign in."""
    file = tmp_path / "users.toml"
    command = [sys.executable, "-m", "ui.cli", "users", "add", "ann", "--users", str(file)]
    subprocess.run(command, input="correct horse\n", text=True, check=True, capture_output=True)
    return start_app(variables={"PLAYGROUND_USERS": str(file), "PLAYGROUND_ALLOWED_HOSTS": "play.example.org"})


def make_link(page: Page, role: str, *, there: str) -> str:
    """Makes a link to the open session, where the list says what is there; the address that is shown."""
    page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Share …").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text(there)).to_be_visible()
    dialog.get_by_role("radio", name=role).click()
    dialog.get_by_role("button", name="Make a link").click()
    code = dialog.locator("code").first
    expect(code).to_contain_text("/shared/")
    expect(dialog.get_by_text("not opened yet")).to_be_visible()
    made = code.inner_text().strip()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    return made


def test_a_session_is_read_then_continued_and_not_any_more(app: App, page: Page, other: BrowserContext):
    page.goto(app.printed_with("/owner?token=").split()[-1])
    expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
    owner = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    owner.run_button.click()
    owner.expect_end("completed")
    expect(page).to_have_url(re.compile(r"session="))
    read = make_link(page, "may read", there="There is no link to it.")
    assert read.startswith(f"{app.url}/shared/")

    reading = other.new_page()
    reading.goto(f"{app.url}/?pipeline=iterative_writing")
    expect(reading).to_have_url(SIGN_IN)
    reading.goto(f"{read[:-3]}xyz")
    expect(reading.get_by_role("heading", name="This link opens nothing")).to_be_visible()
    guest = Playground(reading).open(read)
    assert "/shared/" not in reading.url, "the link's text does not stay in the address"
    guest.expect_end("completed")
    expect(guest.event(11)).to_be_visible()
    expect(guest.sessions.get_by_role("listitem")).to_have_count(1)  # the one that is open
    expect(guest.again_button).to_be_disabled()
    expect(guest.input).to_be_disabled()
    expect(reading.get_by_role("link", name="Settings")).to_have_count(0)

    going_on = make_link(page, "may continue", there="opened by 1 user")
    guest.open(going_on)
    expect(guest.again_button).to_be_enabled()
    guest.say("a lighthouse in a storm")
    expect(guest.events.get_by_text("a lighthouse in a storm").first).to_be_visible()
    guest.expect_end("completed")
    expect(owner.events.get_by_text("a lighthouse in a storm").first).to_be_visible()

    revoke_all(page)
    guest.again_button.click()
    expect(reading.get_by_text(NOTHING)).to_be_visible()
    reading.goto(going_on)
    expect(reading.get_by_text("This link was revoked")).to_be_visible()

    page.get_by_role("dialog").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("dialog").get_by_text("opened by 1 user")).to_be_visible()
    guest.open(going_on)
    guest.expect_end("completed")


def revoke_all(page: Page) -> None:
    """Revokes both links; the dialog stays open."""
    page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Share …").click()
    dialog = page.get_by_role("dialog")
    for left in (1, 0):
        dialog.get_by_role("button", name="Revoke").last.click()
        expect(dialog.get_by_role("button", name="Revoke")).to_have_count(left)
    expect(dialog.get_by_text("There is no link to it.")).to_be_visible()
