"""A session of a coding agent on the Sessions page: brought in, read, searched, compared, forked, kept as a case."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.agents.transcripts.samples import claude_session, codex_session, lines, text
from tests.journeys.app import App
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]
KEY = "sk-ant-api03-" + "aB3dE5fG7h" * 4
TRAJECTORY = {
    "schema_version": "ATIF-v1.6",
    "session_id": "harbour-1",
    "agent": {"name": "harbour", "version": "1.0"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Count the lighthouses."},
        {"step_id": 2, "source": "agent", "message": "There are 42 lighthouses."},
    ],
}


def files(folder: Path) -> list[Path]:
    claude = claude_session()
    claude.run("t3", f"curl -H 'x-api-key: {KEY}' https://till.example", "ok")
    claude.answer(text("The till answers."))
    written = {
        "claude.jsonl": claude.text(),
        "rollout-codex.jsonl": lines(codex_session()),
        "trajectory.json": json.dumps(TRAJECTORY),
    }
    for name, content in written.items():
        (folder / name).write_text(content, encoding="utf-8")
    return [folder / name for name in written]


def bring_in(page: Page, file: Path) -> None:
    page.get_by_role("button", name="Import …").click()
    dialog = page.get_by_role("dialog", name="Import a session")
    dialog.locator("input[type=file]").set_input_files(file)
    dialog.get_by_role("button", name="Import", exact=True).click()
    expect(dialog).to_have_count(0)


def test_sessions_of_coding_agents_are_read_searched_compared_forked_and_kept(
    start_app: StartApp, page: Page, tmp_path: Path
):
    app = start_app()
    claude, codex, trajectory = files(tmp_path)
    page.goto(f"{app.url}/sessions")
    bring_in(page, claude)
    expect(page.get_by_text("Masked: 1 × Anthropic key.")).to_be_visible()
    view = Playground(page)
    expect(page).to_have_url(re.compile("session="))
    view.expect_end("completed")
    expect(view.events.get_by_text("Why does the till fail?").first).to_be_visible()
    assert KEY not in page.content()

    for file in (codex, trajectory):
        page.goto(f"{app.url}/sessions")
        bring_in(page, file)
        expect(page).to_have_url(re.compile("session="))
    page.goto(f"{app.url}/sessions")
    rows = page.get_by_role("list", name="Sessions").get_by_role("listitem")
    expect(rows).to_have_count(3)
    page.get_by_role("searchbox").fill("lighthouses")
    expect(rows).to_have_count(1)
    page.get_by_role("searchbox").fill("till")
    expect(rows).to_have_count(2)
    for number in (0, 1):
        rows.nth(number).get_by_role("checkbox").check()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text(re.compile("They part"))).to_be_visible()

    page.get_by_role("link", name="Fix the till").click()
    view.expect_end("completed")
    view.event(6).click()
    expect(view.event(6)).to_contain_text("It passes with python -m pytest.")
    page.keyboard.press("f")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="▶ Run", exact=True).click()
    expect(dialog).not_to_be_attached()
    expect(page.get_by_text("Fork of “Fix the till” after event 6")).to_be_visible()
    view.expect_end("completed")
    origin = page.get_by_role("button", name="Open the origin")
    origin.click()
    expect(origin).not_to_be_attached()
    view.expect_end("completed")

    page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Keep as a case …", exact=True).click()
    dialog = page.get_by_role("dialog", name="Keep as a case")
    expect(dialog.get_by_text("Another program recorded this session.")).to_be_visible()
    dialog.get_by_role("button", name="Keep it").click()
    page.get_by_role("link", name="All cases").click()
    page.get_by_role("button", name="Run all").click()
    expect(page.get_by_text("Another program recorded this session.")).to_be_visible()
    expect(page.get_by_text("1 could not be run")).to_be_visible()
