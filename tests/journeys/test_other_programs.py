"""Other programs teach and propose, while a browser has the Playbook page open beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mcp import Client
from mcp_types import Implementation
from openai import OpenAI
from playwright.sync_api import Page, expect

from agents.ace import PlaybookStore
from tests.journeys.app import App
from tests.journeys.test_ace import BAKERY, CINEMA, EXAMPLE, FORMULA, HOTEL

StartApp = Callable[..., App]
CLIENT = "my-coding-agent"
RULE = "Run the tests with `uv run pytest -n 2`."
WRONG = "Delete the lock file when a test fails."
MARGIN = "A shop has revenue of 50,000 € and a net income of 5,000 €. What is its net profit margin in percent?"


def learned(app: App) -> list[str]:
    with PlaybookStore(app.database, "ace") as store:
        return [bullet.content for bullet in store.playbook().bullets]


def propose(app: App, content: str) -> dict[str, Any]:
    """What the server answers to a client that proposes a bullet; in a thread, since Playwright's loop is in this one."""

    async def call() -> dict[str, Any]:
        async with Client(f"{app.url}/mcp", client_info=Implementation(name=CLIENT, version="1.0")) as client:
            operations = [{"type": "ADD", "section": "tests", "content": content}]
            given = {"playbook": "ace", "operations": operations, "reasoning": "The tests say so."}
            result = await client.call_tool("propose_changes", given)
            assert not result.is_error, result.content
            return result.structured_content or {}

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, call()).result()


def test_what_a_program_teaches_is_seen_to_grow_and_answers_its_later_question(start_app: StartApp, page: Page):
    app = start_app()
    client = OpenAI(base_url=f"{app.url}/v1", api_key="none")

    def chat(text: str) -> str | None:
        answer = client.chat.completions.create(model="ace", messages=[{"role": "user", "content": text}])
        return answer.choices[0].message.content

    page.goto(f"{app.url}/playbook")
    expect(page.get_by_role("heading", name="No playbook yet")).to_be_visible()
    assert chat(f"{BAKERY}\nAnswer: 1.5") != "1.5"
    expect(page.get_by_text(EXAMPLE).first).to_be_visible()
    chat(f"{CINEMA}\nAnswer: 2.5")
    expect(page.get_by_text("1 text changed.")).to_be_visible()
    chat(f"{MARGIN}\nAnswer: 10")
    expect(page.get_by_text("2 bullets ·")).to_be_visible()
    expect(page.get_by_text(FORMULA)).to_be_visible()
    assert chat(HOTEL) == "0.8"


def test_a_proposal_is_approved_or_rejected_by_click_under_the_name_of_its_client(start_app: StartApp, page: Page):
    app = start_app()
    page.goto(f"{app.url}/playbook")
    page.get_by_role("button", name="New, empty").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Name").fill("ace")
    page.get_by_role("dialog").get_by_role("textbox", name="Name").press("Tab")
    page.get_by_role("dialog").get_by_role("button", name="Make it").click()
    page.get_by_role("radio", name="Approve").click()
    expect(page.get_by_text("Nothing waits for you here.")).to_be_visible()

    assert propose(app, RULE)["status"] == "waits for a person's approval"
    expect(page.get_by_text(f"“{CLIENT}” proposes: {RULE}")).to_be_visible()
    expect(page.get_by_role("textbox", name="Its text")).to_have_value(RULE)
    assert learned(app) == []
    page.get_by_role("button", name="Send: 1 approved, 0 rejected").click()
    expect(page.get_by_text("1 bullet ·")).to_be_visible()
    assert learned(app) == [RULE]

    propose(app, WRONG)
    expect(page.get_by_role("textbox", name="Its text")).to_have_value(WRONG)
    page.get_by_text("✕ Reject").click()
    page.get_by_placeholder("Why not?").fill("It pins what others use")
    page.get_by_placeholder("Why not?").press("Enter")
    page.get_by_role("button", name="Send: 0 approved, 1 rejected").click()
    expect(page.get_by_text("Nothing waits for you here.")).to_be_visible()
    page.get_by_role("radio", name="Bullets").click()
    expect(page.get_by_role("button", name="tests-00001")).to_be_visible()
    expect(page.locator(".st-key-bullets").get_by_text(WRONG)).to_have_count(0)
    expect(page.get_by_text("Rejected by the user: It pins what others use")).to_be_visible()
    assert learned(app) == [RULE]
