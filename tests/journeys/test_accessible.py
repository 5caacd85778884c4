"""WCAG 2.2 AA by axe-core on every page, in both themes. The script comes with a package: the browser asks nobody for it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from agents.lab import Lab, lab_folder
from agents.teams import STARTS, TEAMS_FOLDER, TeamStore
from tests.journeys.app import App, ForkedApp, run_command
from tests.journeys.playground_page import Playground

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
STYLE = ".st-key-playbook_head"
"""In the page's style sheet."""
STYLED = "text => [...document.querySelectorAll('style')].some(({ textContent }) => textContent.includes(text))"
AT_REST = """() => !document.querySelector('[data-stale="true"]')
  && document.getAnimations().every(({ playState, effect }) =>
    playState !== "running" || effect.getComputedTiming().iterations === Infinity)"""
"""No part of the page is faded, or on its way back from it: Streamlit fades what a rerun has not drawn again yet."""
IN_THEME = "scheme => getComputedStyle(document.querySelector('.stApp')).colorScheme === scheme"
LOOK = """() => {
  const within = (elements) => [...elements].flatMap((element) => {
    const { color, backgroundColor, backgroundImage, borderTopColor, fill, stroke } = getComputedStyle(element);
    const own = [element.tagName, color, backgroundColor, backgroundImage, borderTopColor, fill, stroke].join(" ");
    return [own, ...(element.shadowRoot ? within(element.shadowRoot.querySelectorAll("*")) : [])];
  });
  return within(document.querySelectorAll("body *"));
}"""
"""The colours of every element."""
QUESTION = (
    "A bakery has current assets of 120,000 € and current liabilities of 80,000 €. What is its current ratio?\nAnswer: 1.5"
)
LAB_RUN = """
name = "small"
arms = [{ kind = "none" }, { kind = "online" }]
data = { generate = "formulas", count = 6 }
"""
both_themes = pytest.mark.parametrize(
    "context", [{"viewport": {"width": 1440, "height": 900}}], ids=["light and dark"], indirect=True
)
"""For tests that begin in the light theme and change it, see `in_theme`."""
PAGES = {
    "new": ("/?pipeline=iterative_writing", "to step through what happens"),
    "finished": ("/?pipeline=ace&session={ace}&event=0&tab=playbook", "Completed"),
    "event": ("/?pipeline=ace&session={ace}&event=4&tab=state", "Completed"),
    "prompt": ("/?pipeline=ace&session={ace}&at=5&tab=prompt&since=start", "Came back"),
    "timeline": ("/?pipeline=ace&session={ace}&tab=timeline", "Completed"),
    "code": ("/?pipeline=approval&session={approval}&tab=code", "import asyncio"),
    "usage": ("/?pipeline=ace&session={ace}&tab=usage", "Completed"),
    "to look for": ("/?pipeline=iterative_writing&tab=lesson", "What to look for"),
    "seen": ("/?pipeline=ace&session={ace}&tab=lesson", "of 5 seen"),
    "paused": ("/?pipeline=approval&session={approval}", "Waiting for you"),
    "stage": ("/?pipeline=ace&session={ace}&event=4&tab=lesson&stage=1", "of 5 seen"),
    "gallery": ("/gallery", "Iterative refinement"),
    "lesson": ("/gallery?pipeline=iterative_writing", "iterative_writing"),
    "build": ("/build", "New team"),
    "team": ("/build?team=writer_and_critic&member=critic", "Instruction"),
    "playbook": ("/playbook?playbook=ace", "current ratio"),
    "growth": ("/playbook?playbook=ace&tab=growth", "Growth"),
    "playbook on stage": ("/playbook?playbook=ace&stage=1", "current ratio"),
    "sessions": ("/sessions", "2 sessions"),
    "comparison": ("/sessions?compare={ace},{approval}", "They part at"),
    "lab": ("/lab", "What is a playbook worth?"),
    "lab run": ("/lab?run=small&sample=online:0:1&beside=small-2", "The other arms"),
    "models": ("/settings?tab=models", "Models"),
    "defaults": ("/settings?tab=defaults", "Defaults"),
    "prices": ("/settings?tab=prices", "Prices"),
    "data": ("/settings?tab=data", "Data"),
    "help": ("/help", "First steps"),
    "document": ("/help?topic=models", "Any pipeline runs on any of these models"),
    "found": ("/help?words=proxy", "places on"),
}


def run(app: App, pipeline: str, message: str) -> str:
    """Runs a pipeline on the command line and returns the session's id."""
    return json.loads(run_command(app, "run", pipeline, message, "--json").splitlines()[-1])["session_id"]


def run_lab(database: Path) -> None:
    """Two runs of the Lab; the second one is called small-2."""
    for _ in range(2):
        asyncio.run(Lab(lab_folder(database.parent)).begin(LAB_RUN).run()).close()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[App, dict[str, str]]]:
    app = ForkedApp(tmp_path_factory.mktemp("axe") / "journey.db")
    sessions = {"ace": run(app, "ace", QUESTION), "approval": run(app, "approval", "Pay 250 euros to the boat builder")}
    with ThreadPoolExecutor(1) as other:  # a thread that drives a browser has an event loop already
        other.submit(run_lab, app.database).result()
    TeamStore(app.database.parent / TEAMS_FOLDER).create(STARTS[0].name, STARTS[0].files)
    yield app.start(), sessions
    app.kill()


