"""The list's scripts: logic in Node, drawing in Chromium, and the rules that hold for every component's files."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.ui.component_rules import check_bundle, check_module, markup_and_fetches, run_logic, untested
from tests.ui.dom_cases import dom_page, run_cases
from ui.browser.bundle import modules

HERE = Path(__file__).parent
FOLDER = HERE.parents[2] / "ui" / "session_list"
ENTRY = FOLDER / "js" / "component.js"
SCRIPTS = sorted((FOLDER / "js").rglob("*.js"))


def test_logic() -> None:
    run_logic(HERE.rglob("*.test.mjs"))


def test_every_module_has_a_test() -> None:
    assert untested(SCRIPTS, [*HERE.rglob("*.test.mjs"), *HERE.rglob("*.dom.mjs")]) == []


def test_the_list_is_one_module_with_one_default_export() -> None:
    check_bundle(ENTRY)
    assert {path for path in modules(ENTRY) if FOLDER in path.parents} == set(SCRIPTS)


@pytest.mark.parametrize("path", [*SCRIPTS, FOLDER / "css" / "list.css"], ids=lambda path: path.name)
def test_nothing_is_markup_and_one_module_fetches(path: Path) -> None:
    assert markup_and_fetches(path) == ["fetch("] * (path.name == "search.js")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_modules_are_short_and_checked(path: Path) -> None:
    check_module(path)


@pytest.mark.browser
def test_dom(browser: Browser) -> None:
    css = (FOLDER / "css" / "list.css").read_text("utf-8")
    with dom_page(browser, css, FOLDER / "js", HERE) as page:
        run_cases(page, sorted(HERE.rglob("*.dom.mjs")))
