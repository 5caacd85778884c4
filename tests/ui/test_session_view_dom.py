"""What the session view draws, tested in Chromium: modules and their cases are loaded from disk, and nothing else is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

from tests.journeys.conftest import CHROMIUM, FLAGS
from ui.session_view.bundle import style_sheet

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
SERVED = (ROOT / "ui" / "session_view" / "js", ROOT / "tests" / "ui" / "js")
KINDS = ROOT / "agents" / "trace_kinds.json"
CSS = ROOT / "ui" / "session_view" / "css"
STYLES = {
    "viewStyles": style_sheet(CSS),
    "viewStylesReversed": "\n".join(path.read_text("utf-8") for path in sorted(CSS.glob("*.css"), reverse=True)),
}
SET_STYLES = """
(sheets) => {
  for (const [name, css] of Object.entries(sheets)) {
    globalThis[name] = new CSSStyleSheet();
    globalThis[name].replaceSync(css);
  }
}
"""
FOLDERS = sorted({path.parent for path in SERVED[1].glob("*/*.dom.mjs")})
PAGE = "http://view.test/"
RUN = """
async (paths) => {
  const { run } = await import("/tests/ui/js/stage.mjs");
  const results = [];
  for (const path of paths) {
    await import(path);
    results.push({ path, ...await run() });
  }
  return results;
}
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("Chromium is not installed: apt install chromium")  # in CI its absence is a failure
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def from_disk(route: Route) -> None:
    """Answers with a module, or an empty page; what else is asked for is not there."""
    address = unquote(urlsplit(route.request.url).path)
    path = (ROOT / address.removeprefix("/")).resolve()
    if address == "/":
        route.fulfill(body="<!doctype html><title>Cases</title>", content_type="text/html")
    elif route.request.url.startswith(PAGE) and any(folder in path.parents for folder in SERVED) and path.is_file():
        route.fulfill(path=path, content_type="text/javascript")
    elif route.request.url.startswith(PAGE) and path == KINDS:
        route.fulfill(path=path, content_type="application/json")
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
    page.evaluate(SET_STYLES, STYLES)
    yield page
    context.close()
    assert problems == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_dom(page: Page, folder: Path) -> None:
    paths = [f"/{path.relative_to(ROOT)}" for path in sorted(folder.glob("*.dom.mjs"))]
    results: list[dict[str, Any]] = page.evaluate(RUN, paths)
    assert [result["path"] for result in results if not result["ran"]] == [], "files without cases"
    failures = [f"{result['path']}: {failure}" for result in results for failure in result["failures"]]
    assert not failures, "\n\n".join(failures)
