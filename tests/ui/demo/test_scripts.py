"""The scripts that draw the demos: in Chromium, and the rules that hold for every component's files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.ui.test_session_view_dom import PAGE, RUN, SET_STYLES
from tests.ui.test_session_view_dom import browser as browser  # noqa: PLC0414  the fixture
from ui.session_view.bundle import bundle, style_sheet

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
DEMO = ROOT / "ui" / "demo"
ENTRIES = (DEMO / "board" / "board.js", DEMO / "watch" / "stage" / "stage.js")
SCRIPTS = sorted(DEMO.rglob("*.js"))
CASES = sorted((HERE / "js").glob("*.dom.mjs"))
SERVED = (DEMO, ROOT / "ui" / "session_view" / "js", HERE / "js", HERE.parent / "js")
STYLE = "\n".join(style_sheet(DEMO / folder) for folder in ("drawing", "board", "watch/stage"))
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


def from_disk(route: Route) -> None:
    """Answers with a module, or an empty page; what else is asked for is not there."""
    address = unquote(urlsplit(route.request.url).path)
    path = (ROOT / address.removeprefix("/")).resolve()
    if address == "/":
        route.fulfill(body="<!doctype html><title>Cases</title>", content_type="text/html")
    elif route.request.url.startswith(PAGE) and any(folder in path.parents for folder in SERVED) and path.is_file():
        route.fulfill(path=path, content_type="text/javascript")
    else:
        route.fulfill(status=404)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.route("**/*", from_disk)
    page = context.new_page()
    page.set_default_timeout(20_000)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(PAGE)
    page.evaluate(SET_STYLES, {"viewStyles": STYLE, "viewStylesReversed": STYLE})
    yield page
    context.close()
    assert problems == []


@pytest.mark.browser
def test_dom(page: Page) -> None:
    results: list[dict[str, Any]] = page.evaluate(RUN, [f"/{path.relative_to(ROOT)}" for path in CASES])
    assert [result["path"] for result in results if not result["ran"]] == [], "files without cases"
    failures = [f"{result['path']}: {failure}" for result in results for failure in result["failures"]]
    assert not failures, "\n\n".join(failures)
