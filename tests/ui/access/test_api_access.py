"""Paths of other programs: who gets in with what, and what a page of another site cannot do."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.testclient import TestClient

from agents import DatabaseError
from agents.access import OWNER, ApiTokens, TokenScope
from agents.storage.memory_journal import InMemoryJournal
from ui.access import door, identity, owner_token
from ui.access.api_access import API_PATHS, is_api_path
from ui.access.guard import Guard, Reach
from ui.access.identity import Identity

HERE, NETWORK, PROXIED = Reach(), Reach(network=True), Reach(names=frozenset({"play.example.org"}))
LOCAL, REMOTE = ("127.0.0.1", 4000), ("203.0.113.9", 4000)
JSON = {"Content-Type": "application/json"}


async def reached(request: Request) -> JSONResponse:
    user = identity.current()
    return JSONResponse({"user": user.id, "scopes": sorted(user.scopes or ["everything"]), "via": user.via})


@pytest.fixture
def tokens():
    return ApiTokens(InMemoryJournal())


@pytest.fixture
def open_door(tokens):
    app = Starlette()
    app.add_route("/{path:path}", reached, methods=["GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"])

    def client(reach: Reach = HERE, peer: tuple[str, int] = LOCAL) -> TestClient:
        return TestClient(
            Guard(Identity(app, reach, tokens=lambda: tokens), reach), base_url="http://127.0.0.1", client=peer
        )

    return client


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


@pytest.mark.parametrize("key", [None, "sk-none", "playground", "Basic xyz"])
def test_a_program_of_this_machine_is_the_owners_whatever_key_it_has(open_door, key):
    answer = open_door().get("/v1/models", headers=bearer(key) if key else {})
    assert answer.json() == {"user": OWNER.id, "scopes": ["everything"], "via": ""}


def test_a_token_narrows_what_a_program_of_this_machine_may(open_door, tokens):
    _, text = tokens.make(OWNER, "editor", {TokenScope.READ})
    assert open_door().get("/v1/models", headers=bearer(text)).json() == {
        "user": OWNER.id,
        "scopes": ["read"],
        "via": "editor",
    }


@pytest.mark.parametrize(("reach", "peer"), [(NETWORK, REMOTE), (NETWORK, LOCAL), (PROXIED, LOCAL)])
@pytest.mark.parametrize("path", [f"{home}/x" for home in API_PATHS])
def test_elsewhere_each_path_needs_a_token(open_door, tokens, reach, peer, path):
    client, (_, text) = open_door(reach, peer), tokens.make(OWNER, "editor", {TokenScope.RUN})
    for headers in ({}, bearer("sk-none"), {"Authorization": text}, bearer(text[:-1] + "!")):
        answer = client.post(path, headers=headers, json={})
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith('Bearer realm="Agent Playground"')
        assert answer.json()["error"]["code"] == "invalid_api_key"
        assert "set-cookie" not in answer.headers
    assert client.post(path, headers=bearer(text), json={}).json()["via"] == "editor"


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_what_comes_through_a_proxy_needs_a_token(open_door, header):
    assert open_door().get("/v1/models", headers={header: "127.0.0.1"}).status_code == 401


def test_the_owners_browser_needs_none(open_door):
    client = open_door(NETWORK, REMOTE)
    client.cookies.set(owner_token.cookie_name(), owner_token.token())
    assert client.get("/v1/models").json()["user"] == OWNER.id


def test_while_a_class_is_held_nobody_is_the_owner_by_address(open_door, monkeypatch):
    monkeypatch.setattr(door._process, "door", None)
    door.build()
    assert open_door().get("/v1/models").status_code == 401


@pytest.mark.parametrize("reach", [HERE, NETWORK])
def test_a_revoked_token_lets_nobody_in(open_door, tokens, reach):
    made, text = tokens.make(OWNER, "editor", {TokenScope.RUN})
    tokens.revoke(OWNER, made.id)
    answer = open_door(reach).get("/v1/models", headers=bearer(text))
    assert (answer.status_code, 'error="invalid_token"' in answer.headers["www-authenticate"]) == (401, True)


def test_a_token_is_of_no_use_on_other_paths(open_door, tokens):
    _, text = tokens.make(OWNER, "editor", {TokenScope.ADMINISTER})
    assert open_door(NETWORK, REMOTE).get("/api/log", headers=bearer(text)).json()["user"].startswith("visitor-")


def test_without_the_database_it_says_so():
    def fail():
        raise DatabaseError("The database is locked.")

    client = TestClient(Identity(Starlette(), NETWORK, tokens=fail), base_url="http://127.0.0.1")
    answer = client.get("/v1/models", headers=bearer(f"playground-{'0' * 16}-{'a' * 43}"))
    assert (answer.status_code, answer.json()["detail"]) == (503, "The database is locked.")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({**JSON, "Origin": "http://evil.example"}, 403),
        ({**JSON, "Origin": "null"}, 403),
        ({**JSON, "Origin": "http://127.0.0.1:9999"}, 403),
        ({**JSON, "Host": "evil.example"}, 421),
        ({**JSON, "Sec-Fetch-Site": "cross-site"}, 403),
        ({**JSON, "Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "text/plain; application/json"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": "multipart/form-data; boundary=x"}, 415),
        ({**JSON, "Origin": "http://127.0.0.1"}, 200),
        ({**JSON, "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Content-Type": "Application/JSON; charset=utf-8"}, 200),
    ],
)
def test_a_page_of_another_site_does_not_get_in(open_door, headers, status):
    answer = open_door().post("/v1/chat/completions", headers=headers, content=b'{"a": 1}')
    assert answer.status_code == status
    assert status == 200 or answer.json()["error"]["message"] == answer.json()["detail"]


def test_a_page_of_another_site_reads_nothing_by_an_address(open_door):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert open_door().get("/v1/models", headers=headers).status_code == 403


def test_pages_of_named_origins_may_ask_and_of_no_others(open_door, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_API_ORIGINS", "http://localhost:3000")
    asks = {"Origin": "http://localhost:3000", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type"}  # fmt: skip
    client = open_door()
    before = client.options("/ag-ui/ace", headers=asks)
    assert (before.status_code, before.headers["access-control-allow-origin"]) == (200, "http://localhost:3000")
    answer = client.post("/ag-ui/ace", headers={**JSON, "Origin": "http://localhost:3000"}, content=b"{}")
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "http://localhost:3000")
    assert client.options("/ag-ui/ace", headers={**asks, "Origin": "http://localhost:4000"}).status_code == 403
    assert client.get("/api/log", headers={"Origin": "http://localhost:3000"}).status_code == 403, (
        "other paths are the page's"
    )


def test_without_named_origins_nothing_says_that_others_may(open_door):
    answer = open_door().get("/v1/models", headers={"Origin": "http://127.0.0.1"})
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "path", ["/", "/runs", "/v1x", "/applet", "/api/log", "/_stcore/agent/mcp", "/x/v1", "/health", "/lab"]
)
def test_other_paths_are_none_of_theirs(path):
    assert not is_api_path(path)
