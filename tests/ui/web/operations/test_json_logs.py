"""Logs as JSON: one object a line, without keys and names of users."""

from __future__ import annotations

import io
import json
import logging

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from agents import config
from agents.access import OWNER
from ui.access import identity, owner_token
from ui.access.guard import Reach
from ui.access.identity import Identity
from ui.web.operations import json_logs
from ui.web.operations.traffic import Traffic

REACH = Reach(network=True)


@pytest.fixture
def lines(monkeypatch):
    """Returns what was logged, line by line, by everything."""
    before, written = logging.root.handlers[:], io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    json_logs.install()
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    logging.root.handlers[:] = before


async def works(request):
    logging.getLogger("somewhere").warning("on the way\nwith %s", "two lines")
    return PlainTextResponse(identity.current().id)


def client():
    app = Starlette()
    app.add_route("/{path:path}", works)
    return TestClient(Traffic(Identity(app, REACH)), client=("203.0.113.9", 1))


def test_a_line_is_one_object_with_the_requests_id_and_the_user_who_cannot_be_told(lines):
    visitor = client().get("/sessions/secret?token=secret", headers={"X-Request-ID": "r1"}).text
    inside, outside = lines()
    assert inside["message"] == "on the way\nwith two lines"
    assert (inside["level"], inside["logger"], inside["request"]) == ("warning", "somewhere", "r1")
    assert inside["user"] == outside["user"] == json_logs.hashed(visitor)
    assert outside["message"] == "GET page 200"
    assert outside["milliseconds"] >= 0
    assert not [word for word in (visitor, "secret", "127.0.0.1", "203.0.113.9") if word in json.dumps(lines())]


def test_users_differ_and_stay_the_same(lines):
    browser = client()
    browser.cookies.set(owner_token.cookie_name(), owner_token.token())
    browser.get("/")
    browser.get("/")
    client().get("/")
    users = [line["user"] for line in lines() if line["logger"] == "playground.requests"]
    assert users[0] == users[1] == json_logs.hashed(OWNER.id) != users[2]


def test_keys_are_masked_in_messages_and_errors(lines):
    config.hide("sk-very-secret-key-0001")
    try:
        int("sk-very-secret-key-0001")
    except ValueError:
        logging.getLogger("streamlit.web").exception("failed with %s", "sk-very-secret-key-0001")
    [line] = lines()
    assert "sk-very" not in json.dumps(line)
    assert "ValueError" in line["message"]


@pytest.fixture
def library():
    """A logger with a handler of its own, as libraries have them."""
    made = logging.getLogger("streamlit.other")
    made.addHandler(logging.StreamHandler())
    made.propagate = False
    return made


def test_a_logger_with_a_handler_of_its_own_is_taken_along(library, lines):
    library.error("once")
    assert [line["message"] for line in lines()] == ["once"]


@pytest.mark.parametrize(
    ("variable", "value"), [("PLAYGROUND_LOG_FORMAT", "xml"), ("PLAYGROUND_DRAIN", "soon"), ("PLAYGROUND_DRAIN", "-1")]
)
def test_a_wrong_setting_is_refused_with_a_sentence(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    with pytest.raises(ValueError, match=f"{variable} must be"):
        (config.log_format if variable.endswith("FORMAT") else config.drain_seconds)()
