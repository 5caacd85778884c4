"""Open pages and uploads beyond a user's limits are refused before Streamlit sees them."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from agents.access import OWNER, visitor
from agents.access.limits import Limits
from agents.runs.limits.use_desk import UseDesk
from agents.storage.use.memory import InMemoryUseStore
from ui.access import quotas
from ui.access.quotas import Quotas

ANN, BEN = visitor("ann"), visitor("ben")


@pytest.fixture
def desk():
    limits = Limits.model_validate({"user": {"viewers": 1, "uploads": 100}, "workspace": {"viewers": 2, "uploads": 150}})
    return UseDesk(limits, InMemoryUseStore(), dict)


@pytest.fixture
def as_user(desk, monkeypatch):
    """A client of the app as one user or another."""
    held: dict[str, int] = {}

    async def page(websocket: WebSocket) -> None:
        await websocket.accept()
        await websocket.send_text("open")
        await websocket.receive()

    async def upload(request: Request) -> Response:
        tab = request.path_params["tab"]
        held[tab] = held.get(tab, 0) + len(await request.body())
        return Response(status_code=204)

    async def health(_request: Request) -> Response:
        return Response("ok")

    routes = [
        Route("/_stcore/health", health),
        WebSocketRoute("/_stcore/stream", page),
        Route("/_stcore/upload_file/{tab}/{file}", upload, methods=["PUT", "DELETE"]),
    ]
    asking = [OWNER]
    app = Starlette(routes=routes, middleware=[Middleware(Quotas, use=lambda: desk.as_user(asking[0]))])
    monkeypatch.setattr(quotas, "current", lambda: asking[0])
    monkeypatch.setattr(quotas, "uploads_by_tab", lambda: held)

    def as_user(user) -> TestClient:
        asking[0] = user
        return TestClient(app)

    return as_user


def test_a_page_beyond_the_limit_is_refused_until_another_one_is_closed(as_user):
    with as_user(ANN).websocket_connect("/_stcore/stream") as first:
        assert first.receive_text() == "open"
        with pytest.raises(WebSocketDisconnect) as refused, as_user(ANN).websocket_connect("/_stcore/stream"):
            pass
        assert (refused.value.code, refused.value.reason) == (1013, "Too many open pages.")
        with as_user(BEN).websocket_connect("/_stcore/stream") as other:
            assert other.receive_text() == "open"
    with as_user(ANN).websocket_connect("/_stcore/stream") as again:
        assert again.receive_text() == "open"


def test_a_page_that_asks_why_it_cannot_connect_is_told_the_limit(as_user):
    def asks(user, **headers: str):
        return as_user(user).get("/_stcore/health", headers=headers)

    of_a_page = {"X-Page-Origin": "http://127.0.0.1"}
    assert asks(ANN, **of_a_page).text == "ok"
    with as_user(ANN).websocket_connect("/_stcore/stream") as first:
        assert first.receive_text() == "open"
        answer = asks(ANN, **of_a_page)
        assert (answer.status_code, "You have used 1 of 1 open pages" in answer.text) == (429, True)
        assert [asks(ANN).text, asks(BEN, **of_a_page).text] == ["ok", "ok"]
    assert asks(ANN, **of_a_page).text == "ok"


def test_the_owner_opens_as_many_pages_as_they_like(as_user, desk):
    with as_user(OWNER).websocket_connect("/_stcore/stream"), as_user(OWNER).websocket_connect("/_stcore/stream") as second:
        assert second.receive_text() == "open"
    assert not desk.has_places


def test_uploads_count_for_their_user_and_for_all(as_user):
    def upload(user, tab: str, size: int):
        return as_user(user).put(f"/_stcore/upload_file/{tab}/1", content=b"x" * size)

    assert [upload(ANN, "a", 60).status_code, upload(ANN, "b", 40).status_code] == [204, 204]
    refused = upload(ANN, "c", 1)
    assert (refused.status_code, "101 bytes of 100 bytes" in refused.text) == (429, True)
    assert upload(BEN, "d", 50).status_code == 204
    refused = upload(BEN, "d", 1)
    assert (refused.status_code, "All users together" in refused.text) == (429, True)
    assert as_user(ANN).delete("/_stcore/upload_file/a/1").status_code == 204
