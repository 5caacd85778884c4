"""Back and Forward restore what was left: the session, the pipeline, the lesson, the comparison."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.journeys.app import App, run_command
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


class Held:
    """A connection to Streamlit whose answers can be kept from the page for a while."""

    def __init__(self, page: Page) -> None:
        self._answers: list[str | bytes] = []
        self._holds = False
        self._to_page: WebSocketRoute | None = None
        page.route_web_socket(re.compile("/_stcore/stream"), self._connect)

    def _connect(self, to_page: WebSocketRoute) -> None:
        self._to_page = to_page
        to_page.connect_to_server().on_message(self._take)

    def _take(self, answer: str | bytes) -> None:
        if self._holds:
            self._answers.append(answer)
        elif self._to_page is not None:
            self._to_page.send(answer)

    def hold(self) -> None:
        self._holds = True

    def wait_for(self, text: str, page: Page) -> None:
        """Waits until an answer with a text is held."""
        for _ in range(200):
            if any(text.encode() in answer for answer in self._answers if isinstance(answer, bytes)):
                return
            page.wait_for_timeout(50)
        raise AssertionError(f"no answer with {text}")

    def release(self) -> None:
        self._holds = False
        assert self._to_page is not None
        for answer in self._answers:
            self._to_page.send(answer)
        self._answers.clear()


WRITTEN = """
    window.written = [];
    for (const name of ["pushState", "replaceState"]) {
      const write = History.prototype[name];
      History.prototype[name] = function (...given) {
        write.apply(this, given);
        window.written.push(location.href);
      };
    }
"""


def test_a_page_that_was_left_while_it_was_drawn_writes_its_address_over_no_other(app: App, page: Page):
    for story in ("early tide", "late tide", "spring tide"):
        run_command(app, "run", "iterative_writing", story)
    answers = Held(page)
    page.add_init_script(WRITTEN)
    view = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    title = page.locator(".st-key-session_title")
    urls: list[str] = []
    for story in ("early tide", "late tide", "spring tide"):
        view.session(story).click()
        expect(title).to_contain_text(story)
        urls.append(page.url)
    assert len(set(urls)) == 3
    answers.hold()
    page.go_back()
    answers.wait_for(urls[1].split("session=")[1], page)
    page.go_back()
    page.evaluate("window.written.length = 0")
    answers.release()
    expect(title).to_contain_text("early tide")
    assert place(page.url) == place(urls[0])
    assert page.evaluate("window.written.filter(url => url.includes(name))".replace("name", repr(urls[1][-8:]))) == []


def test_a_link_leads_back_as_soon_as_the_page_is_drawn(app: App, page: Page):
    page.goto(f"{app.url}/sessions")
    of_list = page.get_by_role("button", name="Import …")
    expect(of_list).to_be_visible()
    page.get_by_role("radio", name="Cases").click()
    expect(page).to_have_url(re.compile("tab=cases"))
    expect(of_list).to_have_count(0)
    expect(page.locator(DRAWN)).to_be_attached()
    page.locator(".st-key-pages a[href*='sessions']").click()
    expect(of_list).to_be_visible()
    expect(page).not_to_have_url(re.compile("tab=cases"))
