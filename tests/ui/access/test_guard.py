"""Who may talk to the served app."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ui.access.guard import Guard, Reach, host_name, machine_names, reach_of, same_origin

LOCAL = ("127.0.0.1", 50000)
OTHER = ("192.0.2.7", 50000)


def client(reach: Reach | None = None, *, peer=LOCAL, base="http://127.0.0.1:8501") -> TestClient:
    async def page(_request):
        return PlainTextResponse("page")

    async def socket(websocket):
        await websocket.accept()
        await websocket.send_text("hello")
        await websocket.close()

    routes = [Route("/", page, methods=["GET", "POST"]), WebSocketRoute("/_stcore/stream", socket)]
    app = Starlette(routes=routes, middleware=[Middleware(Guard, reach=reach or Reach())])
    return TestClient(app, base_url=base, client=peer)


@pytest.mark.parametrize("host", ["127.0.0.1:8501", "localhost:8501", "LOCALHOST", "[::1]:8501", "localhost."])
def test_names_of_this_machine_are_answered(host):
    assert client().get("/", headers={"host": host}).text == "page"


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "127.0.0.1.example.com",
        "localhost@example.com",
        "example.com#localhost",
        "127.0.0.1:port",
        "192.0.2.1",
        "a b",
    ],
)
def test_other_names_are_refused(host):
    answer = client().get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "127.0.0.1" in answer.text


def test_a_request_without_a_host_is_refused():
    assert host_name(None) is None
    assert not Reach().allows_host(None)
    assert not Reach(network=True).allows_host("")


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8501", "https://127.0.0.1:8501"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_own_pages_may_ask(method, origin):
    assert client().request(method, "/", headers={"origin": origin, "x-page-origin": origin}).text == "page"


@pytest.mark.parametrize(
    "origin",
    [
        "http://example.com",
        "http://127.0.0.1:9999",
        "http://localhost:8501",
        "null",
        "file://",
        "",
        "http://[",
        "ftp://127.0.0.1:8501",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_pages_of_other_origins_may_not(method, origin):
    for name in ("origin", "x-page-origin"):
        assert client().request(method, "/", headers={name: origin}).status_code == 403


def test_websockets_are_guarded_too():
    with client().websocket_connect(
        "/_stcore/stream", headers={"origin": "http://127.0.0.1:8501", "host": "127.0.0.1:8501"}
    ) as socket:
        assert socket.receive_text() == "hello"
    for headers in ({"origin": "http://example.com", "host": "127.0.0.1:8501"}, {"host": "example.com"}):
        with pytest.raises(WebSocketDisconnect), client().websocket_connect("/_stcore/stream", headers=headers):
            pass


def test_only_this_machine_may_connect_unless_opened():
    assert client(peer=OTHER).get("/").status_code == 403
    assert client(peer=("::ffff:127.0.0.1", 1)).get("/").text == "page"
    assert client(peer=("::ffff:192.0.2.7", 1)).get("/").status_code == 403
    assert client(Reach(network=True), peer=OTHER).get("/").text == "page"


def test_opened_to_the_network_it_answers_to_addresses_and_the_machines_own_names():
    reach = Reach(network=True, names=frozenset({"playground.test"}))
    for host in ["192.0.2.1:8501", "[2001:db8::1]:8501", "playground.test", "localhost", *machine_names()]:
        assert reach.allows_host(host), host
    assert not reach.allows_host("example.com")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        *[(local, False) for local in (None, "", "127.0.0.1", "127.8.0.1", "localhost", "::1")],
        *[(network, True) for network in ("0.0.0.0", "::", "192.0.2.1", "desk.test")],
    ],
)
def test_the_reach_follows_from_the_address_listened_on(address, network):
    assert reach_of(address).network is network
    assert reach_of("desk.test", ["Lab.test"]).names == {"desk.test", "lab.test"}


def test_every_answer_keeps_the_page_on_this_machine():
    headers = client().get("/").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "ws://127.0.0.1:8501" in headers["content-security-policy"]
    assert "http:" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_the_default_port_may_be_left_out():
    assert same_origin("http://localhost", "localhost")
    assert not same_origin("http://localhost:80", "localhost")
