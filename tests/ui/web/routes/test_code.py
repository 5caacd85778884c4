"""The code of a session over HTTP, behind the guard."""

from __future__ import annotations

import ast

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from agents.errors import DatabaseError
from agents.runs import RunManager
from tests.agents.sharing.code.stage import run
from ui.access.guard import Guard, Reach
from ui.web.routes.code import code_route

HOSTILE = 'x"""\n</script><b>日本\u2028\\'


@pytest.fixture
def manager():
    with RunManager(database=None) as made:
        made.models.change(simulated_speed=0)
        yield made


def client_of(runs) -> TestClient:
    app = Starlette(routes=[code_route(runs)], middleware=[Middleware(Guard, reach=Reach())])
    return TestClient(app, base_url="http://127.0.0.1:8501", client=("127.0.0.1", 5000))


def test_the_code_of_a_session(manager):
    session = run(manager, "iterative_writing", HOSTILE)
    answer = client_of(lambda: manager).get("/api/code", params={"pipeline": "iterative_writing", "session": session})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    found = answer.json()
    assert found["pipeline"] == "iterative_writing"
    assert found["adk_lacks"] == []
    for file in (found["playground"], found["adk"]):
        texts = [node.value for node in ast.walk(ast.parse(file)) if isinstance(node, ast.Constant)]
        assert HOSTILE in texts


@pytest.mark.parametrize(
    ("pipeline", "session"),
    [("", ""), ("iterative_writing", ""), ("iterative_writing", "gone"), ("gone", "gone"), ("x" * 1000, "y"), ("../x", "'")],
)
def test_what_is_not_there_is_said(manager, pipeline, session):
    answer = client_of(lambda: manager).get("/api/code", params={"pipeline": pipeline, "session": session})
    assert answer.status_code == 404
    assert answer.json()["message"]


def test_a_database_that_fails_is_said():
    def fail():
        raise DatabaseError("The database is locked.")

    answer = client_of(fail).get("/api/code", params={"pipeline": "a", "session": "b"})
    assert (answer.status_code, answer.json()) == (503, {"message": "The database is locked."})


def test_pages_of_other_sites_are_refused(manager):
    client = client_of(lambda: manager)
    assert client.get("/api/code", headers={"Origin": "http://evil.test"}).status_code == 403
    assert client.get("/api/code", headers={"Host": "evil.test"}).status_code == 421
