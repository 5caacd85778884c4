"""Who asks: decided in front of every route and socket, whatever a client claims."""

from __future__ import annotations

import asyncio
import re

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket

from agents.access import OWNER, Role
from ui.access import identity, owner_token, refusals
from ui.access.guard import Guard, Reach
from ui.access.identity import HEADER, Identity

LOCAL, REMOTE = ("127.0.0.1", 40000), ("203.0.113.9", 40000)
HERE, PROXIED, NETWORK = Reach(), Reach(names=frozenset({"play.example.org"})), Reach(network=True)


def told(user_header: str | None) -> dict[str, str | None]:
    asking = identity.current()
    return {"id": asking.id, "role": asking.role.value, "header": user_header}


async def who(request: Request) -> JSONResponse:
    assert len(request.headers.getlist(HEADER)) == 1
    in_thread = await asyncio.to_thread(identity.current)
    assert in_thread == identity.current(), "a thread of a route asks as the route does"
    return JSONResponse(told(request.headers.get(HEADER)))


async def page(request: Request) -> HTMLResponse:
    return HTMLResponse("<p>page</p>")


async def socket(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_json(told(websocket.headers.get(HEADER)))
    await websocket.close()


async def upload(request: Request) -> JSONResponse:
    return JSONResponse({"held": len(await request.body())})


APP = Starlette(
    routes=[
        Route("/who", who),
        Route("/", page),
        WebSocketRoute("/_stcore/stream", socket),
        Route("/_stcore/upload_file/{tab}/{file}", upload, methods=["PUT", "POST", "DELETE"]),
    ]
)


def browser(reach: Reach, peer: tuple[str, int] = LOCAL) -> TestClient:
    return TestClient(Guard(Identity(APP, reach), reach), base_url="http://127.0.0.1", client=peer)


def role(client: TestClient, **headers: str) -> str:
    return client.get("/who", headers={name.replace("_", "-"): value for name, value in headers.items()}).json()["role"]


def test_a_browser_of_this_machine_is_the_owners_and_gets_no_cookie():
    client = browser(HERE)
    assert client.get("/who").json() == {"id": OWNER.id, "role": "owner", "header": OWNER.id}
    assert "set-cookie" not in client.get("/").headers


@pytest.mark.parametrize(
    "header",
    ["X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Via", "X-Real-IP", "x-forwarded-user"],
)
def test_what_came_through_a_proxy_is_a_visitors_and_not_refused(header):
    answer = browser(HERE).get("/who", headers={header: "127.0.0.1"})
    assert (answer.status_code, answer.json()["role"]) == (200, "visitor")


def test_behind_a_named_proxy_without_any_header_nobody_is_the_owner_by_address():
    client = TestClient(Guard(Identity(APP, PROXIED), PROXIED), base_url="http://play.example.org", client=LOCAL)
    assert role(client) == "visitor"


def test_on_a_network_nobody_is_the_owner_by_address():
    assert role(browser(NETWORK)) == role(browser(NETWORK, REMOTE)) == "visitor"


def test_another_machine_does_not_become_a_visitor_by_claiming_a_proxy():
    answer = browser(HERE, REMOTE).get("/who", headers={"X-Forwarded-For": "127.0.0.1"})
    assert answer.status_code == 403


@pytest.mark.parametrize("reach", [HERE, PROXIED, NETWORK])
def test_the_owners_cookie_makes_a_browser_the_owners_through_a_proxy_too(reach):
    client = browser(reach)
    client.cookies.set(owner_token.cookie_name(), owner_token.token())
    assert role(client, X_Forwarded_For="203.0.113.9") == "owner"


@pytest.mark.parametrize(
    "forge", [lambda token: token[:-1], lambda _: "", lambda _: "guess", lambda _: "é", lambda _: "person"]
)
def test_a_forged_owners_cookie_makes_nobody_the_owner(forge):
    value = forge(owner_token.token())
    answer = browser(NETWORK).get("/who", headers={"Cookie": f"{owner_token.cookie_name()}={value}".encode("latin-1")})
    assert answer.json()["role"] == "visitor"


@pytest.mark.parametrize("name", [HEADER, HEADER.upper(), HEADER.replace("-", "_")])
def test_a_clients_own_header_is_removed(name):
    client = browser(NETWORK)
    told = client.get("/who", headers={name: OWNER.id}).json()
    assert told["role"] == "visitor"
    assert told["header"] == told["id"] != OWNER.id
    with client.websocket_connect("ws://127.0.0.1/_stcore/stream", headers={name: OWNER.id}) as connection:
        assert connection.receive_json()["header"].startswith("visitor-")


def test_a_visitor_keeps_an_id_and_two_have_two():
    one, two = browser(NETWORK), browser(NETWORK)
    cookie = one.get("/").headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax"} <= set(cookie.split("; "))
    two.get("/")
    ids = [client.get("/who").json()["id"] for client in (one, one, two)]
    assert ids[0] == ids[1] != ids[2]
    with one.websocket_connect("ws://127.0.0.1/_stcore/stream") as connection:
        assert connection.receive_json()["id"] == ids[0]


def test_over_https_the_cookie_is_for_https_alone():
    answer = browser(NETWORK).get("/", headers={"X-Forwarded-Proto": "https"})
    assert "Secure" in answer.headers["set-cookie"].split("; ")


def test_the_cookie_of_another_visitor_cannot_be_made():
    victim = browser(NETWORK)
    cookie = victim.get("/").headers["set-cookie"]
    name, value = re.match(r"([^=]+)=([^;]+)", cookie).groups()
    user = victim.get("/who").json()["id"]
    thief = browser(NETWORK)
    for forged in (
        value.split(".")[0],
        value.split(".")[0] + ".",
        value[:-1],
        "." + value.split(".")[1],
        f"person.{'0' * 64}",
    ):
        thief.cookies.set(name, forged)
        assert thief.get("/who").json()["id"] not in {user, OWNER.id}


def test_a_cookie_of_another_playground_is_nobodys(monkeypatch):
    client = browser(NETWORK)
    client.get("/")
    before = client.get("/who").json()["id"]
    monkeypatch.setattr(identity.visitor_key, "key", lambda: b"of another playground")
    assert client.get("/who").json()["id"] != before


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_a_visitor_cannot_upload(method):
    answer = browser(NETWORK).request(method, "/_stcore/upload_file/tab/1", content=b"x" * 1000)
    assert answer.status_code == 403
    assert "may not upload" in answer.text


def test_the_owners_uploads_have_a_limit_together(monkeypatch):
    client = browser(HERE)
    assert client.put("/_stcore/upload_file/tab/1", content=b"x" * 1000).json() == {"held": 1000}
    monkeypatch.setattr(refusals, "uploads_held", lambda: refusals.MOST_UPLOADED - 999)
    answer = client.put("/_stcore/upload_file/tab/2", content=b"x" * 1000)
    assert answer.status_code == 413
    assert "400 MB" in answer.text


def test_nobody_asks_outside_of_a_request_but_the_owner():
    assert identity.current() == OWNER
    assert identity.current().role is Role.OWNER
