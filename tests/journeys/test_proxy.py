"""Behind a reverse proxy, as nginx serves the app below a path: every page, a run, a download, and what is said if not."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.documents.blocks import BLOCKS
from tests.journeys.app import App
from tests.journeys.nginx import HOST, UPGRADE, Proxy, needs_nginx
from tests.journeys.playground_page import Playground
from tests.journeys.test_exported_page import download

PAGES = (
    "", "gallery", "gallery?pipeline=iterative_writing", "build", "playbook", "sessions", "lab", "settings", "demo", "help",
)  # fmt: skip

pytestmark = needs_nginx


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


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")
def test_the_recipe_for_caddy_is_one_that_caddy_reads(tmp_path: Path):
    recipe = next(block.code for block in BLOCKS if block.language == "caddyfile" and "/playground" in block.code)
    file = tmp_path / "Caddyfile"
    file.write_text(f"http://localhost:8999 {{\n{recipe}\n}}\n", encoding="utf-8")
    command = ["caddy", "adapt", "--adapter", "caddyfile", "--config", str(file)]
    read = subprocess.run(command, capture_output=True, text=True, check=False)
    assert read.returncode == 0, read.stderr
    assert '"strip_path_prefix":"/playground"' in read.stdout
