"""The JavaScript kit of all components: logic in Node, drawing in Chromium, and the rules that hold for every script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.ui.component_rules import check_module, markup_and_fetches, run_logic, untested
from tests.ui.dom_cases import KIT, dom_page, run_cases

CASES = Path(__file__).parent / "js"
SCRIPTS = sorted(KIT.glob("*.js"))


def test_logic() -> None:
    run_logic(CASES.glob("*.test.mjs"))


def test_every_module_has_a_test_of_its_own() -> None:
    assert untested(SCRIPTS, CASES.glob("*.mjs")) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_modules_are_short_and_checked_and_turn_no_data_into_markup(path: Path) -> None:
    check_module(path)
    assert markup_and_fetches(path) == []


@pytest.mark.parametrize("path", sorted([*SCRIPTS, *KIT.glob("*.d.ts")]), ids=lambda path: path.name)
def test_the_kit_imports_nothing_of_a_component(path: Path) -> None:
    assert re.findall(r'from "(?!\./)[^"]*"', path.read_text(encoding="utf-8")) == []


@pytest.mark.browser
def test_dom(browser: Browser) -> None:
    with dom_page(browser, "", CASES) as page:
        run_cases(page, sorted(CASES.glob("*.dom.mjs")))
