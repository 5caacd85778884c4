"""Behind a reverse proxy, as nginx serves the app below a path: every page, a run, a download, and what is said if not."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground
from tests.journeys.test_exported_page import download

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
UPGRADE = "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;"
HOST = "proxy_set_header Host $http_host;"
PAGES = ("", "gallery", "gallery?pipeline=iterative_writing", "playbook", "sessions", "lab", "settings", "demo", "help")
FOLDERS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")

pytestmark = pytest.mark.skipif(NGINX is None and not os.environ.get("CI"), reason="nginx is not installed")
Proxy = Callable[..., str]


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    """Starts an nginx with one location; returns the URL of that."""
    started: list[subprocess.Popen[bytes]] = []

    def start(location: str, upstream: str, headers: str) -> str:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        temporary = "".join(f"{name}_temp_path {tmp_path}/{name};" for name in FOLDERS)
        file = tmp_path / "nginx.conf"
        file.write_text(
            f"daemon off; pid {tmp_path}/nginx.pid; error_log stderr; worker_processes 1; events {{}}"
            f"http {{ access_log off; {temporary} map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}"
            f"server {{ listen 127.0.0.1:{port}; location {location} {{ proxy_pass {upstream}; {headers} }} }} }}"
        )
        assert NGINX is not None, "nginx is not installed: apt install nginx"
        started.append(subprocess.Popen([NGINX, "-e", "stderr", "-p", str(tmp_path), "-c", str(file)]))
        _wait_until_listening(port)
        return f"http://127.0.0.1:{port}{location}"

    yield start
    for process in started:
        process.terminate()
        process.wait(timeout=30)


def _wait_until_listening(port: int) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except ConnectionRefusedError:
            assert time.monotonic() < end, "nginx does not listen"
        else:
            return


@pytest.mark.parametrize("kept", [False, True], ids=["path removed", "path kept"])
def test_every_page_opens_below_a_path_by_link_and_on_reload(
    start_app, page: Page, proxy: Proxy, tmp_path: Path, *, kept: bool
):
    location = "/user/ann/proxy/8501/" if kept else "/playground/"
    app: App = start_app(variables={"STREAMLIT_SERVER_BASE_URL_PATH": location if kept else ""})
    inside = f"http://{urlsplit(app.url).netloc}"
    assert app.url == (inside + location.rstrip("/") if kept else inside)
    url = proxy(location, inside if kept else f"{inside}/", HOST + UPGRADE)
    for name in PAGES:
        page.goto(url + name)
        expect(page.get_by_role("link", name="Sessions", exact=True).first).to_be_visible()
        assert page.url.startswith(url)
    page.get_by_role("link", name="Gallery", exact=True).click()
    expect(page).to_have_url(re.compile(re.escape(f"{url}gallery")))
    page.reload()
    page.get_by_role("link", name="Playground", exact=True).click()
    view = Playground(page)
    view.run_button.click()
    view.expect_end("completed")
    assert page.url.startswith(f"{url}?")
    page.reload()
    view.expect_end("completed")
    assert b"<!doctype html>" in download(page, "Page", tmp_path).read_bytes()[:100].lower()


@pytest.mark.parametrize(
    ("headers", "said"), [(HOST, "The WebSocket of this page is blocked"), (UPGRADE, "pass on the header Host")]
)
def test_what_a_proxy_does_not_pass_on_is_said(app: App, context: BrowserContext, proxy: Proxy, headers: str, said: str):
    page = context.new_page()  # unwatched: that requests fail is the point
    page.goto(f"{proxy('/playground/', f'{app.url}/', headers)}gallery")
    expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()
