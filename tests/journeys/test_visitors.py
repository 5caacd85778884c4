"""A visitor beside the owner, and both through a proxy: what each sees and may do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.agents.runs.test_asker import STAGES
from tests.journeys.app import App
from tests.journeys.log_reader import entries
from tests.journeys.playground_page import Playground
from tests.journeys.test_run_and_watch import session_in

StartApp = Callable[..., App]
PROXIED = {"X-Forwarded-For": "203.0.113.9"}


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Page]:
    """A browser whose requests come through a proxy on this machine."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, extra_http_headers=PROXIED)
    yield context.new_page()
    context.close()


def test_a_visitor_watches_the_owner_and_runs_in_sessions_of_their_own(start_app: StartApp, page: Page, visitor: Page):
    app = start_app(agents=STAGES)
    owner = Playground(page).open(f"{app.url}/?pipeline=asking")
    owner.say("pay 500")
    expect(page.get_by_role("button", name=re.compile("^Approve")).first).to_be_visible()
    session = session_in(page)
    before = len(entries(app.database, session))

    watching = Playground(visitor).open(page.url)
    expect(watching.event(1)).to_be_visible()
    visitor.get_by_role("button", name=re.compile("^Approve")).first.click()
    expect(visitor.get_by_text("A visitor may not answer what this session waits for")).to_be_visible()
    assert len(entries(app.database, session)) == before, "the payment still waits"

    own = Playground(visitor).open(f"{app.url}/?pipeline=iterative_writing")
    own.run_button.click()
    own.expect_end("completed")
    assert session_in(visitor) != session


def test_a_visitors_upload_is_refused_and_the_owners_link_works_through_the_proxy(start_app: StartApp):
    app = start_app(variables={"PLAYGROUND_ALLOWED_HOSTS": "play.example.org"})
    link = app.printed_with("/owner?token=").split()[-1]
    with httpx.Client(base_url=app.url, headers={"Host": "play.example.org"}, timeout=20) as client:
        assert client.get("/").status_code == 200
        refused = client.put("/_stcore/upload_file/a/b", content=b"x" * 100_000)
        assert (refused.status_code, "may not upload" in refused.text) == (403, True)
        assert client.get(link.removeprefix(app.url)).status_code == 303
        told = client.put("/_stcore/upload_file/a/b", content=b"x")
        assert told.status_code != 403 or "visitor" not in told.text
