"""The scripts of the pages: their logic in Node, a phone in Chromium; the pages themselves are opened by journeys."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.component_rules import run_logic
from tests.ui.dom_cases import chromium, dom_page, run_cases
from ui.shell.appearance import light_style

CASES = Path(__file__).parent / "js"
CLASSROOM = Path(__file__).parents[3] / "ui" / "classroom"


def test_logic() -> None:
    run_logic(CASES.glob("*.test.mjs"))


@pytest.mark.browser
def test_dom() -> None:
    css = light_style() + (CLASSROOM / "class.css").read_text("utf-8")
    with chromium() as browser, dom_page(browser, css, CLASSROOM, CASES) as page:
        run_cases(page, sorted(CASES.glob("*.dom.mjs")))
