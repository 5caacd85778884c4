"""Every way into the playground: routes and sockets, Streamlit's own included, and the commands of the terminal."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.testclient import TestClient

from agents.access import OWNER, Action
from ui.access import identity
from ui.access.api_access import is_api_path
from ui.access.guard import Reach
from ui.access.identity import Identity
from ui.cli.main import COMMANDS

SOCKETS = {
    "/api/log": "own sessions and the owner's",
    "/api/sessions": "own sessions and the owner's",
    "/api/class": "acts of a class: tests/ui/classroom/test_rights.py",
    "/_stcore/stream": "actions of the page's script: test_script_actions.py",
}
READING = {
    # ours: tests/ui/web/test_visitors.py
    "/", "/gallery", "/lessons", "/build", "/playbook", "/sessions", "/lab", "/settings", "/demo", "/help", "/owner",
    "/shared/{text}",
    "/sign-in/openid", "/sign-in/back",
    "/join", "/wall", "/class", "/teacher",
    "/health", "/ready", "/llms.txt", "/help/{topic}.md", "/components/{file}",
    "/api/artifact", "/api/playbook", "/api/collection", "/api/texts", "/api/code", "/api/export",
    # Streamlit's
    "/_stcore/health", "/_stcore/metrics", "/_stcore/host-config", "/media/{file_id:path}", "/component/{path:path}",
    "/_stcore/bidi-components/{path:path}", "/auth/login", "/auth/logout", "/oauth2callback",
}  # fmt: skip
UNKNOWN = "/{path:path}"
"""What is none of the others: 404, tests/ui/api/test_unknown_paths.py."""
FORMS = {"/sign-in", "/sign-out", "/invitation"}
"""Ours, of who is not signed in: tests/ui/sign_in."""
SENDING = {
    "/_stcore/upload_file/{session_id}/{file_id}",
    "/_stcore/agent/interact",
    "/_stcore/agent/openapi.json",
    "/_stcore/agent/mcp",
    *FORMS,
}
"""Routes that take more than GET, HEAD and OPTIONS: those of forms, and Streamlit's."""
ADK_SESSIONS = "/apps/{app_name}/users/{user_id}/sessions"
ADK_FILE = f"{ADK_SESSIONS}/{{session_id}}/artifacts/{{name:path}}"
PROGRAMS = {
    "/mcp", "/ag-ui/{pipeline}", "/run", "/run_sse", "/version", "/metrics", "/list-apps", "/apps/{app_name}/app-info",
    "/v1/models", "/v1/models/{model:path}", "/v1/chat/completions", "/v1/responses", "/v1/responses/{response}",
    "/v1/responses/{response}/cancel", "/v1/responses/{response}/input_items", "/v1/conversations",
    "/v1/conversations/{conversation}", "/v1/conversations/{conversation}/items",
    ADK_SESSIONS, f"{ADK_SESSIONS}/{{session_id}}", f"{ADK_SESSIONS}/{{session_id}}/artifacts",
    ADK_FILE, *(f"{ADK_FILE}/versions{end}" for end in ("", "/metadata", "/{version}", "/{version}/metadata")),
}  # fmt: skip
"""Routes of other programs, which show a token where they are not the owner's: test_api_access.py, tests/ui/api."""
READS = {"GET", "HEAD", "OPTIONS"}
COMMAND_ACTIONS = {
    "open": set(Action), "demo": set(Action), "class": set(Action),
    "run": {Action.RUN, Action.WRITE_STATE, Action.WRITE_APP_STATE, Action.UPLOAD},
    "answer": {Action.ANSWER, Action.APPROVE},
    "check": {Action.USE_CASES},
    "code": {Action.READ_SESSION}, "export": {Action.READ_SESSION}, "trace": {Action.READ_SESSION},
    "sessions": {Action.READ_SESSION}, "pending": {Action.READ_SESSION}, "pipelines": set(), "review": set(),
    "copy": {Action.USE_SERVICES}, "links": {Action.SHARE},
    "usage": set(), "audit": {Action.USE_SERVICES}, "backup": {Action.USE_SERVICES}, "restore": {Action.USE_SERVICES},
    "help": set(), "lesson": set(), "grade": set(), "new": set(),
    "import": {Action.IMPORT}, "learn-from": {Action.IMPORT, Action.READ_SESSION, Action.EDIT_PLAYBOOK},
    "lab": {Action.USE_LAB},
    "models": {Action.CHANGE_SETTINGS},
    "users": {Action.MANAGE_USERS},
    "mcp": set(Action),
}  # fmt: skip
"""What each command does. They ask as the owner: who can start one on this machine can read its files too."""

