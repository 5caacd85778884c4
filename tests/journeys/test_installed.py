"""The wheel, installed in a clean environment and started in an empty folder: page, theme, demo and Gallery are there."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground

ROOT = Path(__file__).parents[2]
SIZE_OF_TEXT = "15px"
"""As `.streamlit/config.toml` has it; Streamlit's own is 16."""
UV = os.environ.get("UV") or shutil.which("uv")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory) -> Path:
    """The folder of the commands of an environment that has the wheel and what it depends on, and nothing else."""
    if UV is None:
        pytest.skip("the wheel is built and installed by uv")
    folder = tmp_path_factory.mktemp("installed")
    environment = os.environ | {"UV_PROJECT_ENVIRONMENT": str(folder / "venv"), "UV_OFFLINE": "1"}

    def uv(*arguments: str) -> None:
        subprocess.run([UV, *arguments], cwd=ROOT, env=environment, check=True, capture_output=True, text=True)

    uv("build", "--quiet", "--wheel", "--out-dir", str(folder))
    [wheel] = folder.glob("*.whl")
    uv("sync", "--quiet", "--frozen", "--no-dev", "--no-install-project")
    uv("pip", "install", "--quiet", "--no-deps", "--python", str(folder / "venv"), str(wheel))
    return folder / "venv" / "bin"


def test_the_command_has_the_name_of_the_package(scripts, tmp_path):
    said = subprocess.run(
        [scripts / "multi-agent-playground", "--version"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert said.stdout.startswith("multi-agent-playground ")


def test_the_documents_come_along(scripts, tmp_path):
    said = subprocess.run(
        [scripts / "playground", "help", "changelog"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert said.stdout.startswith("# Changelog\n")


def test_page_theme_gallery_and_demo_work(page: Page, scripts, tmp_path):
    command = str(scripts / "multi-agent-playground")
    app = App(tmp_path / "playground.db", command=(command, "demo", "ace"), folder=tmp_path).start()
    try:
        page.goto(app.url)
        expect(page.get_by_text("Step 1 of 17")).to_be_visible()
        size = page.evaluate("getComputedStyle(document.documentElement).fontSize")

        page.goto(f"{app.url.split('?')[0].rstrip('/')}/?pipeline=status_poller")
        playground = Playground(page)
        playground.run_button.click()
        playground.expect_end()

        page.get_by_role("link", name="Gallery").click()
        expect(page.get_by_role("link", name="Report writer")).to_be_visible()
    finally:
        app.kill()

    assert size == SIZE_OF_TEXT
