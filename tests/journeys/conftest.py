"""Chromium, pages that watch themselves, and apps to open in them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    WebError,
    expect,
    sync_playwright,
)

from tests.journeys.app import App, ForkedApp
from tests.journeys.nginx import Proxy, proxies

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WITHOUT = [
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "PreloadTopChromeWebUI",
    # Playwright's own list, which this one replaces:
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin", "OptimizationHints", "NetworkTimeServiceQuerying",
    "AimEnabled", "PreconnectToSearch",
]  # fmt: skip
"""Features of Chromium that are off: the pages of its address bar take a second of CPU time for each browser context."""
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", f"--disable-features={','.join(WITHOUT)}",
]  # fmt: skip
ONE_PROCESS = "--renderer-process-limit=1"
"""A site's pages in one process, which compiles their scripts once: tests see the same, and take less time."""
OF_A_HELD_SOCKET = "WebSocket is already in CLOSING or CLOSED state"
"""Raised by Playwright's stand-in for a socket, where the browser's own raises nothing: sending as a page is left."""
OF_A_CUT = (
    "WebSocket",
    "ERR_CONNECTION",
    "fetch",
    "when disconnected from server",
    "Client Error in reaching",
    "Streamlit server is not responding",
)
"""What a browser's console says of a server that is gone: the browser itself, then Streamlit."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker("browser")


expect.set_options(timeout=60_000)  # what comes is seen at once; a busy machine may take its time


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One for all journeys of a worker; it ends before other tests, since its event loop would be in the way of theirs."""
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("Chromium is not installed: apt install chromium")  # in CI its absence is a failure
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, ONE_PROCESS])
        yield browser
        browser.close()


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    """Starts an nginx in front of an app."""
    with proxies(tmp_path) as start:
        yield start


class Profile:
    """A browser context for one test after another: as new for each, but in a process that has compiled the scripts.

    Its first page stays, and keeps the process of the site; tests' pages are in the same one (`ONE_PROCESS`).
    """

    def __init__(self, browser: Browser, options: dict[str, Any]) -> None:
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(60_000)
        self._first = self.context.new_page()
        self._first.route("**/*", lambda route: route.fulfill(body=""))
        self._first.goto("http://127.0.0.1/")
        self._protocol = self.context.new_cdp_session(self._first)

    def clear(self) -> None:
        """Closes the test's pages, and deletes what they stored."""
        for page in self.context.pages:
            if page is not self._first:
                page.close()
        self._protocol.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})


class Watch:
    """What went wrong in a browser context; a journey that cuts the connection on purpose says so."""

    def __init__(self, context: BrowserContext) -> None:
        self.problems: list[str] = []
        self.expects_cut = False
        self._context = context
        self._handlers = {
            "console": self._console,
            "weberror": self._error,
            "request": self._request,
            "response": self._response,
        }
        for event, handler in self._handlers.items():
            context.on(event, handler)  # pyright: ignore[reportArgumentType, reportCallIssue]

    def end(self) -> None:
        """What comes later is another test's."""
        for event, handler in self._handlers.items():
            self._context.remove_listener(event, handler)

    def _error(self, error: WebError) -> None:
        if OF_A_HELD_SOCKET not in str(error.error):
            self.problems.append(f"page error: {error.error}")

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


@pytest.fixture(scope="package")
def profiles(chromium: Browser) -> dict[str, Profile]:
    """Profiles by their options."""
    return {}


@pytest.fixture
def context(chromium: Browser, profiles: dict[str, Profile], request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    options = {"viewport": {"width": 1280, "height": 720}, "color_scheme": "light"} | getattr(request, "param", {})
    name = json.dumps(options, sort_keys=True)
    if name not in profiles:
        profiles[name] = Profile(chromium, options)
    yield profiles[name].context
    profiles[name].clear()


@pytest.fixture
def watch(context: BrowserContext) -> Iterator[Watch]:
    watch = Watch(context)
    yield watch
    watch.end()
    assert watch.problems == []


@pytest.fixture
def page(context: BrowserContext, watch: Watch) -> Page:
    return context.new_page()


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server for journeys that need none of their own: sessions of other journeys are in its database."""
    app = ForkedApp(tmp_path_factory.mktemp("shared") / "journey.db").start()
    yield app
    app.kill()


@pytest.fixture
def start_app(tmp_path: Path) -> Iterator[Callable[..., App]]:
    apps: list[App] = []

    def start(**options: object) -> App:
        app = ForkedApp(tmp_path / "journey.db", **options)  # pyright: ignore[reportArgumentType]
        apps.append(app)
        return app.start()

    yield start
    for app in apps:
        app.kill()
