"""WCAG 2.2 AA by axe-core on every page, in both themes. The script comes with a package: the browser asks nobody for it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.app import App

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
STYLE = ".st-key-playbook_head"
"""In the page's style sheet."""
STYLED = "text => [...document.querySelectorAll('style')].some(({ textContent }) => textContent.includes(text))"
AT_REST = """() => !document.querySelector('[data-stale="true"]')
  && document.getAnimations().every(({ playState, effect }) =>
    playState !== "running" || effect.getComputedTiming().iterations === Infinity)"""
"""No part of the page is faded, or on its way back from it: Streamlit fades what a rerun has not drawn again yet."""
QUESTION = (
    "A bakery has current assets of 120,000 € and current liabilities of 80,000 €. What is its current ratio?\nAnswer: 1.5"
)
THEMES = [
    pytest.param({"viewport": {"width": 1440, "height": 900}, "color_scheme": scheme}, id=scheme)
    for scheme in ("light", "dark")
]
PAGES = {
    "new": ("/?pipeline=iterative_writing", "to step through what happens"),
    "finished": ("/?pipeline=ace&session={ace}&event=0&tab=playbook", "Completed"),
    "event": ("/?pipeline=ace&session={ace}&event=4&tab=state", "Completed"),
    "prompt": ("/?pipeline=ace&session={ace}&at=5&tab=prompt&since=start", "Came back"),
    "timeline": ("/?pipeline=ace&session={ace}&tab=timeline", "Completed"),
    "usage": ("/?pipeline=ace&session={ace}&tab=usage", "Completed"),
    "to look for": ("/?pipeline=iterative_writing&tab=lesson", "What to look for"),
    "seen": ("/?pipeline=ace&session={ace}&tab=lesson", "of 5 seen"),
    "paused": ("/?pipeline=approval&session={approval}", "Waiting for you"),
    "stage": ("/?pipeline=ace&session={ace}&event=4&tab=lesson&stage=1", "of 5 seen"),
    "gallery": ("/gallery", "Iterative refinement"),
    "lesson": ("/gallery?pipeline=iterative_writing", "iterative_writing"),
    "playbook": ("/playbook?playbook=ace", "current ratio"),
    "growth": ("/playbook?playbook=ace&tab=growth", "Growth"),
    "playbook on stage": ("/playbook?playbook=ace&stage=1", "current ratio"),
    "sessions": ("/sessions", "2 sessions"),
    "comparison": ("/sessions?compare={ace},{approval}", "They part at"),
    "models": ("/settings?tab=models", "Models"),
    "defaults": ("/settings?tab=defaults", "Defaults"),
    "prices": ("/settings?tab=prices", "Prices"),
    "data": ("/settings?tab=data", "Data"),
}


def run(database: Path, pipeline: str, message: str) -> str:
    """Runs a pipeline on the command line and returns the session's id."""
    command = [sys.executable, "-m", "ui.cli", "run", pipeline, message, "--db", str(database), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=os.environ.copy(), check=False)
    return json.loads(done.stdout.splitlines()[-1])["session_id"]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[App, dict[str, str]]]:
    database = tmp_path_factory.mktemp("axe") / "journey.db"
    sessions = {
        "ace": run(database, "ace", QUESTION),
        "approval": run(database, "approval", "Refund order 77 with 250 €"),
    }
    app = App(database).start()
    yield app, sessions
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


@pytest.mark.parametrize("context", THEMES, indirect=True)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(room: tuple[App, dict[str, str]], page: Page, name: str):
    app, sessions = room
    where, words = PAGES[name]
    page.goto(app.url + where.format(**sessions))
    expect(page.get_by_test_id("stMain").get_by_text(words).first).to_be_visible()
    page.wait_for_function(STYLED, arg=STYLE)  # it may come after the text
    assert violations(page) == []


@pytest.mark.parametrize("context", THEMES, indirect=True)
def test_axe_finds_nothing_in_the_list_of_keys(room: tuple[App, dict[str, str]], page: Page):
    page.goto(room[0].url)
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("context", THEMES, indirect=True)
def test_axe_finds_nothing_on_watch_it_learn(room: tuple[App, dict[str, str]], page: Page):
    page.emulate_media(reduced_motion="reduce")  # a bullet that fades in has little contrast on its way
    page.goto(f"{room[0].url}/gallery?pipeline=ace")
    page.get_by_role("button", name="Watch it learn").click()
    expect(page.get_by_text(re.compile(r"\d+ bullets? learned"))).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Stage").click()
    expect(page.get_by_role("button", name="Leave the stage")).to_be_visible()
    assert violations(page) == []
