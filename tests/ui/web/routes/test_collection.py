"""The sessions that a query finds, behind the guard."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from agents.errors import DatabaseError
from agents.runs import RunManager
from ui.access.guard import Guard, Reach
from ui.web.routes.collection import collection_route


@pytest.fixture
def manager():
    with RunManager(database=None) as made:
        made.sessions.create("status_poller", session_id="one", state={"灯台": 1})
        made.sessions.create("status_poller", session_id="two", state={"lamp": 1})
        yield made


@pytest.fixture
def client(manager):
    app = Starlette(routes=[collection_route(lambda: manager)], middleware=[Middleware(Guard, reach=Reach())])
    return TestClient(app, base_url="http://127.0.0.1:8501", client=("127.0.0.1", 5000))


def get(client: TestClient, **query: str) -> list[str]:
    answer = client.get("/api/collection", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return [row["id"] for row in answer.json()["rows"]]


def test_it_answers_with_what_is_found(client):
    assert get(client) == ["two", "one"]
    assert get(client, q="灯台") == ["one"]
    assert get(client, limit="1") == ["two"]
    assert get(client, pipeline="other") == []


@pytest.mark.parametrize("limit", ["0", "-1", "x", "99999999999999999999", "1; DROP", "１"])
def test_a_limit_that_is_none_is_no_trouble(client, limit):
    assert len(get(client, limit=limit)) == (0 if limit == "0" else 2)


def test_a_query_of_any_length_is_answered(client):
    assert get(client, q="x" * 20_000) == []


def test_other_origins_are_refused(client):
    refused = client.get("/api/collection", headers={"Origin": "http://elsewhere.example"})
    assert refused.status_code == 403


def test_a_database_that_cannot_be_read_says_so():
    def broken() -> RunManager:
        raise DatabaseError("The database is damaged.")

    answer = TestClient(Starlette(routes=[collection_route(broken)])).get("/api/collection")
    assert (answer.status_code, answer.json()) == (503, {"message": "The database is damaged."})