def violations(page: Page) -> list[str]:
    """What axe-core finds in a page at rest: rule, element, and what is wrong with it."""
    page.wait_for_function(AT_REST)
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("rules => axe.run(document, rules)", RULES)
    return [
        f"{rule['id']}: {node['target']} {node['html'][:120]} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def in_theme(page: Page, scheme: str) -> Page:
    """The page in the light or the dark theme, which it follows at once."""
    page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    page.wait_for_function(IN_THEME, arg=scheme)
    return page


def violations_in_both_themes(page: Page) -> list[str]:
    """What axe-core finds in a page in each theme; it is left in the dark one."""
    return [f"{scheme}: {violation}" for scheme in ("light", "dark") for violation in violations(in_theme(page, scheme))]


def visit(room: tuple[App, dict[str, str]], page: Page, name: str) -> None:
    app, sessions = room
    where, words = PAGES[name]
    page.goto(app.url + where.format(**sessions))
    expect(page.get_by_test_id("stMain").get_by_text(words).first).to_be_visible()
    page.wait_for_function(STYLED, arg=STYLE)  # it may come after the text


@both_themes
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(room: tuple[App, dict[str, str]], page: Page, name: str):
    visit(room, page, name)
    assert violations_in_both_themes(page) == []


@both_themes
def test_axe_finds_nothing_on_empty_pages(start_app: Callable[..., App], page: Page):
    app = start_app()  # the shared one has the sessions of other journeys
    found: dict[str, list[str]] = {}
    main = page.get_by_test_id("stMain")
    for where, name in {"/playbook": "Run the ACE pipeline", "/sessions": "Run a pipeline"}.items():
        page.goto(app.url + where)
        link = main.get_by_role("link", name=name)
        expect(link).to_be_visible()
        page.wait_for_function(STYLED, arg=STYLE)
        found[where] = violations_in_both_themes(page)
        link.hover()
        found[f"{where}, under the pointer"] = violations_in_both_themes(page)
    page.goto(f"{app.url}/sessions?tab=cases")
    expect(main.get_by_text("There are no cases yet.")).to_be_visible()
    found["cases"] = violations_in_both_themes(page)
    assert {where: wrong for where, wrong in found.items() if wrong} == {}


@both_themes
def test_a_page_that_changes_its_theme_looks_as_one_that_began_with_it(room: tuple[App, dict[str, str]], page: Page):
    """So one page is enough for both themes."""
    visit(room, page, "event")
    expect(Playground(page).event(1)).to_be_in_viewport()  # the linked entry comes right after it, and has no row
    expect(Playground(page).inspector).to_be_visible()
    page.wait_for_load_state("networkidle")
    in_theme(page, "dark").wait_for_function(AT_REST)
    look = page.evaluate(LOOK)
    assert len(look) > 500
    page.reload()
    page.wait_for_function(f"look => JSON.stringify(({LOOK})()) === look", arg=json.dumps(look, separators=(",", ":")))


@both_themes
def test_axe_finds_nothing_in_the_list_of_keys(room: tuple[App, dict[str, str]], page: Page):
    page.goto(room[0].url)
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert violations_in_both_themes(page) == []


@both_themes
def test_axe_finds_nothing_on_watch_it_learn(room: tuple[App, dict[str, str]], page: Page):
    page.emulate_media(reduced_motion="reduce")  # a bullet that fades in has little contrast on its way
    page.goto(f"{room[0].url}/gallery?pipeline=ace")
    page.get_by_role("button", name="Watch it learn").click()
    expect(page.get_by_text(re.compile(r"\d+ bullets? learned"))).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Stage").click()
    expect(page.get_by_role("button", name="Leave the stage")).to_be_visible()
    assert violations_in_both_themes(page) == []


@both_themes
def test_axe_finds_nothing_in_the_dialog_that_shares_by_a_link(room: tuple[App, dict[str, str]], page: Page):
    app, sessions = room
    Playground(page).open(f"{app.url}/?pipeline=ace&session={sessions['ace']}")
    page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Share …").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Make a link").click()
    expect(dialog.get_by_role("button", name="Revoke")).to_be_visible()
    assert violations_in_both_themes(page) == []


@both_themes
def test_axe_finds_nothing_in_dialogs_and_the_cases(room: tuple[App, dict[str, str]], page: Page):
    app, sessions = room
    dialog = page.get_by_role("dialog")
    found: dict[str, list[str]] = {}

    def look(name: str) -> None:
        found[name] = violations_in_both_themes(page)

    def answer(number: int = 4) -> None:
        page.goto(f"{app.url}/?pipeline=ace&session={sessions['ace']}&at={number}&tab=event")
        expect(page.get_by_role("button", name="Another model…")).to_be_visible()

    def shut() -> None:
        page.keyboard.press("Escape")
        expect(dialog).not_to_be_attached()

    answer()
    look("event")
    page.get_by_role("button", name="What if…").click()
    dialog.get_by_text("The answer").click()
    expect(dialog.get_by_role("textbox", name="Answer")).to_be_visible()
    look("what if")
    shut()
    page.get_by_role("button", name="Another model…").click()
    expect(dialog.get_by_role("button", name="You")).to_be_visible()
    look("another model")
    shut()
    page.get_by_role("button", name="Keep as a case…").click()
    expect(dialog.get_by_role("button", name="Keep it")).to_be_visible()
    look("keep as a case")
    dialog.get_by_role("button", name="Keep it").click()
    page.get_by_role("link", name="All cases").click()
    page.get_by_role("button", name="Run all").click()
    expect(page.get_by_text("1 failed")).to_be_visible()  # the playbook has learned since
    look("cases")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    look("case deleted")
    answer()
    page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Export …").click()
    expect(dialog).to_be_visible()
    look("export")
    shut()
    page.get_by_role("button", name="With id or state").click()
    expect(page.get_by_role("button", name="Create it")).to_be_visible()
    look("new session")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Playbook off").click()
    expect(page.get_by_text("They part at")).to_be_visible()
    expect(page.get_by_text("fork: playbook off")).to_be_visible()
    expect(page.get_by_text("running")).not_to_be_attached()
    look("side by side")
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
