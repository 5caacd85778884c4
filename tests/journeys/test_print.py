"""What is printed: a lesson or a session whole, without what is for the screen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.app import App, run_command
from tests.journeys.playground_page import Playground

TOPIC = "a ferry in the fog that nobody has asked for, with a captain who counts the lamps. " * 30
CUT = """
() => [...document.querySelectorAll("[data-testid=stApp], [data-testid=stMain], .session-view")]
  .filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.className)
"""
"""Boxes whose content is longer than they are, so that paper would show a part of it."""

UNFOLDED = """(view) => {
  const [folded, text] = ["details", "p"].map((tag) => document.createElement(tag));
  folded.append("inside", text);
  view.append(folded);
  const seen = text.checkVisibility();
  folded.remove();
  return seen;
}"""


def test_a_lesson_is_printed_whole_and_without_the_sidebar(app: App, page: Page):
    page.goto(f"{app.url}/gallery?pipeline=ace")
    expect(page.locator(".st-key-lesson_head")).to_be_visible()
    sidebar = page.locator("[data-testid=stSidebar]")
    expect(sidebar).to_be_visible()
    page.emulate_media(media="print")
    expect(sidebar).to_be_hidden()
    page.wait_for_function(
        "document.scrollingElement.scrollHeight >= document.querySelector('.st-key-gallery').scrollHeight"
    )
    inside = "[...document.querySelectorAll('[data-testid=stMain], [data-testid=stApp]')]"
    assert page.evaluate(f"{inside}.every((one) => one.scrollHeight <= one.clientHeight + 1)"), "nothing is cut off"


def test_titles_stand_beside_the_logo_of_a_closed_sidebar(app: App, page: Page):
    page.set_viewport_size({"width": 720, "height": 900})
    for name in ("build", "lab", "demo", "sessions", "settings"):
        page.goto(f"{app.url}/{name}")
        title = page.get_by_role("heading", level=2).first
        expect(title).to_be_visible()
        words = title.evaluate("(one) => { const r = document.createRange(); r.selectNodeContents(one); "
                               "return r.getBoundingClientRect().left }")  # fmt: skip
        button = page.locator("[data-testid=stExpandSidebarButton]").bounding_box()
        assert button is not None
        assert words >= button["x"] + button["width"], name


@pytest.mark.parametrize("place", ["session", "exported"])
@pytest.mark.parametrize("context", [{"color_scheme": "dark", "viewport": {"width": 1280, "height": 400}}], indirect=True)
def test_a_session_is_printed_whole_from_its_view_and_from_its_page(app: App, page: Page, tmp_path: Path, place: str):
    run = json.loads(run_command(app, "run", "iterative_writing", TOPIC, "--json").splitlines()[-1])
    if place == "exported":
        exported = tmp_path / "session.html"
        run_command(app, "export", run["session_id"], "--format", "html", "-o", str(exported))
    here = exported.as_uri() if place == "exported" else f"{app.url}/?pipeline=iterative_writing&session={run['session_id']}"
    view = Playground(page).open(here)
    view.expect_end()
    rows = view.events.get_by_role("row")
    expect(rows.first).to_be_visible()
    on_screen = rows.count()

    page.emulate_media(media="print")
    expect(view.event(1)).to_contain_text(TOPIC.strip())
    assert rows.count() > on_screen
    numbers = [int(one) for one in view.events.locator(".head .number").all_inner_texts()]
    assert numbers == list(range(1, len(numbers) + 1))
    expect(rows.last).to_contain_text("completed")
    for one in (view.inspector, page.get_by_role("group", name="Cursor"), page.locator(".more")):
        expect(one.filter(visible=True)).to_have_count(0)
    expect(view.graph.get_by_role("button", name="CriticAgent")).to_be_visible()
    tops = [box["y"] for row in rows.all() if (box := row.bounding_box())]
    bottoms = [box["y"] + box["height"] for row in rows.all() if (box := row.bounding_box())]
    assert all(below >= above - 1 for above, below in zip(bottoms, tops[1:], strict=False)), "no row lies over another"
    assert page.evaluate(CUT) == []
    assert page.locator(".session-view").evaluate(UNFOLDED), "what is folded is on paper, too"
    expect(page.locator(".session-view")).to_have_attribute("data-theme", "light")
    if place == "session":
        expect(page.locator(".st-key-header")).to_be_hidden()
        expect(page.locator(".st-key-session_title")).to_be_visible()

    page.emulate_media(media="screen")
    expect(view.inspector).to_be_visible()
    expect(page.locator(".session-view")).to_have_attribute("data-theme", "dark")
    assert rows.count() <= on_screen + 2
    view.events.press("Home")
    expect(view.event(1)).to_contain_text("show all")
