"""A bullet's worth: measured, looked into, switched off for one answer, and taken back with the delta that brought it."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from agents.ace import BY_USER, Add, DeltaBatch
from agents.runs import RunManager
from tests.journeys.app import App
from tests.journeys.test_accessible import violations_in_both_themes
from tests.ui.stage import finish

StartApp = Callable[..., App]
BAKERY = "A bakery has current assets of 120,000 € and current liabilities of 80,000 €. What is its current ratio?"
CINEMA = "A cinema has current assets of 45,000 € and current liabilities of 18,000 €. What is its current ratio?"


@pytest.fixture
def learned(tmp_path: Path) -> None:
    """A database in which two questions were answered with a formula."""
    manager = RunManager(database=tmp_path / "journey.db")
    formula = "current ratio = current assets / current liabilities"
    manager.playbooks("ace").commit(
        DeltaBatch(reasoning="", operations=[Add(section="FORMULAS", content=formula)], by=BY_USER)
    )
    with ThreadPoolExecutor() as threads:  # the browser's event loop is in this one
        for message in (f"{BAKERY}\nAnswer: 1.5", f"{CINEMA}\nAnswer: 2.5"):
            session = manager.start("ace", message).session_id
            threads.submit(finish, manager, "ace", session).result()
    manager.close()


@pytest.mark.usefixtures("learned")
def test_a_bullet_is_measured_switched_off_and_taken_back(start_app: StartApp, page: Page):
    app = start_app()
    page.goto(f"{app.url}/playbook?playbook=ace&tab=effect")
    expect(page.get_by_text("4 answers")).to_be_visible()
    page.get_by_role("button", name="Measure", exact=True).click()
    expect(page.get_by_text("Score with the whole playbook: 100%")).to_be_visible()
    expect(page.get_by_text("4 of 4 are known already")).to_be_visible()
    assert violations_in_both_themes(page) == []

    page.get_by_role("button", name="Show the bullets by effect").click()
    expect(page.get_by_text("○ effect +100%")).to_be_visible()
    page.get_by_role("button", name="formu-00001").first.click()
    panel = page.get_by_role("dialog")
    expect(panel.get_by_text("2 answers cite it")).to_be_visible()
    panel.get_by_role("button", name="Without it").first.click()
    expect(panel.get_by_text("The verdict rests on this bullet")).to_be_visible()
    assert violations_in_both_themes(page) == []

    panel.get_by_role("button", name="Undo the delta that brought it").click()
    page.get_by_role("button", name="Undo it").click()
    expect(page.get_by_text(re.compile("takes back what revision 1 did"))).to_be_visible()
    expect(panel.get_by_text("Revision 4 took it out of prompts")).to_be_visible()
    expect(panel.get_by_text("2 answers cite it")).to_be_visible()
