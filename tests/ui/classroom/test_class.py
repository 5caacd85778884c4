"""A class from its pages' point of view: hands up, parts, and the playbook of the class."""

from __future__ import annotations

import json

import pytest
from starlette.applications import Starlette

from agents.access import OWNER
from tests.ui.classroom.conftest import ANA, BEN, CEM, REACH, TEA, Browser
from tests.ui.stage import finish
from ui.access import door
from ui.access.identity import Identity
from ui.classroom.acts import ACTS, act
from ui.classroom.pages import class_pages, class_route
from ui.classroom.room import Room, room

HOSTILE = "<img src=x onerror=alert(1)> \u202e العربية 日本 👩‍👩‍👧"


def staged(room, user=OWNER):
    run = room.manager(user).start("iterative_writing", "the sea")
    finish(room.manager(user), "iterative_writing", run.session_id)
    return run


def test_hands_up_from_the_question_to_the_next_event(browser, joined):
    with browser(TEA).open("desk") as desk, browser(ANA).open("phone") as ana, browser(TEA).open("wall") as wall:
        assert desk.ask("run", pipeline="iterative_writing", message="the sea") == ""
        desk.until(lambda view: view["coming"])
        assert desk.ask("who") == ""
        asked = ana.until(lambda view: "question" in view)["question"]
        assert (asked["counts"], asked["right"], asked["open"]) == (None, None, True)
        assert ana.ask("vote", question=asked["id"], choice=0, reason=HOSTILE) == ""
        joined.classroom.vote(BEN, asked["id"], 1)
        shown = wall.until(lambda view: view.get("question", {}).get("votes") == 2)
        assert shown["question"]["counts"][:2] == [1, 1]
        reasons = desk.until(lambda view: view["reasons"])["reasons"]
        assert "\u202e" not in reasons[0]["reason"]
        assert desk.ask("reveal") == ""
        seen = ana.until(lambda view: not view["question"]["open"])["question"]
        assert asked["choices"][seen["right"]] == "InitialWriterAgent"
        assert "Too late" in ana.ask("vote", question=asked["id"], choice=1)
        assert desk.ask("next") == ""


def test_the_lessons_prediction_is_asked_before_the_run_is_shown(browser, joined):
    with browser(TEA).open("desk") as desk:
        desk.ask("run", pipeline="iterative_writing")
        desk.until(lambda view: view["coming"])
        assert desk.ask("next") == ""
        asked = joined.classroom.look(lambda state: state.question)
        assert asked is not None
        while desk.ask("next"):  # the run goes on
            pass
        assert joined.classroom.look(lambda state: state.question.right) is not None
        assert joined.staged().at == 0
        for _ in range(2 * len(joined.stage.lesson)):  # a lesson may ask several before the run
            if not joined.staged().at:
                desk.ask("next")
        assert joined.staged().at > 0
        desk.ask("back")
        assert joined.staged().at == 0
        again = Room(joined.workspace)
        act(again, TEA, {"do": "next"})
        assert again.staged().at > 0, "after a restart, too, a prediction is asked once"


def test_a_phone_hears_nothing_of_the_answers_of_others(browser, joined):
    question = joined.classroom.ask(OWNER, "Who?", ["x", "y"])
    joined.classroom.vote(BEN, question.id, 1, "secret")
    with browser(ANA).open("phone") as phone:
        view = phone.until(lambda view: view["joined"])
    assert "secret" not in json.dumps(view)
    assert view["question"]["votes"] is None, "nor is the question drawn anew for each of them, while Ana types her reason"


def test_a_part_is_played_by_a_learner_and_given_to_another_one(browser, joined):
    with browser(TEA).open("desk") as desk, browser(ANA).open("phone") as ana, browser(BEN).open("phone") as ben:
        roles = {"InitialWriterAgent": ANA.id, "CriticAgent": BEN.id, "RefinerAgent": CEM.id}
        assert desk.ask("run", pipeline="iterative_writing", message="the sea", roles=roles) == ""
        call = ana.until(lambda view: view.get("part", {}).get("call"))["part"]["call"]
        assert call["agent"] == "InitialWriterAgent"
        assert call["asked"]
        assert "not yours" in ben.ask("play", agent="InitialWriterAgent", call=call["id"], text="mine")
        assert "empty" in ana.ask("play", agent="InitialWriterAgent", call=call["id"], text="")
        assert ana.ask("play", agent="InitialWriterAgent", call=call["id"], text=HOSTILE) == ""
        assert "answered already" in ana.ask("play", agent="InitialWriterAgent", call=call["id"], text="again")
        call = ben.until(lambda view: view.get("part", {}).get("call"))["part"]["call"]
        assert desk.ask("cast", agent="CriticAgent", learner=ANA.id) == ""
        given = ana.until(lambda view: (view["part"]["call"] or {}).get("agent") == "CriticAgent")["part"]["call"]
        assert given["id"] == call["id"]
        assert ana.ask("play", agent="CriticAgent", call=call["id"], text="Shorter.") == ""
        assert desk.until(lambda view: view["stage"]["events"] == 3)["stage"]["shown"] == 3, (
            "the wall follows what is played"
        )
    assert [row.author for row in joined.stage.rows] == ["user", "InitialWriterAgent", "CriticAgent"]


def test_who_plays_an_agent_answers_its_model_and_no_approval_of_its_calls(browser, joined):
    manager = joined.manager(OWNER)
    run = manager.start("approval", "Pay 250 euros to the boat builder")
    finish(manager, "approval", run.session_id)
    [call] = manager.pending_in([manager.sessions.find("approval", run.session_id)])
    joined.classroom.stage(TEA, "approval", run.session_id, {call.agent: ANA.id}, of=OWNER.id)
    with browser(ANA).open("phone") as ana:
        assert "answered already" in ana.ask("play", agent=call.agent, call=call.call_id, text="yes")


