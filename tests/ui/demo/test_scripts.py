"""The scripts that draw the demos: in Chromium, and the rules that hold for every component's files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.ui.dom_cases import dom_page, run_cases
from ui.browser.bundle import bundle, style_sheet

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
DEMO = ROOT / "ui" / "demo"
ENTRIES = (DEMO / "board" / "board.js", DEMO / "lab" / "board" / "board.js", DEMO / "watch" / "stage" / "stage.js")
SCRIPTS = sorted(DEMO.rglob("*.js"))
CASES = sorted((HERE / "js").glob("*.dom.mjs"))
STYLE = "\n".join(style_sheet(DEMO / folder) for folder in ("drawing", "board", "lab/board", "watch/stage"))
IMPORT = re.compile(r'from "([\w./-]+\.js)";')


def test_every_module_has_a_test_of_its_own() -> None:
    imported = {(HERE / "js" / path).resolve() for case in CASES for path in IMPORT.findall(case.read_text("utf-8"))}
    assert [path.name for path in SCRIPTS if path not in imported] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda path: path.name)
def test_a_component_is_one_module_with_one_default_export(entry: Path) -> None:
    joined = bundle(entry)
    assert not re.search(r"^import\b", joined, re.MULTILINE)
    assert re.findall(r"^export\b.*", joined, re.MULTILINE) == [joined.rstrip().rsplit("\n", 1)[1]]


@pytest.mark.parametrize("path", [*SCRIPTS, *sorted(DEMO.rglob("*.css"))], ids=lambda path: path.name)
def test_nothing_is_markup_and_nothing_is_fetched(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    forbidden = r"innerHTML|outerHTML|srcdoc|\bfetch\(|XMLHttpRequest|\bimport\(|https?://(?!www\.w3\.org/2000/svg)|url\("
    assert re.findall(forbidden, source) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_modules_are_short_and_checked(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "// @ts-check"
    assert len(lines) <= 300


@pytest.mark.browser
def test_dom(browser: Browser) -> None:
    with dom_page(browser, STYLE, DEMO, HERE / "js", size=(1280, 720)) as page:
        run_cases(page, CASES)
