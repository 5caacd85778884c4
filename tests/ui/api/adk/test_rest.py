"""ADK's REST contract: sessions, files, runs, answers; and what is refused."""

from __future__ import annotations

import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from agents import Fault, SessionNotFoundError
from agents.access import OWNER, TokenScope, User, visitor
from ui.access import identity
from ui.api.adk.routes import adk_routes

HOME = "/apps/approval/users/user/sessions"


@pytest.fixture
def client(manager):
    with TestClient(Starlette(routes=adk_routes())) as made:
        yield made


@pytest.fixture
def session(client):
    return client.post(HOME).json()["id"]


def asked(session, text=None, *, user="user", app="approval", **more):
    about = {"appName": app, "userId": user, "sessionId": session, **more}
    return about if text is None else {**about, "newMessage": {"role": "user", "parts": [{"text": text}]}}


def confirmed(call_id, decision):
    response = {"id": call_id, "name": "adk_request_confirmation", "response": decision}
    return {"role": "user", "parts": [{"functionResponse": response}]}


def frames(client, body):
    with client.stream("POST", "/run_sse", json=body) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in answer.iter_lines() if line]
    return [json.loads(line.removeprefix("data: ")) for line in lines]


def texts(events):
    parts = [part for event in events for part in event.get("content", {}).get("parts", [])]
    return [part["text"] for part in parts if part.get("text") and not part.get("thought")]


def question_in(events):
    parts = [part for event in events for part in event.get("content", {}).get("parts", [])]
    [call] = [c for part in parts if (c := part.get("functionCall")) and c["name"] == "adk_request_confirmation"]
    return call["id"]


def test_apps_are_listed_and_described(client):
    names = client.get("/list-apps").json()
    assert names == sorted(names)
    assert {"approval", "ace"} <= set(names)
    detailed = client.get("/list-apps?detailed=true").json()["apps"]
    assert [app["name"] for app in detailed] == names
    about = client.get("/apps/approval/app-info").json()
    assert about["rootAgentName"] in about["agents"]
    assert client.get("/apps/nope/app-info").status_code == 404
    assert client.get("/version").json()["language"] == "python"


def test_a_session_is_created_read_changed_listed_and_deleted(client):
    made = client.post(HOME, json={"sessionId": "s-1", "state": {"topic": "灯台"}}).json()
    assert (made["id"], made["appName"], made["userId"], made["state"]["topic"]) == ("s-1", "approval", "user", "灯台")
    assert client.post(HOME, json={"sessionId": "s-1"}).status_code == 409
    assert client.post(f"{HOME}/s-2", json={"n": 1}).json()["state"]["n"] == 1
    assert client.patch(f"{HOME}/s-1", json={"stateDelta": {"topic": None, "n": 2}}).json()["state"]["n"] == 2
    assert [one["id"] for one in client.get(HOME).json()] == ["s-1", "s-2"]
    assert client.delete(f"{HOME}/s-1").json() is None
    assert client.get(f"{HOME}/s-1").status_code == 404
    assert [one["id"] for one in client.get(HOME).json()] == ["s-2"]


def test_a_run_answers_with_its_events_and_waits_for_a_confirmation(client, session):
    first = client.post("/run", json=asked(session, "Pay 250 euros to the boat builder")).json()
    assert {event["author"] for event in first} & {"user"} == set()
    assert all(event["actions"].keys() >= {"stateDelta", "artifactDelta"} for event in first)
    answer = asked(session, newMessage=confirmed(question_in(first), {"confirmed": True}))
    second = client.post("/run", json=answer).json()
    assert any("receipt R-0001" in text for text in texts(second))
    stored = client.get(f"{HOME}/{session}").json()
    assert [event["id"] for event in stored["events"] if event["author"] != "user"] == [e["id"] for e in [*first, *second]]
    again = client.post("/run", json=answer)
    assert (again.status_code, "No call" in again.json()["detail"]) == (400, True)


