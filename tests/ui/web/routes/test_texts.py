"""Texts of records over HTTP, behind the guard."""

from __future__ import annotations

import anyio
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from agents.errors import DatabaseError
from agents.log import text_hash
from agents.runs import RunManager
from ui.access.guard import Guard, Reach
from ui.web.routes.texts import MOST, texts_route

HOSTILE = "Grüße <script>alert(1)</script> 日本 " + "x" * 100_000


@pytest.fixture
def manager():
    with RunManager(database=None) as made:
        yield made


def client_of(runs) -> TestClient:
    app = Starlette(routes=[texts_route(runs)], middleware=[Middleware(Guard, reach=Reach())])
    return TestClient(app, base_url="http://127.0.0.1:8501", client=("127.0.0.1", 5000))


@pytest.fixture
def name(manager) -> str:
    service = manager._service

    async def write() -> None:
        session = await service.create_session(app_name="p", user_id="u")
        await service.append(session, [], texts={text_hash(HOSTILE): HOSTILE})

    anyio.run(manager._thread.await_in_loop, write)
    return text_hash(HOSTILE)


def test_a_text_is_served_as_it_is_and_one_that_is_not_there_is_left_out(manager, name):
    answer = client_of(lambda: manager).get("/api/texts", params={"names": f"{name},{'0' * 32}"})
    assert (answer.status_code, answer.json()) == (200, {"texts": {name: HOSTILE}})
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "names", ["", "x", "0" * 31, "0" * 32 + ",", "'; DROP TABLE texts", ",".join(["0" * 32] * (MOST + 1))]
)
def test_nonsense_is_refused_with_what_is_wanted(manager, names):
    answer = client_of(lambda: manager).get("/api/texts", params={"names": names})
    assert answer.status_code == 400
    assert "32 hexadecimal digits" in answer.json()["message"]


def test_a_database_that_fails_is_said():
    def fail():
        raise DatabaseError("The disk is full.")

    answer = client_of(fail).get("/api/texts", params={"names": "0" * 32})
    assert (answer.status_code, answer.json()) == (503, {"message": "The disk is full."})


def test_another_site_gets_nothing(manager):
    answer = client_of(lambda: manager).get("/api/texts", params={"names": "0" * 32}, headers={"Origin": "http://evil.test"})
    assert answer.status_code == 403
