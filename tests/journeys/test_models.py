"""A person connects a real model: a key, a run that streams, a server that fails, a key that must be nowhere."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.journeys.app import App
from tests.journeys.log_reader import entries, events
from tests.journeys.playground_page import Playground
from tests.journeys.settings_page import Settings
from tests.standins import gemini
from tests.standins.gemini import GeminiStandIn

KEY = "AIzaSy-a-key-of-a-journey-0123456789"
MODEL = "gemini-flash-latest"

StartApp = Callable[..., App]


@pytest.fixture
def server() -> Iterator[GeminiStandIn]:
    with GeminiStandIn() as server:
        server.key = KEY
        yield server


@pytest.fixture
def app(start_app: StartApp, server: GeminiStandIn) -> App:
    """An app that has no key, and whose Gemini is the stand-in."""
    return start_app(variables={"GOOGLE_GEMINI_BASE_URL": server.url})


def session_in(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["session"][0]


def choose(page: Page, label: str, option: str) -> None:
    """Picks an option as a person does who types."""
    box = page.get_by_role("combobox", name=label)
    box.click()
    page.get_by_role("option", name=option, exact=True).click()
    expect(page.get_by_role("option", name=option, exact=True)).to_have_count(0)


def test_a_session_goes_from_the_simulated_model_to_gemini_and_tokens_stream(app: App, page: Page, server: GeminiStandIn):
    view = Playground(page).open(app.url)
    view.run_button.click()
    view.expect_end("completed")
    simulated = len(events(app.database, session_in(page)))

    settings = Settings(page).open()
    expect(settings.provider("gemini")).to_contain_text("key missing")
    settings.type_key("gemini", KEY)
    server.will(gemini.says("ready"))
    expect(settings.test("gemini")).to_contain_text("OK in")
    settings.back_to_playground()
    expect(view.event(simulated)).to_be_visible()
    choose(page, "Model", MODEL)
    expect(page.get_by_text("simulated", exact=True).and_(page.locator("[data-testid=stBadge]"))).to_have_count(0)

    server.always(gemini.says("No major issues found."))
    server.will(gemini.drips("The lamp ", "turned ", "slowly."))
    view.say("a lighthouse at night")
    writing = view.event(simulated + 2).or_(view.events.get_by_role("row", name="is writing"))
    for step, shown in enumerate(["The lamp", "The lamp turned", "The lamp turned slowly."], start=1):
        server.release(1)
        expect(writing.first, f"after {step} pieces").to_contain_text(shown)
    expect(view.stop_button).to_be_visible()
    server.release()
    view.expect_end("completed")

    stored = events(app.database, session_in(page))
    assert stored[simulated + 1]["content"]["parts"] == [{"text": "The lamp turned slowly."}]
    assert "simulated" not in stored[simulated + 1].get("custom_metadata", {})
    asked = [request for request in server.received if request.method == "POST"]
    assert {request.headers["x-goog-api-key"] for request in asked} == {KEY}
    assert not any(KEY in request.query for request in asked)


def test_an_overloaded_model_is_tried_again_and_then_another_one_answers(app: App, page: Page, server: GeminiStandIn):
    view = Playground(page).open(app.url)
    Settings(page).open().type_key("gemini", KEY)
    page.goto(f"{app.url}?pipeline=routed_llm&model={MODEL}")
    server.always(gemini.overloaded())
    view.say("Roll 3d6")
    expect(view.events).to_contain_text(re.compile("503.*Try 2", re.DOTALL))
    view.expect_end("completed")
    noted = entries(app.database, session_in(page))
    assert [record["attempt"] for record in noted if record["kind"] == "model_retry"] == [1, 2, 3]
    decided = [(record["key"], record["failed"]) for record in noted if record["kind"] == "route_decided"]
    assert decided == [("simulated-quick", []), ("careful", []), ("simulated-quick", ["careful"])]
    assert len([request for request in server.received if request.method == "POST"]) == 4
    expect(view.events).to_contain_text("simulated")


def test_stop_closes_the_connection(app: App, page: Page, server: GeminiStandIn):
    view = Playground(page).open(app.url)
    Settings(page).open().type_key("gemini", KEY)
    page.goto(f"{app.url}?pipeline=iterative_writing&model={MODEL}")
    server.will(gemini.pauses("Once upon "))
    view.say("the sea")
    expect(view.events).to_contain_text("Once upon")
    view.stop_button.click()
    view.expect_end("stopped")
    assert server.disconnected.wait(10)
    assert len([request for request in server.received if request.method == "POST"]) == 1


def test_a_wrong_key_says_so_and_leads_to_the_settings(app: App, page: Page, server: GeminiStandIn):
    view = Playground(page).open(f"{app.url}?model={MODEL}")
    expect(page.get_by_text("Gemini answers with a key of your own")).to_be_visible()
    expect(view.run_button).to_be_disabled()
    page.get_by_test_id("stMain").get_by_role("link", name=re.compile("Settings")).click()
    settings = Settings(page)
    settings.type_key("gemini", "wrong-key-of-a-journey")
    expect(settings.test("gemini")).to_contain_text("did not accept the API key")
    settings.back_to_playground()
    view.run_button.click()
    view.expect_end("failed")
    expect(view.events).to_contain_text("did not accept the API key")
    assert "wrong-key-of-a-journey" not in page.content()
    view.events.get_by_role("link", name=re.compile("Settings")).first.click()
    expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
    Settings(page).type_key("gemini", KEY)
    Settings(page).back_to_playground()
    server.always(gemini.says("No major issues found."))
    view.again_button.click()
    view.expect_end("completed")


def test_a_key_that_was_used_is_nowhere(app: App, page: Page, context: BrowserContext, server: GeminiStandIn):
    view = Playground(page).open(app.url)
    settings = Settings(page).open()
    settings.type_key("gemini", KEY)
    server.will(gemini.says("ready"), gemini.fails(400, "INVALID_ARGUMENT", f"Bad request with key {KEY}."))
    expect(settings.test("gemini")).to_contain_text("OK in")
    pages = [page.content(), page.url]
    page.goto(f"{app.url}?model={MODEL}")
    view.say("a run that fails, whose server repeats the key")
    view.expect_end("failed")
    pages += [page.content(), page.url]
    server.always(gemini.says("No major issues found."))
    view.say("a run that works")
    view.expect_end("completed")
    pages += [page.content(), page.url]
    for place in ("gallery", "playbook", "settings"):
        page.goto(f"{app.url}/{place}")
        expect(page.get_by_test_id("stMainBlockContainer")).to_be_visible()
        pages += [page.content(), page.url]
    kept = page.evaluate("JSON.stringify([localStorage, sessionStorage])") + str(context.cookies())
    exported = [
        subprocess.run(
            [sys.executable, "-m", "ui.cli", *command, "--db", str(app.database)], capture_output=True, text=True, check=True
        ).stdout
        for command in (["sessions", "--json"], ["models", "--json"])
    ]
    app.stop()

    assert any(KEY in request.headers.get("x-goog-api-key", "") for request in server.received), "the key was used"
    assert not any(KEY in text for text in [*pages, kept, *exported, app.printed])
    files = [path for path in app.database.parent.rglob("*") if path.is_file()]
    assert app.database in files
    assert [path.name for path in files if KEY.encode() in path.read_bytes()] == []


def test_one_agent_has_a_model_of_its_own(app: App, page: Page, server: GeminiStandIn):
    view = Playground(page).open(app.url)
    Settings(page).open().type_key("gemini", KEY)
    Settings(page).back_to_playground()
    page.get_by_role("button", name="Setup").click()
    page.get_by_role("tab", name="Models").click()
    choose(page, "Model of CriticAgent", MODEL)
    page.keyboard.press("Escape")
    expect(
        page.locator(".st-key-header").get_by_text("1 agent")
    ).to_be_visible()  # the page knows: a message sent now goes by it
    server.always(gemini.says("No major issues found."))
    view.say("the tide")
    view.expect_end("completed")
    stored = events(app.database, session_in(page))
    marked = {event["author"]: bool(event.get("custom_metadata", {}).get("simulated")) for event in stored[1:]}
    assert marked["InitialWriterAgent"]
    assert not marked["CriticAgent"]
    expect(view.event(2)).to_contain_text("simulated")
    expect(view.event(3)).not_to_contain_text("simulated")
    view.open_tab("Usage")
    expect(view.inspector).to_contain_text("gemini-stand-in")


def test_the_panel_of_setup_is_drawn_when_it_is_opened_and_stays_open_while_faults_are_added(app: App, page: Page):
    Playground(page).open(app.url)
    expect(page.locator(".st-key-setup_panel")).to_have_count(0)
    page.get_by_role("button", name="Setup").press("Enter")
    page.get_by_role("tab", name="Faults").click()
    page.get_by_role("button", name="Add this fault").click()
    expect(page.locator(".st-key-header").get_by_text("1 fault")).to_be_visible()
    expect(page.locator(".st-key-setup_panel").get_by_role("button", name="✕")).to_be_visible()
    page.get_by_role("spinbutton", name="At its model call").fill("3")
    page.get_by_role("button", name="Add this fault").click()
    expect(page.locator(".st-key-header").get_by_text("2 faults")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Add this fault")).to_be_hidden()
    page.get_by_role("button", name="Setup").press("Enter")
    page.get_by_role("tab", name="Faults").click()
    expect(page.get_by_role("spinbutton", name="At its model call")).to_have_value("3")


def test_a_recorded_session_answers_in_place_of_a_model(app: App, page: Page, server: GeminiStandIn):
    page.set_viewport_size({"width": 1280, "height": 1800})  # all events are in sight
    view = Playground(page).open(app.url)
    Settings(page).open().type_key("gemini", KEY)
    page.goto(f"{app.url}?pipeline=iterative_writing&model={MODEL}")
    server.will(gemini.says("A recorded draft."))
    server.always(gemini.says("No major issues found."))
    view.say("the harbour")
    view.expect_end("completed")
    asked = len(server.received)
    first = session_in(page)

    page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Replay this session").click()
    expect(page).not_to_have_url(re.compile(f"session={first}"))
    page.get_by_role("button", name=re.compile("the harbour")).first.click()
    view.expect_end("completed")
    expect(view.event(2)).to_contain_text("A recorded draft.")
    assert session_in(page) != first
    expect(page.get_by_text("replayed").first).to_be_visible()
    assert len(server.received) == asked
    assert not [record for record in entries(app.database, session_in(page)) if record["kind"] == "replay_drifted"]