def test_a_rejection_as_adks_page_wraps_it(client, session):
    first = client.post("/run", json=asked(session, "Pay 250 euros to the boat builder")).json()
    wrapped = {"response": json.dumps({"confirmed": False})}
    second = client.post("/run", json=asked(session, newMessage=confirmed(question_in(first), wrapped))).json()
    assert not any("R-0001" in text for text in texts(second))


def test_pieces_come_before_their_whole_and_only_where_they_are_wanted(client, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "400")
    story = client.post("/apps/iterative_writing/users/user/sessions").json()["id"]
    quiet = frames(client, asked(story, "a lighthouse", app="iterative_writing"))
    assert not any(event.get("partial") for event in quiet)
    streamed = frames(client, asked(story, "a harbour", app="iterative_writing", streaming=True))
    wholes = {event["id"]: "".join(texts([event])) for event in streamed if not event.get("partial")}
    pieces = [event for event in streamed if event.get("partial")]
    assert pieces
    for one in {event["id"] for event in pieces}:
        assert "".join("".join(texts([event])) for event in pieces if event["id"] == one) == wholes[one]


def test_state_goes_with_a_message(client, session):
    client.post("/run", json=asked(session, "Pay 20 euros to Bob", stateDelta={"limit": 5}))
    assert client.get(f"{HOME}/{session}").json()["state"]["limit"] == 5


def test_the_sessions_of_one_user_are_not_anothers(client, session, manager):
    other = HOME.replace("/user/", "/ana/")
    made = client.post(other, json={"state": {"user:name": "Ana"}}).json()
    assert made["userId"] == "ana"
    assert client.get(HOME).json()[0]["id"] == session
    assert [one["id"] for one in client.get(other).json()] == [made["id"]]
    assert client.get(HOME.replace("/user/", "/ben/")).json() == []
    assert client.get(f"{HOME.replace('/user/', '/ben/')}/{made['id']}").status_code == 404
    assert "user:name" not in client.get(f"{HOME}/{session}").json()["state"]
    assert manager.sessions.find("approval", made["id"]) is not None, "the owner sees it"


def test_files_have_versions(client, session):
    home = f"{HOME}/{session}/artifacts"
    assert client.post(home, json={"filename": "a.txt", "artifact": {"text": "x"}}).json()["version"] == 0
    picture = {"inlineData": {"mimeType": "image/png", "data": "aGVsbG8="}}
    assert client.post(home, json={"filename": "a.txt", "artifact": picture}).json()["mimeType"] == "image/png"
    assert client.get(home).json() == ["a.txt"]
    assert client.get(f"{home}/a.txt/versions").json() == [0, 1]
    assert client.get(f"{home}/a.txt").json() == client.get(f"{home}/a.txt/versions/latest").json()
    assert client.get(f"{home}/a.txt?version=0").json() == {"text": "x"} == client.get(f"{home}/a.txt/versions/0").json()
    assert [one["version"] for one in client.get(f"{home}/a.txt/versions/metadata").json()] == [0, 1]
    assert client.get(f"{home}/a.txt/versions/0/metadata").json()["mimeType"] == "text/plain"
    for path, status in (("b.txt", 404), ("a.txt/versions/9", 404), ("a.txt/versions/x", 400), ("a.txt?version=-1", 400)):
        assert client.get(f"{home}/{path}").status_code == status, path
    assert client.post(home, json={"filename": "../a", "artifact": {"text": "x"}}).status_code == 400
    client.delete(f"{home}/a.txt")
    assert client.get(home).json() == []


