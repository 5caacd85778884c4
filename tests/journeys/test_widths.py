"""Every control is in sight on any screen: tablets, projectors, wide monitors, and pages that were zoomed in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.app import SLOW, App, run_command
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]

WIDTHS = (390, 640, 720, 820, 853, 960, 1024, 1280, 1920)
"""Pixels; 853 and 640 are also what 1280 is at 150 % and 200 % zoom."""
PAGES = (
    *("/", "/gallery", "/gallery?pipeline=ace", "/playbook", "/playbook?tab=growth", "/sessions", "/lab"),
    *("/settings", "/settings?tab=prices", "/settings?tab=mcp", "/help", "/help?topic=models", "/help?words=proxy"),
)
QUESTION = "A shop has current assets of 120 € and current liabilities of 80 €. What is its current ratio?\nAnswer: 1.5"
CUT = """
() => [...document.querySelectorAll("[data-testid=stMain] :is(button, a, input, textarea)")].filter((control) => {
  const { left, right, width } = control.getBoundingClientRect();
  const scrolls = control.closest("[role=tablist], .st-key-samples, .source");
  return width > 1 && !scrolls && (left < -1 || right > innerWidth + 1) && getComputedStyle(control).visibility !== "hidden";
}).map((control) => control.innerText || control.ariaLabel || control.tagName)
"""


GAPS = """() => [...document.querySelectorAll("[class*=st-key-cards_]")]
  .filter((group) => group.getBoundingClientRect().right - group.lastElementChild.getBoundingClientRect().right > 2)"""
"""Groups of cards whose last card does not end where the group does."""
UNEVEN = """
(cards) => {
  const boxes = [...document.querySelectorAll(cards)].map((card) => card.getBoundingClientRect());
  return boxes.filter(({ top, height, width }) => boxes.some((other) =>
    Math.abs(other.top - top) < 5 && (Math.abs(other.height - height) > 1 || Math.abs(other.width - width) > 1)));
}
"""
LINES = """
(names) => names.flatMap((name) => [...name.childNodes].filter((node) => node.nodeType === 3).flatMap((word) => {
  const range = document.createRange();
  range.selectNodeContents(word);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1 ? [word.data] : [];
}))
"""
"""Words that stand on more than one line."""
STRAY = """
() => [...document.querySelectorAll(".diagram .row > div")].filter((agent) => {
  const next = agent.nextElementSibling;
  const ends = getComputedStyle(agent, "::after").content.includes("→");
  return ends && (!next || next.getBoundingClientRect().top >= agent.getBoundingClientRect().bottom);
}).map((agent) => agent.innerText)
"""
"""Agents of a diagram whose arrow to the next one ends a line."""
ROWS = """
async (inspector) => {
  const tabs = () => [...inspector.querySelectorAll("[role=tab]")].filter((tab) => tab.offsetParent);
  const tops = () => new Set(tabs().map((tab) => Math.round(tab.getBoundingClientRect().top))).size;
  for (let frame = 0; frame < 600 && tops() > 1; frame++) await new Promise(requestAnimationFrame);
  return tops();
}
"""
"""In how many rows the tabs stand, once they have been put in order for the width."""
LEFTS = """
(names) => names.flatMap((name) => {
  const below = name.parentElement.querySelector(".line");
  return below ? [{ x: below.getBoundingClientRect().left - name.getBoundingClientRect().left }] : [];
})
"""
LONG_NAMES = """
from agents import LlmAgent, LoopAgent, SequentialAgent

def look_up_the_exchange_rate_of_a_currency_pair_at_the_end_of_a_day(pair: str) -> str:
    return "1.08"

