"""Runs the cases of what scripts draw, in Chromium: modules and their cases are loaded from disk, and nothing else is."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

from tests.journeys.conftest import CHROMIUM, FLAGS

ROOT = Path(__file__).parents[2]
KIT = ROOT / "ui" / "browser" / "js"
VIEW = ROOT / "ui" / "session_view" / "js"
CASES = ROOT / "tests" / "ui" / "js"
JSON_DATA = ROOT / "agents" / "trace_kinds.json"
TEXT_DATA = ROOT / "ui" / "docs" / "glossary.md"
AS_TEXT = ' with { type: "text" }'
"""What not every Chromium knows yet: such an import is served as one of a module."""
PAGE = "http://view.test/"
SET_STYLES = """
(sheets) => {
  for (const [name, css] of Object.entries(sheets)) {
    globalThis[name] = new CSSStyleSheet();
    globalThis[name].replaceSync(css);
  }
}
"""
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


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; a test is skipped where there is none, except in CI, where its absence is a failure."""
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("Chromium is not installed: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def dom_page(
    browser: Browser, css: str, *folders: Path, reversed_css: str | None = None, size: tuple[int, int] = (1000, 700)
) -> Iterator[Page]:
    """An empty page that cases run in; it fails where a script raised.

    Args:
        browser: The browser.
        css: The style sheet of what is drawn.
        folders: Folders with modules and cases, beside those of the kit and the session view.
        reversed_css: The same rules in another order; each case is drawn with both, and has to look the same.
        size: Width and height, in px.
    """

    def from_disk(route: Route) -> None:
        address = unquote(urlsplit(route.request.url).path)
        path = (ROOT / address.removeprefix("/")).resolve()
        if address == "/":
            route.fulfill(body="<!doctype html><title>Cases</title>", content_type="text/html")
        elif not route.request.url.startswith(PAGE):
            route.fulfill(status=404)
        elif path.is_file() and any(folder in path.parents for folder in (KIT, VIEW, CASES, *folders)):
            route.fulfill(body=path.read_text("utf-8").replace(AS_TEXT, ""), content_type="text/javascript")
        elif path == JSON_DATA:
            route.fulfill(path=path, content_type="application/json")
        elif path == TEXT_DATA:
            route.fulfill(body=f"export default {json.dumps(path.read_text('utf-8'))};", content_type="text/javascript")
        else:
            route.fulfill(status=404)

    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    context.route("**/*", from_disk)
    page = context.new_page()
    page.set_default_timeout(60_000)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(PAGE)
    page.evaluate(SET_STYLES, {"viewStyles": css, "viewStylesReversed": css if reversed_css is None else reversed_css})
    yield page
    context.close()
    assert problems == []


def run_cases(page: Page, cases: Sequence[Path]) -> None:
    """Runs the cases of files, and fails with what each said."""
    results: Sequence[Mapping[str, Any]] = page.evaluate(RUN, [f"/{path.relative_to(ROOT)}" for path in cases])
    assert [result["path"] for result in results if not result["ran"]] == [], "files without cases"
    failures = [f"{result['path']}: {failure}" for result in results for failure in result["failures"]]
    assert not failures, "\n\n".join(failures)
