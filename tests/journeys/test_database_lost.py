"""The database is taken away while a run writes to it, and put back."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.journeys.app import SLOW, App
from tests.journeys.conftest import Watch
from tests.journeys.playground_page import Playground


def _move(files: list[Path], folder: Path) -> list[Path]:
    folder.mkdir(exist_ok=True)
    return [file.rename(folder / file.name) for file in files if file.exists()]


def test_a_run_that_loses_its_database_ends_and_is_there_again_with_it(
    start_app: Callable[..., App], page: Page, watch: Watch
):
    app = start_app(words_per_second=SLOW)
    view = Playground(page).open(app.url)
    view.run_button.click()
    expect(view.event(2)).to_be_visible()
    folder = app.database.parent
    taken = _move(sorted(folder.glob(f"{app.database.name}*")), folder / "taken")
    problem = page.get_by_role("alert").filter(has_text="was moved or deleted while it was in use")
    expect(problem.first).to_be_visible()
    expect(page.get_by_text("The sessions cannot be opened.")).to_be_visible()
    expect(view.stop_button).not_to_be_visible()
    assert not app.database.exists()

    _move(sorted(taken, reverse=True), folder)  # the database itself last
    expect(page.get_by_text("The sessions cannot be opened.")).not_to_be_visible()
    view.expect_end("interrupted")
    expect(view.event(2)).to_be_visible()
    expect(view.stop_button).not_to_be_visible()
    app.words_per_second = 0
    view.again_button.click()
    expect(view.status).to_contain_text(re.compile("running", re.IGNORECASE))
