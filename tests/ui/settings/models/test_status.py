"""How providers stand, in words."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from agents.models.connections import Connection
from agents.models.providers import endpoints
from ui.settings.models import status

URL = "http://127.0.0.1:1"
KEY = Connection(URL, SecretStr("secret-key-1"))


@pytest.mark.parametrize(
    ("known", "last", "words"),
    [
        (Connection(URL, None), None, "key missing"),
        (KEY, None, "key there, not tried"),
        (KEY, {"ok": True}, "ready"),
        (KEY, {"error": "No.", "code": "API_KEY_INVALID"}, "key not accepted"),
        (KEY, {"error": "Busy.", "code": "503"}, "last question failed"),
    ],
)
def test_gemini(known, last, words):
    found = status.with_key(endpoints()["gemini"], known, last)
    assert found.words == words
    assert found.icon
    assert "secret" not in str(found)


@pytest.mark.parametrize(
    ("last", "words"),
    [
        (None, "looking …"),
        ({"names": ["llama/a"]}, "ready"),
        ({"names": []}, "no model there"),
        ({"ok": True}, "ready"),
        ({"error": "No.", "code": "CONNECTION_FAILED"}, "no server there"),
        ({"error": "No.", "code": "TIMEOUT"}, "does not answer"),
        ({"error": "No.", "code": "API_KEY_MISSING"}, "key missing"),
    ],
)
def test_servers(last, words):
    assert status.of_server("http://127.0.0.1:8080/v1", last).words == words


def test_no_two_states_look_alike_without_their_colour():
    states = [
        status.of_server("x", {"error": "e", "code": code}) for code in ("CONNECTION_FAILED", "API_KEY_INVALID", "503")
    ]
    assert len({(found.words, found.icon) for found in states}) == len(states)


def test_where_a_key_is_from():
    assert status.key_source(endpoints()["gemini"], Connection(URL, None)) == "not there yet"
    assert "GOOGLE_API_KEY" in status.key_source(endpoints()["gemini"], KEY)
    assert status.key_source(endpoints()["llama"], Connection(URL, KEY.api_key, typed_key=True)).startswith("typed")


def test_an_address_is_no_link_and_nothing_else_either():
    assert status.code("http://a/`**b**`") == "`http://a/**b**`"