def test_a_session_that_begins_with_events_is_imported(client):
    event = {"author": "user", "invocationId": "i", "content": {"role": "user", "parts": [{"text": "hi"}]}}
    made = client.post(HOME, json={"events": [event], "state": {"k": 1}}).json()
    assert texts(made["events"]) == ["hi"]
    assert made["state"]["k"] == 1
    assert client.post(HOME, json={"events": [event], "sessionId": "x"}).status_code == 400
    assert client.post(HOME, json={"events": [{"content": 5}]}).status_code == 400


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ([], 400),
        ({"appName": 5, "userId": "user", "sessionId": "s"}, 422),
        (asked("nope", "x"), 404),
        (asked("nope", "x", app="nope"), 404),
        (asked("SESSION"), 400),
        (asked("SESSION", " "), 400),
        (asked("SESSION", "x" * 300_000), 400),
        (asked("SESSION", "x", user=""), 400),
        (asked("SESSION", "x", user="u" * 101), 400),
        (asked("SESSION", "x", user="a\nb"), 400),
        (asked("SESSION", newMessage=confirmed("", {"confirmed": True})), 400),
        (asked("SESSION", newMessage=confirmed("nope", {"confirmed": True})), 400),
        (asked("SESSION", newMessage={"parts": [{"bogus": 1}]}), 422),
        (asked("SESSION", stateDelta={"k": 1}), 400),
    ],
)
@pytest.mark.parametrize("path", ["/run", "/run_sse"])
def test_what_cannot_be_run_is_refused_before_anything_is_stored(client, session, manager, path, body, status):
    before = manager.sessions.log("approval", session)
    sent = json.loads(json.dumps(body).replace("SESSION", session))
    answer = client.post(path, json=sent)
    assert (answer.status_code, bool(answer.json()["detail"])) == (status, True)
    assert manager.sessions.log("approval", session) == before


def test_a_failed_run_says_why(client, session, monkeypatch, manager):
    start = type(manager).start
    monkeypatch.setattr(
        type(manager),
        "start",
        lambda self, *given, **more: start(self, *given, **more, faults=[Fault(kind="refuse", call=0)]),
    )
    events = frames(client, asked(session, "Pay 20 euros to Bob"))
    assert events[-1].get("error") or events[-1].get("errorCode")


def test_a_token_does_what_its_scopes_say(client, session, monkeypatch):
    def as_scope(*scopes):
        monkeypatch.setattr(identity, "current", lambda: User(OWNER.id, OWNER.role, frozenset(scopes), "a program"))

    as_scope(TokenScope.READ)
    assert client.get(HOME).status_code == 200
    assert client.post("/run", json=asked(session, "Pay 20 euros to Bob")).status_code == 403
    assert client.post(HOME).status_code == 403
    assert client.post("/run", json=asked(session, "Pay 20 euros to Bob", user="ana")).status_code in {403, 404}
    as_scope(TokenScope.RUN)
    assert client.post("/run", json=asked(session, "Pay 20 euros to Bob")).status_code == 200
    assert client.post(HOME, json={"events": [{"author": "user"}]}).status_code == 403


def test_a_session_that_is_deleted_while_it_is_read_is_not_there(client, session, monkeypatch, manager):
    def gone(*_):
        raise SessionNotFoundError("gone")

    monkeypatch.setattr(type(manager.sessions), "log", gone)
    assert client.get(f"{HOME}/{session}").status_code == 404


def test_users_whom_others_than_the_owner_name_are_their_own(client, monkeypatch):
    def listed(user_id: str) -> list[str]:
        return [session["id"] for session in client.get(HOME.replace("/user/", f"/{user_id}/")).json()]

    theirs = {other: client.post(HOME.replace("/user/", f"/{other}/")).json()["id"] for other in ("ana", "visitor-ana")}
    monkeypatch.setattr(identity, "current", lambda: visitor("ben"))
    mine = client.post(HOME).json()["id"]
    assert listed("visitor-ben") == listed(OWNER.id) == listed("user") == [mine]
    for other in ("ana", "visitor-ana", "adk-ben"):
        assert listed(other) == []
        begun = client.post(HOME.replace("/user/", f"/{other}/")).json()["id"]
        assert (listed(other), listed("user")) == ([begun], [mine])
        for session in (mine, *theirs.values()):
            assert client.post("/run", json=asked(session, "Pay 20 euros to Bob", user=other)).status_code == 404