def test_the_class_writes_a_playbook_and_hunts_the_bullet_that_was_made_wrong(browser, joined):
    with browser(TEA).open("desk") as desk, browser(ANA).open("phone") as ana, browser(BEN).open("phone") as ben:
        assert "no playbook" in ana.ask("add", text="speed = distance / time")
        assert desk.ask("write") == ""
        assert ana.ask("add", text="speed = distance / time") == ""
        assert ana.ask("add", text="work = force × distance") == ""
        assert ben.ask("add", text="Work = force × distance.") == ""
        book = desk.until(lambda view: len(view.get("book", {}).get("bullets", ())) == 2)["book"]
        speed, work = book["bullets"]
        assert (speed["authors"], work["authors"]) == (["Ana"], ["Ana", "Ben"])
        assert "begins" in ben.ask("switch", bullet=speed["id"], off=True)
        assert "nothing to hunt" in desk.ask("hunt", bullet=speed["id"], text="speed = distance ÷ time", seconds=60)
        assert desk.ask("hunt", bullet=speed["id"], text="speed = time / distance", seconds=60) == ""
        hunted = ben.until(lambda view: view["book"].get("hunt"))["book"]
        assert [one["authors"] for one in hunted["bullets"]] == [[], []]
        assert hunted["bullets"][0]["lineage"][-1].startswith("teacher changed it")
        assert ben.ask("switch", bullet=work["id"], off=True) == ""
        assert joined.classroom.look(lambda state: state.hunt.found) is None
        assert ben.ask("switch", bullet=work["id"], off=False) == ""
        assert joined.classroom.look(lambda state: state.hunt.found) is None
        assert ben.ask("switch", bullet=speed["id"], off=True) == ""
        assert ana.ask("add", text="speed = distance / time") == ""
        assert desk.ask("check") == ""
        found = ben.until(lambda view: view["book"]["hunt"]["took"] is not None)["book"]
        assert found["bullets"][0]["by"] == "Ben"


def test_reasons_of_right_answers_become_bullets_of_their_authors(browser, joined):
    with browser(TEA).open("desk") as desk:
        desk.ask("write")
        assert desk.ask("ask", text="How fast?", choices=["distance / time", "time / distance"], right=0) == ""
        question = joined.classroom.look(lambda state: state.question)
        joined.classroom.vote(ANA, question.id, 0, "speed = distance / time")
        joined.classroom.vote(BEN, question.id, 1, "speed = time / distance")
        assert "no new reasons" in desk.ask("take_reasons")
        desk.ask("reveal")
        assert desk.ask("take_reasons") == ""
        assert "no new reasons" in desk.ask("take_reasons")
    [bullet] = joined.playbook().bullets()
    assert (bullet.text, bullet.authors) == ("speed = distance / time", ("Ana",))


def test_any_session_of_the_teachers_can_be_put_on_the_wall(browser, joined):
    own, theirs = staged(joined), staged(joined, ANA)
    with browser(OWNER).open("desk") as desk:
        for run in (own, theirs):
            assert desk.ask("present", pipeline="iterative_writing", session=run.session_id) == ""
            now = {"pipeline": "iterative_writing", "session": run.session_id}
            shown = desk.until(lambda view, now=now: view["session"] == now and view["coming"])
            assert shown["stage"]["events"] > 5
        assert "no such session" in desk.ask("present", pipeline="iterative_writing", session="none")


@pytest.mark.parametrize("what", ACTS)
@pytest.mark.parametrize("value", [None, 3, "x", [1], {"a": [2]}], ids=str)
def test_values_of_other_types_end_no_connection(browser, joined, what, value):
    fields = (
        "agent",
        "bullet",
        "bullets",
        "call",
        "choice",
        "choices",
        "code",
        "learner",
        "message",
        "name",
        "off",
        "pipeline",
    )
    more = ("question", "reason", "right", "roles", "seconds", "session", "text", "tool")
    with browser(TEA).open("desk") as desk:
        desk.ask(what, **dict.fromkeys((*fields, *more), value))
        assert "cannot be read" not in desk.ask("back")


def test_the_owner_presents_a_session_without_a_class(manager, monkeypatch):
    monkeypatch.setattr(door._process, "door", None)
    run = manager.start("iterative_writing", "the sea")
    finish(manager, "iterative_writing", run.session_id)
    app = Identity(Starlette(routes=[class_route(), *class_pages()]), REACH)
    owner, stranger = Browser(app, OWNER), Browser(app, None)
    assert owner.client.get("/wall").status_code == owner.client.get("/class").status_code == 200
    assert [stranger.client.get(path).status_code for path in ("/wall", "/class", "/join")] == [404] * 3
    assert owner.client.get("/join").status_code == 404
    with owner.open("desk") as desk, owner.open("wall") as wall, stranger.open("wall") as other:
        assert other.socket.receive_json()["type"] == "error"
        assert desk.ask("present", pipeline="iterative_writing", session=run.session_id) == ""
        desk.until(lambda view: view["coming"])
        assert desk.ask("next") == ""  # the lesson's first prediction
        question = wall.until(lambda view: view["focus"] == "question")["question"]
        assert (question["open"], question["votes"]) == (True, 0)
        assert desk.ask("next") == ""
        assert wall.until(lambda view: not view["question"]["open"])["question"]["right"] is not None
        for _ in range(20):  # a lesson may ask several before the run
            if not room(OWNER).staged().at:
                assert desk.ask("next") == ""
        shown = wall.until(lambda view: view["focus"] == "stage" and view["stage"]["rows"])
        assert (shown["code"], [row["author"] for row in shown["stage"]["rows"]]) == ("", ["user"])
    assert manager.journal.names() == []