names = [
    "SummariserOfQuarterlyFinancialStatementsForRegionalSubsidiaries",
    "DonaudampfschifffahrtsgesellschaftskapitaenswitwenrentenauszahlungsstelleninhaberX",
]
agents = [
    LlmAgent(name=name, instruction="Answer.", tools=[look_up_the_exchange_rate_of_a_currency_pair_at_the_end_of_a_day])
    for name in names
]
loop = LoopAgent(name="RetryLoopThatRepeats", max_iterations=1, sub_agents=agents)
root_agent = SequentialAgent(name="QuarterlyReportCoordinator", sub_agents=[loop])
"""


def in_sight(control: Locator) -> None:
    expect(control).to_be_in_viewport(ratio=0.99)  # its edge may lie between two pixels


def at_each_width(page: Page):
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("width => innerWidth === width", arg=width)
        yield width


def test_run_and_stop_setup_and_the_session_menu_are_in_sight(start_app: StartApp, page: Page):
    view = Playground(page).open(start_app(words_per_second=SLOW).url)
    expect(view.run_button).to_be_enabled()
    for _ in at_each_width(page):
        in_sight(view.run_button)
        in_sight(page.get_by_role("button", name="Setup"))
    view.run_button.click()
    expect(view.stop_button).to_be_visible()
    for _ in at_each_width(page):
        in_sight(view.stop_button)
    view.stop_button.click()
    view.expect_end("stopped")
    for _ in at_each_width(page):
        in_sight(view.again_button)
        in_sight(page.get_by_role("button", name="⋯"))
        in_sight(page.get_by_role("button", name="Samples"))


def test_no_control_is_cut_off_on_any_page(start_app: StartApp, page: Page):
    app = start_app()
    run_command(app, "run", "ace", QUESTION)
    for path in PAGES:
        page.goto(app.url + path)
        expect(page.get_by_role("main").locator("button, a").first).to_be_visible()
        for _ in at_each_width(page):
            page.wait_for_function(f"({CUT})().length === 0")


@pytest.mark.parametrize("path", ["/?pipeline=ace", "/?pipeline=iterative_writing"])
def test_the_tabs_of_the_inspector_stand_in_one_row_and_all_can_be_opened(app: App, page: Page, path: str):
    view = Playground(page).open(app.url + path)
    expect(view.graph).to_be_visible()
    tabs = view.inspector.get_by_role("tab").filter(visible=True)
    more = view.inspector.get_by_label("More tabs")
    for _ in at_each_width(page):
        if not view.inspector.is_visible():
            page.get_by_role("button", name="Inspector", exact=True).click()
        expect(tabs.first).to_be_visible()
        assert view.inspector.evaluate(ROWS) == 1
        around = view.inspector.bounding_box()
        assert around is not None
        edges = tabs.evaluate_all("tabs => tabs.map((tab) => tab.getBoundingClientRect().right)")
        assert edges
        assert all(edge <= around["x"] + around["width"] + 1 for edge in edges)
        if more.is_visible():
            in_sight(more)
    page.set_viewport_size({"width": 1280, "height": 800})
    for name in ("JSON", "Lesson", "Usage", "Code", "State"):
        view.open_tab(name)
    expect(view.inspector.get_by_role("tab", name="State")).to_be_visible()


def test_cards_of_a_row_have_one_height_and_one_width(app: App, page: Page):
    for path, cards in (
        ("/demo", "[class*=st-key-demo_card_]"),
        ("/gallery", "[class*=st-key-cards_] [class*=st-key-card_]"),
    ):
        page.goto(app.url + path)
        expect(page.locator(cards).first).to_be_visible()
        for _ in at_each_width(page):
            page.wait_for_function(f"({UNEVEN})({json.dumps(cards)}).length === 0")


def test_a_last_card_of_two_columns_is_not_left_beside_a_gap(app: App, page: Page):
    page.set_viewport_size({"width": 720, "height": 900})
    page.goto(f"{app.url}/gallery")
    groups = page.locator("[class*=st-key-cards_]")
    expect(groups.first).to_be_visible()
    page.wait_for_function(f"({GAPS})().length === 0")


def test_an_arrow_of_a_diagram_stands_before_the_agent_that_it_leads_to(app: App, page: Page):
    page.goto(f"{app.url}/gallery")
    agents = page.locator(".diagram .row > div")
    expect(agents.first).to_be_visible()
    assert agents.evaluate_all("(all) => all.some((one) => getComputedStyle(one, '::before').content.includes('→'))")
    for width in at_each_width(page):
        assert page.evaluate(STRAY) == [], f"at {width} pixels"


@pytest.mark.parametrize("place", ["session", "exported"])
def test_long_names_break_between_words_and_nothing_is_cut_in_the_team(
    start_app: StartApp, page: Page, tmp_path: Path, place: str
):
    folder = tmp_path / "agents" / "long_names"
    folder.mkdir(parents=True)
    (folder / "agent.py").write_text(LONG_NAMES, encoding="utf-8")
    app = start_app(agents=folder.parent)
    said = run_command(app, "run", "long_names", "冬の海", "--json", "--agents", str(folder.parent))
    session = json.loads(said.splitlines()[-1])["session_id"]
    exported = tmp_path / "session.html"
    run_command(app, "export", session, "--format", "html", "-o", str(exported), "--agents", str(folder.parent))
    here = exported.as_uri() if place == "exported" else f"{app.url}/?pipeline=long_names&session={session}"
    view = Playground(page).open(here)
    view.expect_end()
    for width in (720, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        expect(view.graph).to_be_visible()
        names = view.graph.locator(".name")
        assert names.evaluate_all(LINES) == [], "each line of a name begins with a word"
        left = {round(one["x"]) for one in names.evaluate_all(LEFTS)}
        assert left == {0}, "what an agent does stands below its name"
        assert view.graph.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        longest = view.graph.get_by_role("button", name="Donaudampf")
        expect(longest).to_have_attribute("title", re.compile("^Donaudampfschifffahrtsgesellschaftskapitaenswitwe"))


def test_an_events_number_and_its_agents_name_are_seen_on_the_stage(app: App, page: Page):
    session = json.loads(run_command(app, "run", "ace", QUESTION, "--json").splitlines()[-1])["session_id"]
    view = Playground(page).open(f"{app.url}/?pipeline=ace&session={session}&stage=1")
    view.expect_end()
    for width in (720, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("width => innerWidth === width", arg=width)
        for agent in ("RoundCheck", "CuratorModel"):
            name = view.events.locator(".head .name").filter(has_text=agent).last
            name.scroll_into_view_if_needed()
            if width == 1280:
                assert name.evaluate("(one) => one.scrollWidth <= one.clientWidth"), f"{agent} is cut"
            edge = view.events.bounding_box()
            number = name.locator("xpath=..").locator(".number").bounding_box()
            assert edge is not None
            assert number is not None
            assert number["x"] + number["width"] <= edge["x"] + edge["width"], f"the number is cut at {width} pixels"


def test_a_mark_of_an_error_stands_on_the_track_and_is_small(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing&fault=CriticAgent:fail_before:1")
    view.say("the sea")
    view.expect_end("failed")
    mark, track = page.locator(".marks .error").bounding_box(), page.locator(".track-of-cursor").bounding_box()
    assert mark is not None
    assert track is not None
    assert mark["width"] <= 8
    assert mark["x"] + mark["width"] <= track["x"] + track["width"] + 1
