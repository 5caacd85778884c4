"""Texts that are typed with an input method: the Enter that accepts a word sends nothing."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import Playground

ACCEPT = """field => {
    field.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true, data: '灯台守'}));
    const key = new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, bubbles: true, composed: true, cancelable: true});
    field.dispatchEvent(key);
}"""
"""The events of Safari: the composition ends, then comes the key."""


def test_accepting_a_word_sends_nothing_and_the_next_enter_does(app: App, page: Page):
    view = Playground(page).open(f"{app.url}?pipeline=iterative_writing")
    view.input.fill("灯台守")
    view.input.evaluate(ACCEPT)
    expect(view.input).to_have_value("灯台守")
    view.input.press("Enter")
    view.expect_end("completed")
    expect(view.input).to_have_value("")
    expect(view.event(1)).to_contain_text("灯台守")
    expect(view.session("灯台守")).to_have_count(1)
