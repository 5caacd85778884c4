"""A stranger runs a pipeline and watches it."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.journeys.app import SLOW, App
from tests.journeys.log_reader import events, text_of
from tests.journeys.playground_page import DRAWN, Playground

StartApp = Callable[..., App]
TALL = {"viewport": {"width": 1280, "height": 3000}}


def session_in(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["session"][0]


def test_one_click_runs_a_pipeline_to_its_end(app: App, page: Page):
    view = Playground(page).open(app.url)
    expect(page.get_by_text("simulated", exact=True).first).to_be_visible()
    view.run_button.click()
    view.expect_end("completed")
    expect(page).to_have_url(re.compile("pipeline=iterative_writing&session="))
    stored = events(app.database, session_in(page))
    assert stored[0]["author"] == "user"
    assert {event["author"] for event in stored} == {"user", "InitialWriterAgent", "CriticAgent", "RefinerAgent"}
    expect(view.event(len(stored))).to_be_visible()


@pytest.mark.parametrize("context", [TALL], indirect=True)
def test_events_come_one_by_one_with_the_agent_at_work_lit(start_app: StartApp, page: Page):
    view = Playground(page).open(start_app(words_per_second=SLOW).url)
    view.say("the last train home")
    for number, agent in enumerate(["InitialWriterAgent", "CriticAgent"], start=2):
        expect(view.events.get_by_role("row", name=f"{agent} is writing")).to_be_visible()
        expect(view.graph.locator("button.node.active", has_text=agent)).to_be_visible()
        expect(view.event(number)).not_to_be_attached()
        expect(view.event(number)).to_be_visible()
        expect(view.event(number)).to_have_attribute("aria-label", re.compile(rf"^Event {number}, {agent}"))
    view.stop_button.click()
    view.expect_end("stopped")
    expect(view.graph.locator("button.node.active")).to_have_count(0)


@pytest.mark.parametrize("context", [TALL], indirect=True)
def test_refresh_and_a_second_tab_in_mid_run_lose_and_double_nothing(
    start_app: StartApp, page: Page, context: BrowserContext
):
    app = start_app(words_per_second=60)
    view = Playground(page).open(app.url)
    view.say("a robot who learns to paint")
    expect(view.event(2)).to_be_visible()
    page.reload()
    second = Playground(context.new_page()).open(page.url)
    view.expect_end("completed")
    second.expect_end("completed")
    stored = events(app.database, session_in(page))
    expect(view.event(len(stored))).to_be_visible()
    expect(second.event(len(stored))).to_be_visible()
    numbers = [int(re.findall(r"^Event (\d+)", name)[0]) for name in view.shown_events()]
    assert numbers == list(range(1, len(stored) + 1))
    assert second.shown_events() == view.shown_events()
    for number, event in enumerate(stored, start=1):
        expect(view.event(number)).to_contain_text(event["author"])
        expect(view.event(number)).to_contain_text(text_of(event)[:200])


def test_state_panel_follows_the_selected_event(app: App, page: Page):
    view = Playground(page).open(app.url)
    view.run_button.click()
    view.expect_end("completed")
    view.events.focus()
    page.keyboard.press("Home")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile(r"[?&]at=\d"))
    expect(view.inspector).to_contain_text("initial_topic")
    expect(view.inspector).to_contain_text("a lighthouse keeper")
    page.keyboard.press("End")
    expect(view.inspector).to_contain_text("criticism")
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile(r"[?&]at="))
    expect(view.inspector).to_contain_text("State at the end")


def test_a_link_to_an_event_shows_it_selected(app: App, page: Page, context: BrowserContext):
    view = Playground(page).open(app.url)
    view.run_button.click()
    view.expect_end("completed")
    seq = events(app.database, session_in(page))[1]["seq"]
    other = Playground(context.new_page()).open(f"{page.url}&event={seq}&tab=JSON".replace("tab=JSON", "tab=json"))
    expect(other.event(2)).to_have_attribute("aria-selected", "true")
    expect(other.inspector.get_by_role("tab", name="JSON")).to_have_attribute("aria-selected", "true")
    expect(other.inspector).to_contain_text("InitialWriterAgent")


def test_slash_focuses_the_input_and_enter_runs_what_is_typed(app: App, page: Page):
    view = Playground(page).open(app.url)
    expect(view.input).to_be_editable()  # it comes a moment after the graph
    view.graph.get_by_role("button").first.focus()
    page.keyboard.press("/")
    expect(view.input).to_be_focused()
    page.keyboard.type("ein Zug ohne Fahrer 🚆")
    page.keyboard.press("Enter")
    view.expect_end("completed")
    assert text_of(events(app.database, session_in(page))[0]) == "ein Zug ohne Fahrer 🚆"


def test_a_sample_is_sent_to_the_session_and_the_list_of_samples_closes(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=help_desk")
    view.run_button.click()
    view.expect_end("completed")
    expect(page.locator(DRAWN)).to_be_attached()  # the page is drawn again at the end of a run
    page.get_by_role("button", name="Samples").click()
    sample = page.get_by_test_id("stPopoverBody").get_by_role("button").last
    sample.click()
    expect(view.events.get_by_role("row", name=re.compile(r"^Event \d+, user. Hello, who can help me"))).to_be_visible()
    expect(sample).to_be_hidden()
    expect(page.get_by_role("button", name="Samples")).to_be_enabled()


def test_painted_bananas_are_pictures_in_the_stream(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=banana_painter")
    view.run_button.click()
    view.expect_end("completed")
    picture = view.events.get_by_role("img").last
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 50")


def test_status_poller_ends_by_its_checker(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=status_poller")
    view.run_button.click()
    view.expect_end("completed")
    assert events(app.database, session_in(page))[-1]["actions"]["escalate"] is True


def test_markup_in_a_message_stays_text(app: App, page: Page):
    attack = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script> **bold** [l](http://x)"
    view = Playground(page).open(app.url)
    view.say(attack)
    view.expect_end("completed")
    view.events.focus()
    page.keyboard.press("Home")
    expect(view.event(1)).to_contain_text(attack)
    assert page.title() != "owned"


def test_the_end_of_a_run_is_drawn_though_the_browser_confirms_an_address_in_the_same_moment(app: App, page: Page):
    """Streamlit's page sends what is triggered within a timer of 0 ms as one request: here it lasts long enough for both."""
    page.add_init_script(
        "const real = setTimeout; window.setTimeout = (call, delay, ...more) => real(call, delay ? delay : 700, ...more)"
    )
    sent: list[bytes] = []
    page.on(
        "websocket",
        lambda socket: socket.on(
            "framesent", lambda frame: sent.append(bytes(frame, "utf-8", "replace") if isinstance(frame, str) else frame)
        ),
    )
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    view.run_button.click()
    view.expect_end("completed")
    expect(view.again_button).to_be_visible()
    assert any(b"run_changed" in one and b"heard" in one for one in sent), "both came in one request"


def test_run_is_marked_as_pressed_before_the_server_has_heard_of_it(app: App, page: Page):
    view = Playground(page).open(app.url)
    expect(view.run_button).to_be_enabled()
    busy = view.run_button.evaluate("button => { button.click(); return button.ariaBusy; }")
    assert busy == "true"
    view.expect_end("completed")
    expect(view.again_button).to_be_visible()
    expect(view.again_button).not_to_have_attribute("aria-busy", "true")
