"""A session as code: written when its tab is opened, and the file that is downloaded runs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.journeys.app import App, run_command
from tests.journeys.playground_page import Playground

TEXT = 'The lamp "burned" all night. It was seen.'


def run(app: App, file: Path) -> str:
    command = [sys.executable, str(file)]
    return subprocess.run(command, env=app.environment, capture_output=True, text=True, timeout=60, check=True).stdout


def test_the_code_of_a_session_is_seen_downloaded_and_run(start_app: Callable[..., App], page: Page, tmp_path: Path):
    app = start_app()
    printed = run_command(app, "run", "routed_ab", TEXT, "--json")
    session = json.loads(printed.splitlines()[-1])["session_id"]
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/code" in request.url else None)
    view = Playground(page).open(f"{app.url}/?pipeline=routed_ab&session={session}")
    view.expect_end()
    assert asked == []

    view.open_tab("Code")
    expect(view.inspector.get_by_role("region", name="routed_ab.py")).to_contain_text("async def run()")
    with page.expect_download() as started:
        view.inspector.get_by_role("button", name="Download").click()
    file = tmp_path / started.value.suggested_filename
    started.value.save_as(file)
    assert file.name == "routed_ab.py"
    assert run(app, file) == 'BriefSummary: The lamp "burned" all night.\n'

    view.inspector.get_by_role("button", name="google-adk").press("Enter")
    expect(view.inspector.get_by_text("SummaryExperiment is a RoutedAgent")).to_be_visible()
    assert len(asked) == 1
