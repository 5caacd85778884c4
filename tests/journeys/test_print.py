"""What is printed: a lesson whole, without what is for the screen."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.journeys.app import App


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
    for name in ("lab", "demo", "sessions", "settings"):
        page.goto(f"{app.url}/{name}")
        title = page.get_by_role("heading", level=2).first
        expect(title).to_be_visible()
        words = title.evaluate("(one) => { const r = document.createRange(); r.selectNodeContents(one); "
                               "return r.getBoundingClientRect().left }")  # fmt: skip
        button = page.locator("[data-testid=stExpandSidebarButton]").bounding_box()
        assert button is not None
        assert words >= button["x"] + button["width"], name
