"""Who comes where while a class is held, and who may do what in it; every act is walked."""

from __future__ import annotations

import pytest
from starlette.websockets import WebSocketDisconnect

from agents.access import OWNER
from tests.ui.classroom.conftest import ANA, BEN, TEA
from tests.ui.stage import finish
from ui.access import door
from ui.classroom.acts import _LEARNERS, _TEACHERS, ACTS

HTML = {"accept": "text/html"}


@pytest.mark.parametrize("user", [None, ANA], ids=["a stranger", "who left"])
@pytest.mark.parametrize("path", ["/", "/gallery", "/settings", "/wall", "/class"])
def test_who_has_not_joined_is_led_to_the_door(browser, path, user):
    answer = browser(user).client.get(path, headers=HTML)
    assert (answer.status_code, answer.headers["location"]) == (303, "join")


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
    "text", ["", "[]", "null", '{"do": 5}', '{"do": "vote", "question": "x", "choice": true}', "{" * 5000, "x" * 100_000]
)
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
