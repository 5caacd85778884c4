"""Web apps that the page is measured beside: a bare Streamlit page, and `adk web` of google-adk.

Each is a process of its own on a free port. `adk web` asks Google for fonts; without a network it works, with names of icons
in their place.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Page

from tests.benchmarks.imports import ROOT
from tests.benchmarks.processes import WorkerError, python_of

PATIENCE = 120.0
ADK_APP = "plain"
ADK_SESSION = "long"
_BARE_SCRIPT = 'import streamlit as st\n\nst.write("Ready")\n'
_ADK_AGENT = """
from google.adk.agents import BaseAgent

class Plain(BaseAgent):
    async def _run_async_impl(self, ctx):
        return
        yield

root_agent = Plain(name="plain")
"""


@contextmanager
def bare_streamlit(folder: Path, *, source: str = _BARE_SCRIPT) -> Iterator[str]:
    """The address of a Streamlit page; by default of one that writes one word: "Ready"."""
    script = folder / "bare.py"
    script.write_text(source)
    port = _free_port()
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(script),
        "--server.port",
        str(port),
        "--server.headless",
        "true",
    ]
    command += ["--server.address", "127.0.0.1", "--browser.gatherUsageStats", "false", "--server.fileWatcherType", "none"]
    with _served(command, f"http://127.0.0.1:{port}", "/_stcore/health") as url:
        yield url


@contextmanager
def adk_web(folder: Path) -> Iterator[str]:
    """The address of the developer page of google-adk, with a pipeline that says nothing.

    Raises:
        WorkerError: uv is not installed, or google-adk could not be.
    """
    agent = folder / "adk" / ADK_APP
    agent.mkdir(parents=True)
    (agent / "__init__.py").write_text("from . import agent\n")
    (agent / "agent.py").write_text(_ADK_AGENT)
    port = _free_port()
    command = [*python_of("adk")[:-1], "adk", "web", str(agent.parent), "--port", str(port)]
    command += ["--session_service_uri", f"sqlite:///{folder / 'adk.db'}"]
    with _served(command, f"http://127.0.0.1:{port}", "/list-apps") as url:
        yield url


def bare_page(page: Page, url: str) -> float:
    """Seconds from navigation until the word is there."""
    started = time.perf_counter()
    page.goto(url)
    page.get_by_text("Ready").wait_for()
    return time.perf_counter() - started


def adk_page(page: Page, url: str) -> float:
    """Seconds from navigation until a message can be typed."""
    started = time.perf_counter()
    page.goto(f"{url}/dev-ui/?app={ADK_APP}&userId=user", wait_until="commit")
    page.locator("textarea").wait_for()
    return time.perf_counter() - started


def adk_session(page: Page, link: str, *, events: int) -> float:
    """Seconds from navigation until the last stored event is shown."""
    started = time.perf_counter()
    page.goto(link, wait_until="commit")
    page.get_by_text(f"{_beginning(events)} the lamp").first.wait_for(state="attached")
    return time.perf_counter() - started


def write_adk_session(url: str, events: int) -> str:
    """Stores a session of so many events; returns the address of the page that shows it."""
    body = {"sessionId": ADK_SESSION, "events": [_adk_event(number) for number in range(1, events + 1)]}
    request = urllib.request.Request(
        f"{url}/apps/{ADK_APP}/users/user/sessions",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=PATIENCE).read()
    return f"{url}/dev-ui/?app={ADK_APP}&session={ADK_SESSION}&userId=user"


def _adk_event(number: int) -> dict[str, object]:
    text = f"{_beginning(number)} the lamp burned lower than the night before, and nobody on the quay asked why. " * (
        1 + number % 3
    )
    author, role = ("user", "user") if number == 1 else (ADK_APP, "model")
    content = {"role": role, "parts": [{"text": text}]}
    return {"id": f"e{number}", "author": author, "invocationId": "run", "timestamp": float(number), "content": content}


def _beginning(number: int) -> str:
    """How an event's text begins. "1." would be read as a list by the page, which shows Markdown."""
    return f"Night {number}:"


@contextmanager
def _served(command: Sequence[str], url: str, health: str) -> Iterator[str]:
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + PATIENCE
        while not _answers(url + health):
            if process.poll() is not None or time.monotonic() > end:
                raise WorkerError(f"{command[0]} does not serve {url}; it was started with: {' '.join(command)}")
            time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def _answers(url: str) -> bool:
    with suppress(OSError):
        urllib.request.urlopen(url, timeout=5).read()
        return True
    return False
