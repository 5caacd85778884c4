"""The base path: requests with it and without it reach the same routes."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient

from ui.web.base_path import BasePath


async def page(request):
    return PlainTextResponse(request.url.path)


async def socket(websocket):
    await websocket.accept()
    await websocket.send_text(websocket.url.path)
    await websocket.close()


def client(base: str) -> TestClient:
    routes = [Route("/", page), Route("/gallery", page), WebSocketRoute("/api/log", socket)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(BasePath, base=base)]))


@pytest.mark.parametrize("base", ["/playground", "/user/ann/proxy/8501", "/käse"])
@pytest.mark.parametrize("path", ["/", "/gallery"])
def test_a_path_is_found_with_the_base_path_and_without(base, path):
    assert client(base).get(base + path).text == path
    assert client(base).get(path).text == path


def test_a_socket_is_found_below_the_base_path():
    with client("/play").websocket_connect("/play/api/log") as connected:
        assert connected.receive_text() == "/api/log"


def test_the_base_path_without_its_slash_leads_to_the_page_and_keeps_the_query():
    answer = client("/a/b").get("/a/b?pipeline=x", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, "b/?pipeline=x")


def test_a_path_that_only_begins_like_the_base_path_is_another():
    assert client("/play").get("/playground/gallery").status_code == 404
