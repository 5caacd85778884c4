"""What the session view draws, tested in Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.ui.dom_cases import CASES, ROOT, dom_page, run_cases
from ui.browser.bundle import style_sheet

CSS = ROOT / "ui" / "session_view" / "css"
REVERSED = "\n".join(path.read_text("utf-8") for path in sorted(CSS.glob("*.css"), reverse=True))
FOLDERS = sorted({path.parent for path in CASES.rglob("*.dom.mjs")})


@pytest.mark.browser
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_dom(browser: Browser, folder: Path) -> None:
    with dom_page(browser, style_sheet(CSS), reversed_css=REVERSED) as page:
        run_cases(page, sorted(folder.glob("*.dom.mjs")))
