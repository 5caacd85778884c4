"""A session leaves the app as a page, is replayed from the disk without a network, and comes back from its file."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground

HARM = "document.title='broken'"
HOSTILE = f'a harbour </script><script>{HARM}</script><img src=x onerror="{HARM}"> <!-- [x](javascript:{HARM})'


def download(page: Page, format: str, folder: Path) -> Path:
    """Exports the open session by its menu."""
    page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Export …").click()
    dialog = page.get_by_role("dialog", name="Export this session")
    with page.expect_download() as started:
        dialog.get_by_role("link", name=format).click()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    return path


def tokens(view: Playground) -> str:
    """How many tokens the status says were used."""
    return re.findall(r"[\d,]+ tokens", view.status.inner_text())[0]


def replay_offline(page: Page, exported: Path, used: str) -> None:
    """Opens the page from the disk without a network, and looks at everything in it."""
    messages: list[str] = []
    page.context.set_offline(True)
    try:
        alone = page.context.new_page()
        alone.on("console", lambda message: messages.append(message.text))
        requests: list[str] = []
        alone.on("request", lambda request: requests.append(request.url))
        alone.goto(exported.as_uri())
        view = Playground(alone)
        view.expect_end()
        assert tokens(view) == used
        expect(view.status).to_contain_text("simulated")
        expect(alone.get_by_role("heading", level=1)).to_contain_text("a harbour </script><script>")
        view.events.press("Home")
        expect(view.event(1)).to_contain_text("<img src=x onerror=")
        for tab in ("Event", "Timeline", "Usage", "JSON", "State"):
            view.open_tab(tab)
        expect(view.inspector).to_contain_text(re.compile("State after event 1 of "))
        view.event(2).click()
        expect(view.inspector).to_contain_text(re.compile("State after event 2 of "))
        view.inspector.get_by_role("tab", name="Prompt").click()
        expect(view.inspector).to_contain_text("You are an agent. Your internal name is")
        view.graph.get_by_role("button", name=re.compile("CriticAgent")).click()
        expect(view.event(1)).to_have_count(0)
        alone.emulate_media(color_scheme="dark")
        expect(alone.locator(".session-view")).to_have_attribute("data-theme", "dark")
        expect(alone).not_to_have_title("broken")
        assert messages == []
        assert [url for url in requests if not url.startswith("data:")] == [exported.as_uri()]
        alone.close()
    finally:
        page.context.set_offline(False)


def test_a_session_leaves_as_a_page_and_comes_back_from_a_file(app: App, page: Page, tmp_path: Path):
    live = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    live.say(HOSTILE)
    live.expect_end()
    used = tokens(live)
    exported, lines = download(page, "Page", tmp_path), download(page, "JSON lines", tmp_path)
    replay_offline(page, exported, used)

    page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Import …").click()
    dialog = page.get_by_role("dialog", name="Import a session")
    dialog.locator("input[type=file]").set_input_files(exported)
    expect(dialog.get_by_role("alert")).to_contain_text("This is a page to look at")
    dialog.locator("input[type=file]").set_input_files(lines)
    expect(dialog.get_by_text("events of iterative")).to_be_visible()
    before = page.url
    dialog.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported “a harbour")).to_be_visible()
    expect(dialog).to_have_count(0)
    assert page.url != before
    live.expect_end()
    assert tokens(live) == used
    expect(page).not_to_have_title("broken")


def test_what_is_unchecked_right_before_the_click_does_not_go_along(app: App, page: Page, tmp_path: Path):
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    view.say("a harbour")
    view.expect_end()
    page.get_by_role("button", name="⋯").click()
    page.get_by_role("button", name="Export …").click()
    dialog = page.get_by_role("dialog", name="Export this session")
    link = dialog.get_by_role("link", name="Page")
    link.click(trial=True)
    with page.expect_download() as started:
        dialog.locator("label", has_text="State of this session").evaluate(
            "(label, link) => (label.click(), link.click())", link.element_handle()
        )
    started.value.save_as(path := tmp_path / "page.html")
    page.goto(path.as_uri())
    expect(page.locator("header.about")).to_contain_text("Left out: state of the scope session.")
    expect(page.get_by_role("tabpanel", name="State")).to_contain_text("Nothing is in state here.")
