"""An engineer's loop: agent files are edited while the page is open; a tool's result and a missing state key are changed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.journeys.app import App
from tests.journeys.log_reader import entries
from tests.journeys.playground_page import Playground
from tests.journeys.test_run_and_watch import session_in

STAGES = Path(__file__).parents[1] / "agents" / "runs" / "stages"
AGENT = """
import asyncio
from pathlib import Path
from agents import BaseAgent, Event
from google.genai import types

class Greeter(BaseAgent):
    name: str = "greeter"

    async def _run_async_impl(self, ctx):
        cue = Path(ctx.user_content.parts[0].text)
        while cue.is_absolute() and not cue.exists():
            await asyncio.sleep(0.02)
        yield Event(author=self.name, content=types.Content(role="model", parts=[types.Part(text="{answer}")]))

root_agent = Greeter()
"""

FAILING = """
from agents import LlmAgent, SequentialAgent
from agents.models.simulated.model import Reply

def pay() -> str:
    \"\"\"Pays.\"\"\"
    raise ConnectionError("secret-of-mine-1234 is refused")

def clerk(request):
    told = any(part.function_response for content in request.contents for part in content.parts or ())
    return "No." if told else Reply(calls=[("pay", {})])

def write(callback_context):
    raise ValueError("secret-of-mine-1234 is no tone")

root_agent = SequentialAgent(
    name="Office",
    sub_agents=[LlmAgent(name="Clerk", tools=[pay]), LlmAgent(name="Writer", before_agent_callback=write)],
)
SIMULATION = {"Clerk": clerk}
"""


@pytest.fixture
def travel(start_app: Callable[..., App], page: Page, tmp_path: Path) -> tuple[App, Playground]:
    """A run that looked up two cities with one tool, and then failed for want of a state key."""
    shutil.copytree(STAGES / "travel", tmp_path / "own" / "travel")
    app = start_app(agents=tmp_path / "own")
    view = Playground(page).open(f"{app.url}/?pipeline=travel")
    view.say("where to?")
    view.expect_end("failed")
    return app, view


def row_with(view: Playground, text: str) -> Locator:
    return view.events.get_by_role("row", name=re.compile(rf"^Event \d+, .*{re.escape(text)}"))


def test_a_changed_file_runs_next_its_source_is_shown_and_a_broken_one_says_where_until_it_is_mended(
    start_app: Callable[..., App], page: Page, context: BrowserContext, tmp_path: Path
):
    file = tmp_path / "own" / "greeting" / "agent.py"
    file.parent.mkdir(parents=True)
    file.write_text(AGENT.format(answer="the first words"))
    app = start_app(agents=tmp_path / "own")
    view = Playground(page).open(f"{app.url}/?pipeline=greeting")
    lesson = context.new_page()
    lesson.goto(f"{app.url}/gallery?pipeline=greeting")
    source = lesson.get_by_role("region", name="agent.py")
    expect(source).to_contain_text("the first words")

    cue = tmp_path / "cue"
    view.say(str(cue))
    view.expect_end("running")
    file.write_text(AGENT.format(answer="the second words"))
    expect(source).to_contain_text("the second words")
    cue.touch()
    expect(row_with(view, "the first words")).to_be_visible()  # a run keeps what it began with
    view.expect_end("completed")

    view.say("again")
    expect(row_with(view, "the second words")).to_be_visible()
    view.expect_end("completed")

    file.write_text(AGENT.format(answer="the third words") + "\nroot_agent = (\n")
    for shown in (page, lesson):
        expect(shown.get_by_text("greeting cannot be loaded")).to_contain_text("'(' was never closed (agent.py, line 18)")
    expect(page.get_by_role("button", name="Open iterative_writing")).to_be_visible()
    expect(source).to_have_count(0)

    file.write_text(AGENT.format(answer="the fourth words"))
    expect(source).to_contain_text("the fourth words")
    expect(row_with(view, "the second words")).to_be_visible()
    view.say("and again")
    expect(row_with(view, "the fourth words")).to_be_visible()
    view.expect_end("completed")


def test_of_two_results_of_a_tool_the_one_that_was_clicked_is_offered(travel: tuple[App, Playground], page: Page):
    _, view = travel
    dialog = page.get_by_role("dialog", name="What if…")
    result = dialog.get_by_role("textbox", name="weather answers, as JSON")
    for city in ("Bergen", "Oslo", "Bergen"):
        view.events.get_by_title("The tool's answer").filter(has_text=city).click()
        page.keyboard.press("f")
        expect(result).to_have_value(re.compile(f'"city": "{city}"'))
        page.keyboard.press("Escape")
        expect(dialog).not_to_be_attached()

    view.open_tab("Event")
    view.inspector.get_by_role("button", name="Another result…").first.click()
    expect(result).to_have_value(re.compile('"city": "Oslo"'))
    result.fill('{"city": "Rome", "sky": "rain"}')
    dialog.get_by_role("button", name="▶ Run", exact=True).click()
    expect(dialog).not_to_be_attached()
    expect(row_with(view, "Rome rain, Bergen sunny")).to_be_visible()


def test_a_missing_state_key_is_set_from_its_error_and_the_fork_completes(travel: tuple[App, Playground], page: Page):
    app, view = travel
    origin = session_in(page)
    log = entries(app.database, origin)
    error = row_with(view, "error: ")
    error.get_by_role("button", name="Set tone and retry…").click()
    dialog = page.get_by_role("dialog", name="Set a state key and retry")
    retry = dialog.get_by_role("button", name="▶ Set and retry")
    retry.click()
    expect(dialog.get_by_role("alert")).to_contain_text("Type a value.")
    dialog.get_by_role("textbox", name="Value").fill("warm & short")
    retry.click()
    expect(dialog).not_to_be_attached()
    view.expect_end("completed")
    expect(row_with(view, "My tone is warm & short.")).to_be_visible()
    assert session_in(page) != origin
    assert entries(app.database, origin) == log
    rows = view.session("where to")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="failed")).to_have_count(1)


def test_an_exception_shows_its_traceback_folded_with_file_and_line_and_without_keys(
    start_app: Callable[..., App], page: Page, tmp_path: Path
):
    file = tmp_path / "own" / "office" / "agent.py"
    file.parent.mkdir(parents=True)
    file.write_text(FAILING)
    app = start_app(agents=tmp_path / "own", variables={"GOOGLE_API_KEY": "secret-of-mine-1234"})
    view = Playground(page).open(f"{app.url}/?pipeline=office")
    view.say("pay")
    view.expect_end("failed")
    tracebacks = view.events.locator("details.traceback")
    expect(tracebacks).to_have_count(2)
    for traceback, words, source in zip(
        tracebacks.all(),
        ["ConnectionError in pay, agent.py line 7", "ValueError in write, agent.py line 14"],
        ['raise ConnectionError("[key] is refused")', 'raise ValueError("[key] is no tone")'],
        strict=True,
    ):
        summary = traceback.locator("summary").first
        expect(summary).to_have_text(f"Traceback: {words}")
        expect(traceback.locator("ol").first).to_be_hidden()
        summary.click()
        expect(traceback.locator("ol code").first).to_have_text(source)
    assert "secret-of-mine" not in page.content() + view.events.inner_text()
    told = entries(app.database, session_in(page))
    assert "[key] is refused" in str(told)
    assert "secret-of-mine" not in str(told)
    assert "secret-of-mine" not in app.printed_with("failed: ValueError")
