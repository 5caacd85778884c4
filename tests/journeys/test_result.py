"""The result of a run is seen at its end, on the page, the stage and the exported page; plain words lead to their terms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground
from tests.journeys.test_exported_page import download


def run(page: Page, app: App, pipeline: str, message: str, end: str = "completed") -> tuple[Playground, Locator]:
    """Runs a message; gives the view, and what is told of the outcome."""
    view = Playground(page).open(f"{app.url}/?pipeline={pipeline}")
    view.say(message)
    view.expect_end(end)
    return view, view.events.locator(".run-outcome")


@pytest.mark.parametrize(
    ("pipeline", "message", "words", "label", "text"),
    [
        (
            "iterative_writing",
            "a lighthouse keeper",
            r"^RefinementLoop ended after \d iterations: RefinerAgent called exit_loop\.$",
            r"Result.*by RefinerAgent.*current_document.*event \d+",
            "lighthouse keeper",
        ),
        (
            "status_poller",
            "a tiny cleanup",
            r"CheckStatus told it to end\.$",
            r"by PollingWorker.*last_report",
            "is done, 100 %",
        ),
        ("routed_ab", "It rains. The bridge is closed.", r"^SummaryExperiment chose A\.$", r"by BriefSummary.*summary", "."),
        ("help_desk", "Where is my order 4712?", r"^HelpDesk handed over to OrderAgent\.$", "by OrderAgent", "Order 4712"),
        ("research_fanout", "coffee", r"^.* worked in parallel\.$", r"by Synthesiser.*answer", "offee"),
        (
            "ace",
            "A shop has current assets of 120 and current liabilities of 80. What is the current ratio?\nAnswer: 1.50",
            r"^Generator answered; the playbook .* is now at revision \d+: 1 bullet added",
            "by Generator",
            "",
        ),
    ],
)
def test_a_run_ends_with_its_result(app: App, page: Page, pipeline: str, message: str, words: str, label: str, text: str):
    _, outcome = run(page, app, pipeline, message)
    expect(outcome.locator(".outcome-words")).to_have_text(re.compile(words))
    expect(outcome.locator(".outcome-label")).to_have_text(re.compile(label))
    expect(outcome.locator(".outcome-result > .text, .outcome-result > div").last).to_contain_text(text)
    expect(outcome.locator(".outcome-words")).to_be_in_viewport()


def test_a_picture_is_the_result_of_a_painter(app: App, page: Page):
    _, outcome = run(page, app, "banana_painter", "three bananas, please")
    expect(outcome.get_by_role("img", name="Picture in the state key current_image")).to_be_visible()


def test_a_rejected_payment_is_told_and_the_pause_before_it_tells_no_result(app: App, page: Page):
    view, outcome = run(page, app, "approval", "Pay 250 euros to the boat builder for a new mast", "waiting for you")
    expect(outcome).to_have_text("send_payment waits for your approval.")
    card = page.get_by_role("region", name="Approve send_payment?")
    card.get_by_role("button", name="Reject").click()
    card.get_by_label(re.compile("Why not")).press("Enter")
    view.expect_end("completed")
    expect(outcome).to_have_count(1)
    expect(outcome.locator(".outcome-words")).to_have_text(re.compile(r"^send_payment was rejected\.$"))


def test_the_result_leads_to_its_event_and_is_on_the_stage_and_in_the_exported_page(app: App, page: Page, tmp_path: Path):
    view, outcome = run(page, app, "iterative_writing", "a lighthouse keeper")
    page.keyboard.press("s")
    expect(page.locator(":root[data-stage]")).to_be_attached()
    expect(outcome.locator(".outcome-words")).to_be_in_viewport()
    expect(outcome.locator(".outcome-result")).to_be_in_viewport()
    page.keyboard.press("Escape")
    outcome.get_by_role("button", name=re.compile(r"^event \d+")).click()
    number = outcome.locator(".outcome-label").inner_text().split("event ")[1].strip()
    expect(view.event(int(number))).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    exported = download(page, "Page", tmp_path)
    alone = page.context.new_page()
    alone.goto(exported.as_uri())
    expect(alone.locator(".run-outcome .outcome-label")).to_contain_text("current_document")
    word = alone.get_by_role("button", name="ends the loop", exact=True)
    assert (word.get_attribute("title") or "").startswith("escalate: ")
    word.click()
    expect(alone.get_by_role("dialog", name="Glossary").locator("dt.chosen")).to_have_text("escalate")


def test_a_word_leads_to_the_glossary_and_every_page_opens_it(app: App, page: Page):
    view, _ = run(page, app, "iterative_writing", "a lighthouse keeper")
    view.events.get_by_role("button", name=re.compile("asks for tools")).first.click()
    glossary = page.get_by_role("dialog", name="Glossary")
    expect(glossary.locator("dt.chosen")).to_have_text("THINK")
    page.keyboard.press("Escape")
    expect(glossary).to_have_count(0)
    page.goto(f"{app.url}/lab")
    page.get_by_role("button", name="Glossary").click()
    expect(glossary.get_by_text("arm", exact=True)).to_be_visible()


def test_an_example_of_a_refusal_is_sent_with_one_key_and_an_exported_page_has_no_button(
    page: Page, app: App, tmp_path: Path
) -> None:
    view, _ = run(page, app, "routed_llm", "サイコロは好きですか")
    refusal = view.events.get_by_role("group", name="What can be sent instead")
    expect(refusal.get_by_role("button")).to_have_count(2)
    expect(refusal.get_by_role("link", name="Connect a model")).to_be_visible()

    refusal.get_by_role("button").first.press("Enter")

    expect(view.events.get_by_text("6面サイコロ").last).to_be_visible()
    exported = download(page, "Page", tmp_path)
    alone = page.context.new_page()
    alone.goto(exported.as_uri())
    expect(alone.get_by_text("シミュレーションのモデル").first).to_be_visible()
    expect(alone.get_by_role("group", name="What can be sent instead")).to_have_count(0)
