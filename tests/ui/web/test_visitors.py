"""Routes and sockets as a visitor gets them: own sessions and the owner's, never another visitor's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient

import ui
from agents.access import OWNER, learner, teacher, visitor
from tests.ui.stage import finish
from ui.access import identity
from ui.access.api_access import is_api_path
from ui.access.guard import Reach
from ui.access.identity import Identity
from ui.app import app
from ui.state import runs
from ui.web.routes.artifacts import artifact_route
from ui.web.routes.code import code_route
from ui.web.routes.collection import collection_route
from ui.web.routes.exports import export_route
from ui.web.routes.feed import log_route
from ui.web.routes.playbooks import playbook_route
from ui.web.routes.sessions import sessions_route
from ui.web.routes.texts import texts_route

PIPELINE = "iterative_writing"
BEN = visitor("ben")
LIN, MEI = learner("lin"), learner("mei")
CHECKED = {
    "/api/log",
    "/api/sessions",
    "/api/artifact",
    "/api/playbook",
    "/api/collection",
    "/api/texts",
    "/api/code",
    "/api/export",
}
OF_A_CLASS = {"/api/class", "/join", "/wall", "/class", "/teacher"}
"""Routes of a class: tests/ui/classroom/test_rights.py."""
PAGES = {"/", "/gallery", "/lessons", "/build", "/playbook", "/sessions", "/lab", "/settings", "/demo", "/help"}
UNKNOWN = "/{path:path}"
"""What is none of the others: 404."""
SIGN_IN = {"/sign-in", "/sign-in/openid", "/sign-in/back", "/sign-out", "/invitation"}
"""Pages of those who are not signed in: tests/ui/sign_in."""
OPEN = {"/owner", "/shared/{text}", *SIGN_IN, "/health", "/llms.txt", "/help/{topic}.md", "/components/{file}", *PAGES}
"""Routes that show nothing of any session."""


@pytest.fixture
def ids(manager):
    """A finished session of the visitor who asks, of another one, of two learners, and of the owner."""
    made = {}
    for user in (visitor("ann"), BEN, OWNER, LIN, MEI):
        run = manager.as_user(user).start(PIPELINE, f"the sea of {user.id}")
        finish(manager.as_user(user), PIPELINE, run.session_id)
        made[user.id] = run.session_id
    return made


@pytest.fixture
def client(manager, monkeypatch):
    """The browser of the visitor ann."""
    monkeypatch.setattr(identity, "user_in", lambda cookies: visitor("ann"))
    routes = [
        make(runs.manager)
        for make in (
            log_route,
            sessions_route,
            artifact_route,
            playbook_route,
            collection_route,
            texts_route,
            code_route,
            export_route,
        )
    ]
    return TestClient(Identity(Starlette(routes=routes), Reach(network=True)), client=("203.0.113.9", 4000))


def test_every_route_of_the_app_is_walked_here_and_none_changes_anything():
    own = [route for route in app._user_routes if isinstance(route, Route | WebSocketRoute)]
    own = [route for route in own if route.path != UNKNOWN and not is_api_path(route.path)]  # those: tests/ui/api
    assert {route.path for route in own} == CHECKED | OPEN | OF_A_CLASS
    reads = [route for route in own if isinstance(route, Route) and route.path not in SIGN_IN]
    assert all(route.methods <= {"GET", "HEAD"} for route in reads)


@pytest.fixture
def as_user(client, monkeypatch):
    """The same browser as another user's."""

    def become(user):
        monkeypatch.setattr(identity, "user_in", lambda cookies: user)
        return client

    return become


@pytest.mark.parametrize(
    ("who", "reads"),
    [
        (LIN, {LIN.id}),
        (teacher("tea"), {LIN.id, MEI.id, OWNER.id}),
        (visitor("ann"), {"visitor-ann", OWNER.id}),
    ],
    ids=["learner", "teacher", "visitor"],
)
def test_each_role_reads_what_the_table_says(as_user, ids, who, reads):
    client = as_user(who)
    for user, session in ids.items():
        assert (first_frames(client, session)["type"] == "hello") == (user in reads), user
        for path in ("/api/code?", "/api/export?format=jsonl&"):
            answer = client.get(f"{path}pipeline={PIPELINE}&session={session}")
            assert ("the sea of" in answer.text) == (user in reads), (path, user)
    with client.websocket_connect("/api/sessions") as socket:
        told = socket.receive_text()
    for text in (told, client.get("/api/collection").text, client.get("/api/collection?q=sea").text):
        assert {user for user, session in ids.items() if session in text} == reads


def first_frames(client, session):
    with client.websocket_connect(f"/api/log?pipeline={PIPELINE}&session={session}") as socket:
        return socket.receive_json()


def test_the_feed_tells_nothing_of_another_visitors_session(client, ids):
    assert first_frames(client, ids["visitor-ann"])["type"] == "hello"
    assert first_frames(client, ids[OWNER.id])["type"] == "hello"
    assert first_frames(client, ids[BEN.id])["type"] == "gone"


def test_lists_leave_out_other_visitors(client, ids):
    seen = {ids["visitor-ann"], ids[OWNER.id]}
    with client.websocket_connect("/api/sessions") as socket:
        told = socket.receive_text()
    for text in (told, client.get("/api/collection").text, client.get("/api/collection?q=sea").text):
        assert all(one in text for one in seen)
        assert ids[BEN.id] not in text
        assert "the sea of visitor-ben" not in text


@pytest.mark.parametrize("path", ["/api/code?", "/api/export?format=jsonl&", "/api/artifact?name=user%3Anotes&"])
def test_what_belongs_to_another_visitors_session_is_not_there(client, ids, path):
    theirs = client.get(f"{path}pipeline={PIPELINE}&session={ids[BEN.id]}")
    assert theirs.status_code == 404
    assert "the sea of" not in theirs.text


def test_code_of_the_owners_session_is_read(client, ids):
    assert client.get(f"/api/code?pipeline={PIPELINE}&session={ids[OWNER.id]}").status_code == 200


def test_pages_and_routes_reach_stored_data_through_the_workspace_alone():
    """What makes a store, a manager or a workspace of its own would not ask who asks."""
    makes = re.compile(r"\b(?:Workspace|RunManager|SqliteSessionService|open_store|Services)\(")
    folder = Path(ui.__file__).parent
    found = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if "cli" not in path.relative_to(folder).parts and makes.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"state/runs.py"}
