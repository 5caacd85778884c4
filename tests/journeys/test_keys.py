"""A server that other machines can reach, with a key in its environment: visitors cannot send the key anywhere else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground
from tests.journeys.settings_page import Settings
from tests.standins import gemini
from tests.standins.gemini import GeminiStandIn

KEY = "AIza-in-the-environment-of-a-journey"
MODEL = "gemini-flash-latest"


@pytest.fixture
def own() -> Iterator[GeminiStandIn]:
    """The server that the environment's key is for."""
    with GeminiStandIn() as server:
        server.always(gemini.says("No major issues found."))
        yield server


@pytest.fixture
def stranger() -> Iterator[GeminiStandIn]:
    """Any other server."""
    with GeminiStandIn() as server:
        server.always(gemini.says("No major issues found."))
        yield server


def test_a_key_goes_to_another_server_only_when_its_owner_says_so(
    start_app: Callable[..., App], page: Page, own: GeminiStandIn, stranger: GeminiStandIn
):
    app = start_app(host="0.0.0.0", variables={"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": own.url})
    elsewhere = app.url.replace("127.0.0.1", "127.0.0.2")  # as a visitor reaches it

    view = Playground(page).open(f"{elsewhere}?pipeline=iterative_writing&model={MODEL}")
    view.say("the harbour")
    view.expect_end("completed")
    assert {request.headers["x-goog-api-key"] for request in own.received if request.method == "POST"} == {KEY}

    Settings(page).open()
    card = Settings(page).provider("gemini")
    expect(page.get_by_text("open to the network")).to_be_visible()
    expect(card).to_have_count(0)
    field = page.get_by_label("Token")
    field.fill("a guess")
    field.press("Enter")
    expect(page.get_by_text("not the token that was printed")).to_be_visible()

    token = re.search(r"/owner\?token=(\S+)", app.printed_with("/owner?token="))
    assert token is not None
    page.goto(f"{elsewhere}/owner?token={token[1]}")
    expect(page).to_have_url(f"{elsewhere}/settings")
    page.reload()
    url = card.get_by_role("textbox", name="Another server than Google's")
    url.fill(stranger.url)
    url.press("Enter")
    expect(card.get_by_text("It is not sent to")).to_be_visible()
    expect(Settings(page).test("gemini")).to_contain_text("is not sent to")
    assert stranger.received == []

    card.get_by_role("button", name=re.compile(r"^Send the key to http")).click()
    expect(card.get_by_text("It is not sent to")).to_have_count(0)
    expect(Settings(page).test("gemini")).to_contain_text("OK in")
    assert {request.headers["x-goog-api-key"] for request in stranger.received} == {KEY}
