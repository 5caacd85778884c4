"""Patterns as a class sees them: routes taken, settings changed, a person asked, things broken on purpose."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.app import App
from tests.journeys.log_reader import events, text_of
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]
TALL = {"viewport": {"width": 1280, "height": 4000}}
PAYMENT = "Pay 250 euros to the boat builder for a new mast"

pytestmark = pytest.mark.parametrize("context", [TALL], indirect=True)


def session_in(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["session"][0]


def calls_of(app: App, page: Page) -> list[str]:
    """Names of all tools that were called in the session on the page, in order."""
    parts = [part for event in events(app.database, session_in(page)) for part in event.get("content", {}).get("parts", [])]
    return [part["function_call"]["name"] for part in parts if "function_call" in part]


def row(view: Playground, text: str | re.Pattern[str]) -> Locator:
    return view.events.get_by_role("row").filter(has_text=text).first


def break_it(page: Page, app: App, pipeline: str, title: str) -> Playground:
    """Presses Break it in the Gallery, at the break of that title."""
    page.goto(f"{app.url}/gallery?pipeline={pipeline}")
    block = (
        page.locator("[class*='st-key-break_']")
        .filter(has_text=title)
        .filter(has=page.get_by_role("button", name="⚡ Break it"))
    )
    block.last.get_by_role("button", name="⚡ Break it").click()
    expect(page).to_have_url(re.compile(rf"pipeline={pipeline}.*session="))
    return Playground(page)


# -- routing


def test_a_fallback_is_seen_happening(app: App, page: Page):
    view = break_it(page, app, "routed_fallback", "The primary fails before its first word")
    view.expect_end("completed")
    expect(row(view, "Clerk:fail_before:1")).to_be_visible()
    expect(row(view, re.compile("chose fallback.*after primary failed"))).to_be_visible()
    expect(view.graph.get_by_role("button", name=re.compile("StandIn"))).to_be_visible()
    authors = [event["author"] for event in events(app.database, session_in(page))]
    assert set(authors) == {"user", "StandIn"}


def test_a_failure_after_the_first_word_is_shown_and_not_retried(app: App, page: Page):
    view = break_it(page, app, "routed_fallback", "The primary fails in the middle of a word")
    view.expect_end("failed")
    assert "StandIn" not in {event["author"] for event in events(app.database, session_in(page))}


def test_the_planning_switch_decides_which_tools_are_called(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=planning_mode")
    switch = page.get_by_role("switch").or_(page.get_by_test_id("stCheckbox")).first
    switch.click()
    view.say("Add honey to the shopping list")
    view.expect_end("completed")
    planned = calls_of(app, page)
    assert "write_file" not in planned
    assert "read_file" in planned
    switch.click()
    expect(row(view, re.compile("planning", re.IGNORECASE))).to_be_visible()
    view.say("Go ahead")
    expect(row(view, "write_file")).to_be_visible()
    view.expect_end("completed")
    assert "write_file" in calls_of(app, page)[len(planned) :]


def test_a_message_at_the_same_moment_as_the_switch_runs_with_it(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=planning_mode")
    expect(page.get_by_role("switch", name="Planning mode")).to_be_attached()
    view.input.fill("Add honey to the shopping list")
    view.input.evaluate("""(input) => {
        document.querySelector("[role=switch]").click();
        input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", keyCode: 13, bubbles: true }));
    }""")
    view.expect_end("completed")
    assert calls_of(app, page) == ["list_files", "read_file"]


# -- a person in the loop


def test_an_approval_outlives_the_server_and_the_rest_of_the_workflow_runs(start_app: StartApp, page: Page, watch):
    watch.expects_cut = True
    app = start_app()
    view = Playground(page).open(f"{app.url}/?pipeline=approval")
    view.say(PAYMENT)
    card = page.get_by_role("region", name="Approve send_payment?")
    expect(card).to_be_visible()
    view.expect_end("Waiting for you")
    before = len(events(app.database, session_in(page)))
    app.kill()
    app.start(app.port)
    page.goto(app.url)
    page.get_by_role("link", name=re.compile("send_payment")).click()
    expect(card).to_contain_text("boat builder")
    card.get_by_role("button", name="Approve", exact=True).press("Enter")
    view.expect_end("completed")
    after = events(app.database, session_in(page))[before:]
    assert [event["author"] for event in after][-1] == "ReceiptAgent"
    assert {event["invocation_id"] for event in after} == {events(app.database, session_in(page))[0]["invocation_id"]}
    expect(page.get_by_role("region", name="Approved send_payment")).to_contain_text("Approved by")
    expect(page.get_by_text("Waiting for you (1)")).to_have_count(0)


def test_a_rejection_with_a_reason_and_an_edit_both_reach_the_agents(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=approval")
    view.say(PAYMENT)
    card = page.get_by_role("region", name="Approve send_payment?")
    card.get_by_role("button", name="Reject").click()
    card.get_by_label(re.compile("Why not")).fill("the mast is fine")
    card.get_by_label(re.compile("Why not")).press("Enter")
    view.expect_end("completed")
    expect(row(view, "the mast is fine")).to_be_visible()
    view.say(PAYMENT)
    card.get_by_role("button", name="Edit arguments").click()
    card.get_by_label("amount").fill("90")
    card.get_by_role("button", name="Approve with these").click()
    view.expect_end("completed")
    responses = [
        part["function_response"]["response"]
        for event in events(app.database, session_in(page))
        for part in event.get("content", {}).get("parts", [])
        if part.get("function_response", {}).get("name") == "send_payment"
    ]
    assert "error" in responses[0]
    assert 90 in responses[1].values()


# -- broken on purpose


@pytest.mark.parametrize(
    ("pipeline", "title", "end", "seen"),
    [
        ("iterative_writing", "The refiner fails in the second pass", "failed", "RefinerAgent:fail_before:2"),
        ("tool_loop", "The model calls a tool that does not exist", "completed", "FileKeeper:unknown_tool:2"),
        ("research_fanout", "One researcher fails", "failed", "Scientist:fail_before:2"),
        ("report_writer", "A search fails, deep down", "completed", "Searcher:fail_before:1"),
    ],
)
def test_a_break_gives_what_the_lesson_says_and_is_shown_as_injected(
    app: App, page: Page, pipeline: str, title: str, end: str, seen: str
):
    view = break_it(page, app, pipeline, title)
    view.expect_end(end)
    expect(row(view, re.compile("injected", re.IGNORECASE))).to_be_visible()
    expect(page.get_by_text("1 fault", exact=False).first).to_be_visible()
    assert seen in page.url.replace("%3A", ":")


# -- learning


def test_a_pattern_is_found_read_and_run_by_keyboard_and_mouse(app: App, page: Page):
    page.goto(f"{app.url}/gallery")
    page.get_by_role("searchbox").fill("approval")
    page.keyboard.press("Enter")
    page.get_by_role("link", name=re.compile("Approval")).first.press("Enter")
    expect(page).to_have_url(re.compile("pipeline=approval"))
    expect(page.get_by_text("When not.")).to_be_visible()
    expect(page.get_by_text("All that it takes: the runtime asks the function")).to_be_visible()
    page.get_by_role("button", name="▶ Run it").click()
    expect(page.get_by_role("region", name="Approve send_payment?")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("When not.")).to_be_visible()


def test_an_agent_as_a_tool_is_nested_and_the_delegated_work_can_be_folded(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=report_writer")
    view.run_button.click()
    view.expect_end("completed")
    expect(view.graph.get_by_role("button", name=re.compile("Searcher"))).to_be_visible()
    work = view.events.get_by_role("button", name="Summariser as a tool, call 2")
    expect(work).to_have_attribute("aria-expanded", "true")
    unfolded = int(view.events.get_attribute("aria-rowcount") or 0)
    work.press("Enter")
    expect(work).to_have_attribute("aria-expanded", "false")
    expect(view.events).not_to_have_attribute("aria-rowcount", str(unfolded))
    assert int(view.events.get_attribute("aria-rowcount") or 0) < unfolded
    work.press("Enter")
    expect(view.events).to_have_attribute("aria-rowcount", str(unfolded))
    stored = events(app.database, session_in(page))
    assert any(":" in event.get("branch", "") for event in stored)
    assert text_of(stored[-1])


def test_a_specialist_keeps_the_conversation_that_was_handed_over(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=help_desk")
    view.run_button.click()
    view.expect_end("completed")
    expect(row(view, "handed over")).to_be_visible()
    first = events(app.database, session_in(page))
    specialist = first[-1]["author"]
    assert specialist != "HelpDesk"
    view.say("And is there anything else you can tell me about it?")
    expect(view.event(len(first) + 2)).to_be_visible()
    assert events(app.database, session_in(page))[len(first) + 1]["author"] == specialist
