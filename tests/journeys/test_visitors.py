"""A visitor beside the owner, and both through a proxy: what each sees and may do."""

from __future__ import annotations

import re
import socket
import sqlite3
from collections.abc import Callable, Iterator

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from agents.ace import Add, DeltaBatch, PlaybookStore
from tests.agents.runs.test_asker import STAGES
from tests.journeys.app import SLOW, App
from tests.journeys.log_reader import entries
from tests.journeys.nginx import CLIENT, HOST, UPGRADE, Proxy, needs_nginx
from tests.journeys.playground_page import Playground
from tests.journeys.test_run_and_watch import session_in

StartApp = Callable[..., App]
Proxied = Callable[[App], str]

pytestmark = needs_nginx


@pytest.fixture
def proxied(proxy: Proxy) -> Proxied:
    """The address of an app for those who come through a proxy on this machine."""
    return lambda app: proxy("/", f"{app.url}/", HOST + UPGRADE + CLIENT).rstrip("/")


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Page]:
    """Another browser than the owner's."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield context.new_page()
    context.close()


def test_a_visitor_watches_the_owner_and_runs_in_sessions_of_their_own(
    start_app: StartApp, page: Page, visitor: Page, proxied: Proxied
):
    app = start_app(agents=STAGES)
    owner = Playground(page).open(f"{app.url}/?pipeline=asking")
    owner.say("pay 500")
    expect(page.get_by_role("button", name=re.compile("^Approve")).first).to_be_visible()
    session = session_in(page)
    before = len(entries(app.database, session))

    there = proxied(app)
    watching = Playground(visitor).open(page.url.replace(app.url, there))
    expect(watching.event(1)).to_be_visible()
    visitor.get_by_role("button", name=re.compile("^Approve")).first.click()
    expect(visitor.get_by_text("A visitor may not answer what this session waits for")).to_be_visible()
    assert len(entries(app.database, session)) == before, "the payment still waits"

    own = Playground(visitor).open(f"{there}/?pipeline=iterative_writing")
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


def app_state(app: App) -> list[tuple[str, str]]:
    with sqlite3.connect(app.database) as db:
        return db.execute("select key, value from app_state order by key").fetchall()


def test_what_a_visitor_tries_on_the_owners_session_changes_nothing(
    start_app: StartApp, page: Page, visitor: Page, proxied: Proxied
):
    app = start_app(words_per_second=SLOW)
    owner = Playground(page).open(f"{app.url}/?pipeline=iterative_writing")
    owner.run_button.click()
    expect(owner.event(2)).to_be_visible()
    session = session_in(page)

    trying = Playground(visitor).open(page.url.replace(app.url, proxied(app)))
    trying.stop_button.click()
    expect(visitor.get_by_text("A visitor may not stop runs of this session")).to_be_visible()
    visitor.get_by_role("button", name="⋯").click()
    expect(visitor.get_by_label("Title")).to_be_disabled()
    for name in ("Delete session …", "Keep as a case …"):
        expect(visitor.get_by_role("button", name=name)).to_be_disabled()

    owner.expect_end("completed")
    expect(page.get_by_text("A visitor may not")).to_have_count(0)
    before = len(entries(app.database, session))
    expect(trying.status).to_contain_text(re.compile("completed", re.IGNORECASE))
    visitor.reload()
    trying.say("and now something else")
    expect(visitor.get_by_text("A visitor may not run agents in this session")).to_be_visible()
    assert len(entries(app.database, session)) == before


def test_a_visitor_sets_no_state_of_all_sessions_and_no_playbook(
    start_app: StartApp, page: Page, visitor: Page, proxied: Proxied
):
    app = start_app()
    store = PlaybookStore(app.database, "shared")
    store.commit(DeltaBatch(operations=[Add(section="a", content="Divide by hand.")]))
    before = app_state(app)

    there = proxied(app)
    trying = Playground(visitor).open(f"{there}/?pipeline=iterative_writing")
    visitor.get_by_role("button", name="With id or state").click()
    visitor.get_by_role("textbox", name="Start state, as JSON").fill('{"app:rules": "mine"}')
    visitor.get_by_role("button", name="Create it").click()
    expect(visitor.get_by_text("A visitor may not change state of all sessions")).to_be_visible()
    visitor.get_by_role("textbox", name="Start state, as JSON").fill('{"user:mine": 1}')
    visitor.get_by_role("button", name="Create it").click()
    expect(visitor).to_have_url(re.compile("session="))
    assert app_state(app) == before
    trying.say("the sea")
    trying.expect_end("completed")

    visitor.goto(f"{there}/playbook?playbook=shared")
    expect(visitor.get_by_text("Read only")).to_be_visible()
    expect(visitor.get_by_text("Divide by hand.").first).to_be_visible()
    expect(visitor.get_by_role("button", name="Freeze")).to_have_count(0)
    assert (store.frozen, store.playbook().revision) == (False, 1)
    page.goto(f"{app.url}/playbook?playbook=shared")
    expect(page.get_by_text("Divide by hand.").first).to_be_visible()
    expect(page.get_by_role("button", name="Freeze")).to_be_visible()
    expect(page.get_by_text("Read only")).to_have_count(0)
    store.close()


def test_a_large_upload_of_a_visitor_is_refused_before_it_is_sent(start_app: StartApp):
    app = start_app()
    head = (
        "PUT /_stcore/upload_file/tab/file HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Forwarded-For: 203.0.113.9\r\n"
        "Content-Length: 100000000\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", app.port), timeout=20) as connection:
        connection.sendall(head.format(port=app.port).encode() + b"x" * 60_000)
        assert connection.recv(100).startswith(b"HTTP/1.1 403")


def test_a_visitor_finds_their_sessions_after_a_restart(start_app: StartApp, visitor: Page, proxied: Proxied):
    app = start_app(agents=STAGES)
    own = Playground(visitor).open(f"{proxied(app)}/?pipeline=asking")
    own.say("pay 500")
    expect(visitor.get_by_role("button", name=re.compile("^Approve")).first).to_be_visible()
    session, port = visitor.url, app.port
    app.kill()
    app.start(port)
    own.open(session)
    visitor.get_by_role("button", name=re.compile("^Approve")).first.click()
    own.expect_end("completed")