LIST = """
import argparse
import json
import re
from ui.app import app
from starlette.routing import WebSocketRoute
def methods(route):
    return "socket" if isinstance(route, WebSocketRoute) else sorted(getattr(route, "methods", None) or ["mount"])
print("routes:", json.dumps([(route.path, methods(route)) for route in app._build_starlette_app().routes]))
"""


@pytest.fixture(scope="module")
def routes() -> list[tuple[str, object]]:
    """All routes of the served app. Streamlit's exist beside a runtime, of which a process has one."""
    printed = subprocess.run([sys.executable, "-c", LIST], capture_output=True, text=True, check=True).stdout
    return json.loads(printed.partition("routes: ")[2])


def test_every_route_and_socket_is_known_here(routes):
    assert {path for path, methods in routes if methods == "socket"} == set(SOCKETS)
    assert [path for path, methods in routes if methods == ["mount"]] == [""], "Streamlit's static files"
    reading = {path for path, methods in routes if methods not in ("socket", ["mount"]) and set(methods) <= READS}
    sending = {path for path, methods in routes if methods != "socket" and not set(methods) <= {*READS, "mount"}}
    programs = {path for path, _ in routes if is_api_path(path)}
    assert programs == PROGRAMS
    assert sending - programs == SENDING | {UNKNOWN}
    assert reading - programs - SENDING == READING


async def reached(request: Request) -> Response:
    return JSONResponse({"user": identity.current().id, "method": request.method})


@pytest.fixture
def client() -> TestClient:
    app = Starlette()
    app.add_route("/{path:path}", reached, methods=["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
    return TestClient(Identity(app, Reach(network=True)), client=("203.0.113.9", 4000))


METHODS = ["PUT", "POST", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "OPTIONS ", "GETS", "X"]


@pytest.mark.parametrize("path", sorted({*READING, *SENDING, *PROGRAMS, *SOCKETS, "/no/such/route"}))
def test_a_visitor_sends_nothing_by_http(client, path):
    for method in METHODS:
        answer = client.request(method, path.replace("{", "").replace(":path}", "").replace("}", ""), content=b"x")
        refused = "Only the playground's own pages" if path in FORMS and method == "POST" else "A visitor may not upload"
        assert (answer.status_code, refused in answer.text) == (403, True), method


@pytest.mark.parametrize("path", sorted(SENDING))
@pytest.mark.parametrize("method", sorted(READS))
def test_what_only_reads_is_let_through_as_the_visitors(client, path, method):
    assert client.request(method, path).status_code in {200, 204, 405}


@pytest.mark.parametrize("query", ["user=person", "user_id=person", "playground_user=person", "x-playground-user=person"])
def test_nobody_is_somebody_else_by_an_address(client, query):
    answer = client.get(f"/api/log?{query}", headers={"Authorization": "Bearer person", "From": OWNER.id})
    assert answer.json()["user"].startswith("visitor-")


@pytest.mark.parametrize(
    "header", ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "Content-Type", "Transfer-Encoding"]
)
def test_a_header_does_not_turn_reading_into_sending(client, header):
    answer = client.get("/_stcore/upload_file/a/b", headers={header: "PUT"})
    assert answer.json()["method"] == "GET"


def test_every_command_is_known_here_and_none_asks_as_somebody_else():
    assert {command.name for command in COMMANDS} == set(COMMAND_ACTIONS)
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        command.add_arguments(parser)
        options = set(parser._option_string_actions) - {"--users"}  # a file with all of them
        options -= {"--user"} if command.name == "audit" else set()  # whose entries are shown
        assert not re.search(r"user|visitor|token|role", " ".join(options))
