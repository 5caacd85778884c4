"""An agent that blocks its thread, in one tab, and what goes on meanwhile in another; a server that dies beside another."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.journeys.app import App
from tests.journeys.log_reader import entries
from tests.journeys.playground_page import Playground
from tests.journeys.test_run_and_watch import session_in

AGENT = """
import time
from agents import BaseAgent, Event
from google.genai import types

class Researcher(BaseAgent):
    name: str = "researcher"

    async def _run_async_impl(self, ctx):
        asked = ctx.user_content.parts[0].text
        yield Event(author=self.name, content=types.Content(role="model", parts=[types.Part(text="I begin")]))
        if asked == "block":
            {code}
        yield Event(author=self.name, content=types.Content(role="model", parts=[types.Part(text="I am done")]))

root_agent = Researcher()
"""


@pytest.mark.parametrize(
    ("code", "line"),
    [("time.sleep(600)", "time.sleep(600)"), ("while True: pass", "while True: pass")],
    ids=["sleep", "loop"],
)
def test_a_blocked_run_delays_no_other_is_named_and_is_stopped(
    start_app: Callable[..., App], tmp_path: Path, context: BrowserContext, page: Page, code: str, line: str
):
    package = tmp_path / "own" / "blocker"
    package.mkdir(parents=True)
    (package / "agent.py").write_text(AGENT.format(code=code))
    app = start_app(agents=package.parent)
    blocked = Playground(page).open(f"{app.url}/?pipeline=blocker")
    blocked.say("block")
    expect(blocked.events.get_by_role("row", name=re.compile("I begin"))).to_be_visible()

    other = Playground(context.new_page()).open(f"{app.url}/?pipeline=tool_loop")
    other.run_button.click()
    other.expect_end("completed")
    other.page.close()

    notice = page.get_by_text("Agent researcher has not responded for")
    expect(notice).to_contain_text(f"_run_async_impl, agent.py line 13: {line}. Stop ends it.")
    blocked.stop_button.click()
    blocked.expect_end("stopped")
    expect(notice).to_be_hidden()
    log = entries(app.database, session_in(page))
    assert (log[-1]["kind"], log[-1]["status"]) == ("run_finished", "stopped")

    blocked.say("go on")
    expect(blocked.events.get_by_role("row", name=re.compile(r"^Event .*I am done"))).to_be_visible()
    blocked.expect_end("completed")


def test_the_death_of_another_server_is_seen(start_app: Callable[..., App], context: BrowserContext, page: Page, watch):
    other = start_app(words_per_second=2)
    mine = start_app(words_per_second=2)
    assert mine.database == other.database
    started = Playground(page).open(other.url)
    started.run_button.click()
    expect(started.events.get_by_role("row", name="InitialWriterAgent is writing")).to_be_visible()
    watching = Playground(context.new_page()).open(page.url.replace(other.url, mine.url))
    expect(watching.status).to_contain_text(re.compile("running", re.IGNORECASE))
    watch.expects_cut = True
    other.kill()
    watching.expect_end("interrupted")
