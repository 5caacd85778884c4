"""The list's scripts in Chromium, and the rules that hold for every component's files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.ui.session_list.test_scripts import SET_STYLES
from tests.ui.test_session_view_dom import PAGE, RUN
from tests.ui.test_session_view_dom import browser as browser  # noqa: PLC0414  the fixture
from ui.session_view.bundle import bundle, modules

HERE = Path(__file__).parent / "js"
ROOT = HERE.parents[3]
FOLDER = ROOT / "ui" / "sessions" / "list"
ENTRY = FOLDER / "js" / "component.js"
SCRIPTS = sorted((FOLDER / "js").glob("*.js"))
SERVED = (
    FOLDER / "js",
    ROOT / "ui" / "session_list" / "js",
    ROOT / "ui" / "session_view" / "js",
    HERE,
    HERE.parents[1] / "js",
)
IMPORT = re.compile(r'from "([\w./-]+\.js)";')


def test_every_module_has_a_test_of_its_own() -> None:
    imported = {
        (HERE / path).resolve() for case in HERE.glob("*.dom.mjs") for path in IMPORT.findall(case.read_text("utf-8"))
    }
    assert [path.name for path in SCRIPTS if path not in imported] == []


def test_the_list_is_one_module_with_one_default_export() -> None:
    joined = bundle(ENTRY)
    assert not re.search(r"^import\b", joined, re.MULTILINE)
    assert re.findall(r"^export\b.*", joined, re.MULTILINE) == [joined.rstrip().rsplit("\n", 1)[1]]
    assert {path for path in modules(ENTRY) if FOLDER in path.parents} == set(SCRIPTS)


@pytest.mark.parametrize("path", [*SCRIPTS, FOLDER / "css" / "list.css"], ids=lambda path: path.name)
def test_nothing_is_markup_and_one_module_fetches(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert (
        re.findall(r"innerHTML|outerHTML|srcdoc|XMLHttpRequest|\bimport\(|https?://|url\(|@import \w|@import \"", source)
        == []
    )
    assert len(re.findall(r"\bfetch\(", source)) == (path.name == "search.js")


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
    context = browser.new_context(viewport={"width": 1000, "height": 700})
    context.route("**/*", from_disk)
    page = context.new_page()
    page.set_default_timeout(20_000)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(PAGE)
    page.evaluate(SET_STYLES, (FOLDER / "css" / "list.css").read_text("utf-8"))
    yield page
    context.close()
    assert problems == []


@pytest.mark.browser
def test_dom(page: Page) -> None:
    paths = [f"/{path.relative_to(ROOT)}" for path in sorted(HERE.glob("*.dom.mjs"))]
    results: list[dict[str, Any]] = page.evaluate(RUN, paths)
    assert [result["path"] for result in results if not result["ran"]] == [], "files without cases"
    failures = [f"{result['path']}: {failure}" for result in results for failure in result["failures"]]
    assert not failures, "\n\n".join(failures)
