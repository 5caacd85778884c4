"""Back and Forward restore what was left: the session, the pipeline, the lesson, the comparison."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.journeys.app import App
from tests.journeys.playground_page import DRAWN, Playground


def place(url: str) -> tuple[str, dict[str, list[str]]]:
    parts = urlsplit(url)
    own = ("pipeline", "session", "compare", "playbook")
    return parts.path, {name: value for name, value in parse_qs(parts.query).items() if name in own}


def go(page: Page, link: str, path: str) -> tuple[str, dict[str, list[str]]]:
    before = page.evaluate("history.length")
    page.locator(link).first.click()
    expect(page).to_have_url(re.compile(path))
    expect(page.locator(DRAWN)).to_be_attached()
    assert page.evaluate("history.length") == before + 1, "one entry for one step"
    return place(page.url)


def expect_place(page: Page, expected: tuple[str, dict[str, list[str]]]) -> None:
    """Waits for a page's address until it is drawn: one that is left before may write its own over the next."""
    page.wait_for_url(lambda url: place(url) == expected, wait_until="commit")
    expect(page.locator(DRAWN)).to_be_attached()
    assert place(page.url) == expected


def test_back_and_forward_restore_each_page_of_a_chain(app: App, page: Page):
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    view.say("a lighthouse keeper")
    view.expect_end("completed")
    chain = [place(page.url)]
    assert "session" in chain[0][1]
    chain += [go(page, f".st-key-pages a[href*='{name}']", f"/{name}") for name in ("sessions", "playbook", "gallery")]
    chain.append(go(page, ".st-key-card_routed_llm a", "/gallery.*pipeline=routed_llm"))
    chain.append(go(page, ".st-key-pages a[href*='lab']", "/lab"))
    for expected in chain[-2::-1]:
        page.go_back()
        expect_place(page, expected)
    view.expect_end("completed")
    for expected in chain[1:]:
        page.go_forward()
        expect_place(page, expected)
    page.go_back()
    expect(page.locator(".st-key-gallery").get_by_role("heading").first).to_be_visible()
