"""The Sessions page: find a session by a Japanese word, tag it, see where a fork parts from its origin, delete and undo."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import Page, expect

from agents import RunConfig, SqliteSessionService
from agents.forks import Forks, InstructionChange
from agents.models.simulated.model import SimulatedLlm
from agents.pipelines.catalog import Catalog
from tests.journeys.app import App, run_command
from tests.journeys.playground_page import Playground

StartApp = Callable[..., App]
PIPELINE = "iterative_writing"
NAMES = {"app_name": PIPELINE, "user_id": "person"}


async def fork(database: Path) -> None:
    """Forks the session about a lighthouse keeper at its second pass: the critic finds nothing more."""
    service = SqliteSessionService(database)
    origin = next(row.id for row in await service.summaries(**NAMES) if row.title == "a lighthouse keeper")
    log = await service.read_log(**NAMES, session_id=origin)
    second = [entry.seq for entry in log if entry.kind == "loop_iteration"][1]
    pipeline = Catalog().get(PIPELINE)
    model = SimulatedLlm(simulation=pipeline.card.simulation, words_per_second=0)
    await Forks(service, pipeline.root_agent, **NAMES).rerun(
        origin,
        at=second,
        changes=[InstructionChange(agent="CriticAgent", text="Say only: No major issues found.")],
        run_config=RunConfig(model=model),
    )
    await service.close()


def prepare(app: App) -> None:
    for message in ("眠れないパン職人の話", "a lighthouse keeper"):
        run_command(app, "run", PIPELINE, message)
    with ThreadPoolExecutor(1) as other:  # a thread that drives a browser has an event loop already
        other.submit(lambda: asyncio.run(fork(app.database))).result()


def test_find_tag_compare_delete_and_undo(start_app: StartApp, page: Page):
    app = start_app()
    prepare(app)
    page.goto(f"{app.url}/sessions")
    rows = page.get_by_role("list", name="Sessions").get_by_role("listitem")
    expect(rows).to_have_count(3)

    page.keyboard.press("/")
    page.keyboard.type("パン")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("眠れないパン職人の話")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("x")
    page.get_by_role("button", name="Tag", exact=True).click()
    page.keyboard.type("良い, 短い")
    page.keyboard.press("Enter")
    expect(rows).to_contain_text("良い")
    page.get_by_role("button", name="Clear").click()

    page.get_by_role("searchbox").fill("")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("fork: instruction of CriticAgent")
    for number in (0, 1):
        rows.nth(number).get_by_role("checkbox").check()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("They part at IterativeWriting → RefinementLoop, pass 2 → CriticAgent")).to_be_visible()
    link = page.get_by_role("link", name=re.compile(r"^event \d+$")).nth(1)
    number = int(link.inner_text().removeprefix("event "))
    link.click()
    view = Playground(page)
    expect(view.event(number)).to_have_attribute("aria-selected", "true")
    page.go_back()

    page.get_by_role("button", name="← All sessions").click()
    page.get_by_role("combobox", name="Tag").select_option("良い")
    expect(rows).to_have_count(1)
    rows.get_by_role("checkbox").check()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(rows).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(1)
    rows.get_by_role("link").click()
    expect(page).to_have_url(re.compile("session="))
    view.expect_end("completed")
