"""Who comes where while a class is held, and who may do what in it; every act is walked."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from urllib.parse import urljoin

import pytest
from starlette.websockets import WebSocketDisconnect

from agents.access import OWNER
from tests.ui.classroom.conftest import ANA, BEN, TEA
from tests.ui.stage import finish
from ui.access import door
from ui.classroom import connection
from ui.classroom.acts import _LEARNERS, _TEACHERS, ACTS

HTML = {"accept": "text/html"}


@pytest.mark.parametrize("user", [None, ANA], ids=["a stranger", "who left"])
@pytest.mark.parametrize("path", ["/", "/gallery", "/settings", "/wall", "/class"])
def test_who_has_not_joined_is_led_to_the_door(browser, path, user):
    answer = browser(user).client.get(path, headers=HTML)
    assert (answer.status_code, answer.headers["location"]) == (303, "join")


@pytest.mark.parametrize("path", ["/help/models.md", "/a/b/join", "/join/"])
def test_there_is_one_door_however_deep_the_path(browser, path):
    answer = browser(None).client.get(path, headers=HTML)
    assert urljoin(f"http://127.0.0.1/class{path}", answer.headers["location"]) == "http://127.0.0.1/class/join"


@pytest.mark.parametrize(
    ("told", "scheme"), [("https", "https"), ("HTTPS, http", "https"), ("", "http"), ("ftp", "http"), ("x" * 5000, "http")]
)
def test_learners_join_by_http_or_https_whatever_a_proxy_or_a_browser_claims(browser, joined, told, scheme):
    answer = browser(TEA).client.get("/wall", headers={"X-Forwarded-Proto": told})
    assert f'data-join="{scheme}://' in answer.text


def test_who_has_not_joined_gets_nothing_else(browser):
    client = browser(None).client
    assert client.get("/api/collection").status_code == 403
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/log?pipeline=a&session=b"):
        pass
    assert client.get("/join", headers=HTML).status_code == 200
    assert client.put("/join").status_code == 403


def test_a_device_is_the_same_learner_after_it_was_closed(browser, held):
    first = browser(None)
    cookie = first.client.get("/join", headers=HTML).headers["set-cookie"]
    assert "Max-Age=2592000" in cookie
    with first.open("phone") as page:
        assert page.ask("join", code=held.classroom.code, name="Ana") == ""
    again = browser(None)
    again.client.cookies = first.client.cookies
    with again.open("phone") as page:
        assert page.until(lambda view: view["joined"])["name"] == "Ana"
    assert "set-cookie" not in again.client.get("/join", headers=HTML).headers


def test_nobody_is_the_owner_by_the_address_while_a_class_is_held(browser):
    local = browser(None).client
    assert local.get("/join", headers=HTML).status_code == 200
    assert "learner" in local.get("/join", headers=HTML).headers.get("set-cookie", "learner")
    assert "owner" in browser(OWNER).client.get("/settings").text


def test_a_learner_opens_pages_as_a_learner_and_not_the_desk(browser, joined):
    client = browser(ANA).client
    assert "learner" in client.get("/gallery").text
    assert client.get("/wall").status_code == 200
    answer = client.get("/class")
    assert (answer.status_code, "may not hold a class" in answer.text) == (403, True)


def test_the_teachers_link_makes_a_browser_the_teachers(browser):
    stranger = browser(None).client
    for token in ("", "guess", "é"):
        assert stranger.get("/teacher", params={"token": token}).status_code == 403
    answer = stranger.get("/teacher", params={"token": door.current().token})
    assert (answer.status_code, answer.headers["location"]) == (303, "class")
    assert stranger.get("/class").status_code == 200
    assert "teacher" in stranger.get("/settings").text


@pytest.mark.parametrize("view", ["desk", "phone", "nothing"])
def test_a_view_is_shown_to_those_whose_it_is(browser, joined, view):
    for user, may in ((ANA, {"phone"}), (TEA, {"desk"}), (OWNER, {"desk", "phone"})):
        with browser(user).open(view) as page:
            assert (page.socket.receive_json()["type"] == "error") == (view not in may)


def test_the_wall_waits_for_who_has_joined(browser, held):
    with browser(ANA).open("wall") as page:
        assert page.socket.receive_json()["type"] == "error"


def test_a_learner_has_a_few_pages_open_and_no_more(browser, joined, monkeypatch):
    monkeypatch.setattr(connection, "MOST_PAGES", 2)
    told = []
    with ExitStack() as stack:
        for who, view in ((ANA, "phone"), (ANA, "wall"), (ANA, "phone"), (BEN, "phone")):
            page = stack.enter_context(browser(who).open(view))
            told.append(page.socket.receive_json()["type"])
    assert told == ["phone", "wall", "error", "phone"]
    with browser(ANA).open("phone") as again:
        assert again.until(lambda view: view["joined"])


def test_a_pause_follows_what_learners_do_and_a_longer_one_a_guess(browser, joined, monkeypatch):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)
        await asyncio.sleep(0)

    monkeypatch.setattr(connection.anyio, "sleep", sleep)
    monkeypatch.setattr(connection, "ACT_SECONDS", 7)
    monkeypatch.setattr(connection, "WRONG_CODE_SECONDS", 8)
    with browser(TEA).open("desk") as desk:
        assert [bool(desk.ask("nothing")) for _ in range(2)] == [True, True]
        assert {7, 8} & set(slept) == set()
    with browser(ANA).open("phone") as ana:
        assert [bool(ana.ask("nothing")) for _ in range(2)] == [True, True]
        assert {7, 8} & set(slept) == {7}
    with browser(None).open("phone") as stranger:
        assert "not the code" in stranger.ask("join", code="guess", name="x")
        assert 8 in slept


@pytest.mark.parametrize("what", ACTS)
def test_every_act_is_refused_to_those_who_may_not(browser, joined, what):
    before = joined.classroom.look(lambda state: state.seq)
    who, view = (TEA, "desk") if what in _LEARNERS else (ANA, "phone")
    with browser(who).open(view) as page:
        told = page.ask(what, code=joined.classroom.code, name="x", question=1, choice=0, pipeline="ace", learner=ANA.id)
    assert f"A {who.role} may not" in told
    assert joined.classroom.look(lambda state: state.seq) == before
    assert what in _LEARNERS or what in _TEACHERS


def test_a_learner_who_has_not_joined_does_nothing_but_join(browser, held):
    with browser(ANA).open("phone") as page:
        for what in set(_LEARNERS) - {"join"}:
            assert page.ask(what, question=1, choice=0, agent="A", text="x")
        assert "not the code" in page.ask("join", code="guess", name="x")
        assert page.ask("join", code=held.classroom.code, name="x") == ""


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", '{"do": 5}', '{"do": "vote", "question": "x", "choice": true}', "{" * 5000, "x" * 100_000,
        r'{"do": 5, "number": "\ud800"}',
    ],
)  # fmt: skip
def test_messages_of_any_kind_are_answered(browser, joined, text):
    with browser(ANA).open("phone") as page:
        page.socket.send_text(text)
        while (frame := page.socket.receive_json())["type"] == "phone":
            pass
        assert frame["type"] == "refused"
        assert "Reload" in page.ask("nothing")


def test_a_learners_session_is_read_by_the_teacher_and_by_no_other_learner(browser, joined):
    run = joined.manager(ANA).start("iterative_writing", "the sea")
    finish(joined.manager(ANA), "iterative_writing", run.session_id)
    address = f"/api/log?pipeline=iterative_writing&session={run.session_id}"
    for user, first in ((TEA, "hello"), (ANA, "hello"), (BEN, "gone")):
        with browser(user).client.websocket_connect(address) as socket:
            assert socket.receive_json()["type"] == first
    with browser(TEA).open("desk") as page:
        row = page.until(lambda view: view["people"][0]["session"])["people"][0]
    assert (row["name"], row["session"]["session"], row["session"]["status"]) == ("Ana", run.session_id, "completed")
