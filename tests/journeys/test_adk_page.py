"""The page of `adk web`, as google-adk brings it, on this server: send, stream, a confirmation, state, a stored session."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.benchmarks.imports import ROOT, environment
from tests.benchmarks.processes import WorkerError, python_of
from tests.journeys.app import App

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
MESSAGE = "Pay 250 euros to the boat builder"


PAINTER = f"""
from base64 import b64decode
from google.adk.agents import BaseAgent
from google.adk.events import Event, EventActions
from google.genai import types

class Painter(BaseAgent):
    async def _run_async_impl(self, ctx):
        dot = types.Part.from_bytes(data=b64decode("{DOT}"), mime_type="image/png")
        kept = ctx.session
        version = await ctx.artifact_service.save_artifact(
            app_name=kept.app_name, user_id=kept.user_id, session_id=kept.id, filename="dot.png", artifact=dot
        )
        yield Event(
            author=self.name,
            invocation_id=ctx.invocation_id,
            content=types.Content(role="model", parts=[types.Part(text="Painted.")]),
            actions=EventActions(artifact_delta={{"dot.png": version}}),
        )

root_agent = Painter(name="Painter")
"""


@pytest.fixture
def painter(tmp_path: Path) -> Path:
    """A folder with an agent that saves a picture."""
    (tmp_path / "agents" / "painter").mkdir(parents=True)
    (tmp_path / "agents" / "painter" / "agent.py").write_text(PAINTER)
    return tmp_path / "agents"


@pytest.fixture
def adk_page() -> Iterator[str]:
    """The address of the page."""
    try:
        python = python_of("adk")
    except WorkerError as error:
        pytest.skip(str(error))
    command = [*python, str(Path(__file__).with_name("adk_page.py"))]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        if not (address := process.stdout.readline().strip()) and not os.environ.get("CI"):
            pytest.skip(f"google-adk cannot be installed here: {process.stderr.read()[-300:]}")
        yield address
        process.terminate()


def test_the_page_of_adk_web_runs_on_this_server(
    start_app: Callable[..., App], chromium: Browser, adk_page: str, painter: Path
):
    app = start_app(agents=painter, variables={"PLAYGROUND_API_ORIGINS": adk_page})
    with chromium.new_context() as context:
        context.route(lambda url: "127.0.0.1" not in url, lambda route: route.abort())  # its fonts
        context.route("**/runtime-config.json", lambda route: route.fulfill(json={"backendUrl": app.url.rstrip("/")}))
        page = context.new_page()
        page.goto(f"{adk_page}/dev-ui/?app=approval")
        page.get_by_text("No Thanks").click()
        page.locator("textarea").last.fill(MESSAGE)
        page.locator("textarea").last.press("Enter")
        expect(page.get_by_text(MESSAGE, exact=True).first).to_be_visible()
        expect(page.get_by_text("send_payment").first).to_be_visible()
        page.get_by_role("checkbox").check()
        page.get_by_role("button", name="Submit").click()
        expect(page.get_by_text("R-0001: 250.00 euros to the boat builder").first).to_be_visible()
        page.get_by_role("tab", name="State").click()
        expect(page.get_by_text("payments_made").first).to_be_visible()
        page.goto(f"{adk_page}/dev-ui/?app=painter")
        page.get_by_text("No Thanks").click()
        page.locator("textarea").last.fill("a picture")
        page.locator("textarea").last.press("Enter")
        page.get_by_role("tab", name="Artifacts").click()
        expect(page.get_by_text("dot.png").first).to_be_visible()
        expect(page.locator("img[src^='data:image/png']").first).to_be_visible()
        ours = context.new_page()
        ours.goto(f"{app.url}/sessions")
        expect(ours.get_by_text(MESSAGE).first).to_be_visible()
