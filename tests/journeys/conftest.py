"""Chromium, pages that watch themselves, and apps to open in them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response, expect, sync_playwright

from tests.journeys.app import App

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
OF_A_CUT = ("WebSocket", "ERR_CONNECTION", "fetch", "Client Error in reaching", "Streamlit server is not responding")
"""What a browser's console says of a server that is gone: the browser itself, then Streamlit after a longer while."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("Chromium is not installed: apt install chromium")  # in CI its absence is a failure
    with sync_playwright() as playwright:  # one a module: its event loop would be in the way of asynchronous tests
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Watch:
    """What went wrong in a browser context; a journey that cuts the connection on purpose says so."""

    def __init__(self, context: BrowserContext) -> None:
        self.problems: list[str] = []
        self.expects_cut = False
        context.on("console", self._console)
        context.on("weberror", lambda error: self.problems.append(f"page error: {error.error}"))
        context.on("request", self._request)
        context.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        cut = self.expects_cut and any(words in message.text for words in OF_A_CUT)
        if message.type == "error" and not cut:
            self.problems.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and not (
            parts.hostname == "localhost" or (parts.hostname or "").startswith("127.")
        ):
            self.problems.append(f"a request left this machine: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.append(f"HTTP {response.status}: {response.url}")


@pytest.fixture
def context(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    options = {"viewport": {"width": 1280, "height": 720}, "color_scheme": "light"} | getattr(request, "param", {})
    context = chromium.new_context(**options)
    context.set_default_timeout(20_000)
    yield context
    context.close()


@pytest.fixture
def watch(context: BrowserContext) -> Iterator[Watch]:
    watch = Watch(context)
    yield watch
    assert watch.problems == []


@pytest.fixture
def page(context: BrowserContext, watch: Watch) -> Page:
    return context.new_page()


@pytest.fixture
def start_app(tmp_path: Path) -> Iterator[Callable[..., App]]:
    apps: list[App] = []

    def start(**options: object) -> App:
        app = App(tmp_path / "journey.db", **options)  # pyright: ignore[reportArgumentType]
        apps.append(app)
        return app.start()

    yield start
    for app in apps:
        app.kill()
