"""Streamlit's undocumented parts in the browser: the elements that selectors mark, the Back button, pages below the root."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.journeys.app import App
from ui.dependencies.streamlit_private import SELECTORS

SCRIPT = """
import time
from pathlib import Path

import streamlit as st

from ui.dependencies.streamlit_private import is_history_navigation


def wait():
    while not Path("go_on").exists():
        time.sleep(0.01)


def elements():
    st.sidebar.write("At the side")
    st.columns(1)[0].write("In a column")
    st.caption("A caption")
    st.page_link(bottom, label="A link")
    st.button("No frame", type="tertiary")
    st.button("Filled", type="primary")


def with_bottom():
    st.chat_input("A message")
    st.popover("Open", help="What it opens").text("Inside")
    st.button("Wait", on_click=wait)
    st.button("Go on", on_click=lambda: st.query_params.update(at="there"))
    st.write(f"Back or Forward: {is_history_navigation()}")


bottom = st.Page(with_bottom, title="Bottom", url_path="bottom")
st.navigation([st.Page(elements, title="Elements"), bottom], position="hidden").run()
"""
"""Two pages with everything that selectors mark."""

ON_THE_FIRST_PAGE = {
    "app": ["Skip to main content At the side Deploy In a column A caption A link No frame Filled"],
    "script": [""],
    "main": ["In a column A caption A link No frame Filled"],
    "main-block": ["In a column A caption A link No frame Filled"],
    "header": ["Deploy"],
    "sidebar": ["At the side"],
    "sidebar-header": [""],
    "vertical-block": [
        "At the side",
        "In a column A caption A link No frame Filled",
        "In a column",
    ],
    "column": ["In a column"],
    "element": [
        *("At the side", "In a column"),
        *("A caption", "A link", "No frame", "Filled"),
    ],
    "markdown": ["At the side", "In a column", "A link", "No frame", "Filled"],
    "caption": ["A caption"],
    "page-link": ["A link"],
    "primary-button": ["Filled"],
    "tertiary-button": ["No frame"],
}
"""The text of each element that a selector finds."""

ON_THE_SECOND_PAGE = {
    *("bottom", "bottom-block", "chat-input", "chat-send", "status", "expand-sidebar", "popover-button", "tooltip"),
}


class Served(NamedTuple):
    url: str
    folder: Path


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The script, as `streamlit run` serves it."""
    folder = tmp_path_factory.mktemp("elements")
    (folder / "page.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "streamlit", "run", "page.py", "--server.address", "127.0.0.1", "--server.port", "0"]
    command += ["--server.headless", "true", "--browser.gatherUsageStats", "false"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        yield Served(next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line))), folder)
        process.kill()


def marked(page: Page, name: str) -> Locator:
    return page.locator(SELECTORS[name])


def to_the_second_page(served: Served, page: Page) -> None:
    """By its link: a page below the root, opened at once, first asks for what is not there."""
    page.goto(served.url)
    marked(page, "page-link").click()


def test_every_selector_is_looked_for():
    assert ON_THE_FIRST_PAGE.keys() | ON_THE_SECOND_PAGE == SELECTORS.keys()


def test_each_selector_finds_the_elements_that_it_is_for(served: Served, page: Page):
    page.goto(served.url)
    for name, texts in ON_THE_FIRST_PAGE.items():
        expect(marked(page, name), name).to_have_text(texts, use_inner_text=True)


def test_each_selector_finds_what_is_there_at_times(served: Served, page: Page):
    to_the_second_page(served, page)
    expect(marked(page, "chat-input")).to_have_attribute("placeholder", "A message")
    expect(marked(page, "chat-send")).to_be_disabled()
    expect(marked(page, "bottom").locator(SELECTORS["bottom-block"]).locator(SELECTORS["chat-input"])).to_be_visible()
    page.get_by_role("button", name="Wait").click()
    expect(marked(page, "status")).to_contain_text("Stop")
    (served.folder / "go_on").touch()
    expect(marked(page, "status")).to_have_count(0)


def test_help_and_what_opens_a_popover_are_known(served: Served, page: Page):
    to_the_second_page(served, page)
    button = marked(page, "popover-button").first  # with help there is a second, for narrow screens
    expect(button).to_contain_text("Open")
    button.hover()
    expect(marked(page, "tooltip")).to_have_text("What it opens")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")


def test_a_collapsed_sidebar_is_known_by_its_button(served: Served, page: Page):
    page.goto(served.url)
    expect(page.get_by_text("At the side")).to_be_visible()
    expect(marked(page, "expand-sidebar")).to_have_count(0)
    page.get_by_test_id("stSidebar").hover()
    page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
    expect(marked(page, "expand-sidebar")).to_be_visible()


def test_the_script_is_told_that_the_browser_went_back(served: Served, page: Page):
    to_the_second_page(served, page)
    expect(page.get_by_text("Back or Forward: False")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page).to_have_url(re.compile("at=there"))
    page.go_back()
    expect(page.get_by_text("Back or Forward: True")).to_be_visible()


def test_a_page_below_the_root_asks_its_server_at_the_root_at_once(app: App, page: Page):
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    page.goto(f"{app.url}/gallery")
    expect(page.get_by_role("heading").first).to_be_visible()
    assert any(url.startswith(f"{app.url}/_stcore/") for url in asked)
    assert not [url for url in asked if "/gallery/_stcore/" in url]


def test_the_first_page_asks_for_no_module_after_it_was_drawn_in_part(start_app: Callable[..., App], page: Page):
    """Each element's module was preloaded. A cold server shows a spinner, and the chat input's recorder loads in the end."""
    late: list[str] = []

    def note(request: Request) -> None:
        _, of_streamlit, name = request.url.partition("/static/js/")
        if of_streamlit and not name.startswith(("Spinner.", "wavesurfer.", "record.")):
            late.append(name)

    page.once("websocket", lambda _socket: page.on("request", note))
    page.goto(start_app().url)
    expect(page.get_by_role("button", name="▶ Run")).to_be_visible()
    assert late == []
