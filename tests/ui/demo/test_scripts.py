"""The scripts of the stage: in Chromium, and the rules that hold for every component's files."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.ui.component_rules import check_bundle, check_module, markup_and_fetches, untested
from tests.ui.dom_cases import dom_page, run_cases
from ui.browser.bundle import style_sheet

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
DEMO = ROOT / "ui" / "demo"
SCRIPTS = sorted(DEMO.rglob("*.js"))
CASES = sorted((HERE / "js").glob("*.dom.mjs"))
STYLE = style_sheet(DEMO / "stage")


def test_every_module_has_a_test_of_its_own() -> None:
    assert untested(SCRIPTS, CASES) == []


def test_the_stage_is_one_module_with_one_default_export() -> None:
    check_bundle(DEMO / "stage" / "stage.js")


@pytest.mark.parametrize("path", [*SCRIPTS, *sorted(DEMO.rglob("*.css"))], ids=lambda path: path.name)
def test_nothing_is_markup_and_nothing_is_fetched(path: Path) -> None:
    assert markup_and_fetches(path) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_modules_are_short_and_checked(path: Path) -> None:
    check_module(path)


@pytest.mark.browser
def test_dom(browser: Browser) -> None:
    with dom_page(browser, STYLE, DEMO, HERE / "js", size=(1280, 720)) as page:
        run_cases(page, CASES)
