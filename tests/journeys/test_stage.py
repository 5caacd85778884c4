"""The stage and the list of keys: by key and by button, in the address, on every page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground

STAGE = re.compile(r"[?&]stage=1\b")


def size_of(text: Locator) -> float:
    return float(text.evaluate("element => parseFloat(getComputedStyle(element).fontSize)"))


def test_the_stage_shows_large_text_without_controls_and_is_in_the_address(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    view.say("the sea")
    view.expect_end()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("s")
    expect(page).to_have_url(STAGE)
    expect(view.input).to_be_hidden()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.get_by_role("button", name="▶ Run")).to_be_hidden()
    expect(view.graph).to_be_visible()
    expect(view.inspector).to_be_visible()
    assert size_of(view.event(1).locator(".text").first) >= 18
    page.reload()
    expect(view.event(1)).to_have_attribute("aria-selected", "true")
    assert size_of(view.event(1).locator(".text").first) >= 18
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(STAGE)
    expect(view.input).to_be_visible()
    expect(view.event(1)).to_have_attribute("aria-selected", "true")


def test_a_key_that_is_typed_is_text_and_escape_leaves_the_message(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    expect(view.input).to_be_visible()
    page.keyboard.press("/")
    expect(view.input).to_be_focused()
    page.keyboard.type("s?")
    expect(view.input).to_have_value("s?")
    expect(page).not_to_have_url(STAGE)
    page.keyboard.press("Escape")
    expect(view.input).not_to_be_focused()
    page.keyboard.press("s")
    expect(page).to_have_url(STAGE)


@pytest.mark.parametrize("where", ["/", "/gallery", "/playbook", "/settings"])
def test_the_keys_are_listed_on_every_page(app: App, page: Page, where: str):
    page.goto(f"{app.url}{where}")
    page.get_by_role("button", name="Keys").click()
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("Next or previous event")
    for _ in range(4):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || document.activeElement.closest('dialog') !== null")
    page.keyboard.press("s")
    expect(page).not_to_have_url(STAGE)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("?")
    expect(dialog).to_be_visible()


def test_the_stage_stays_on_another_page_and_after_a_write_of_the_script(app: App, page: Page):
    page.goto(f"{app.url}/playbook?stage=1")
    expect(page.get_by_role("button", name="Leave the stage")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.get_by_role("button", name="Leave the stage").click()
    page.get_by_role("button", name="Stage").click()
    expect(page).to_have_url(STAGE)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()


def test_panes_are_dragged_and_the_browser_remembers_it(app: App, page: Page):
    page.set_viewport_size({"width": 1440, "height": 900})
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    line = page.get_by_role("separator", name="Width of the inspector")
    before, box = view.inspector.bounding_box(), line.bounding_box()
    assert before is not None
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 100
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y)
    page.mouse.up()
    page.reload()
    expect(line).to_be_visible()
    after = view.inspector.bounding_box()
    assert after is not None
    assert before["width"] - after["width"] == pytest.approx(60, abs=8)
    page.set_viewport_size({"width": 500, "height": 900})
    expect(line).to_be_hidden()
