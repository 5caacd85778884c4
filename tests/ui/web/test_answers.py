"""What a route answers where its function cannot: as JSON, or as a line of text."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from agents.errors import ArtifactError, DatabaseError, SessionNotFoundError
from ui.web.answers import SAFE, file_route, json_route


@pytest.mark.parametrize(
    ("error", "status"),
    [(ValueError("x"), 400), (DatabaseError("x"), 503), (SessionNotFoundError("x"), 404), (ArtifactError("x"), 404)],
    ids=lambda one: type(one).__name__,
)
def test_an_error_is_a_message_with_the_headers_of_every_answer(error, status):
    def read(_query):
        raise error

    client = TestClient(Starlette(routes=[json_route("/json", read), file_route("/file", read, SAFE)]))
    as_json, as_text = client.get("/json"), client.get("/file")
    assert (as_json.status_code, as_json.json()) == (status, {"message": "x"})
    assert (as_text.status_code, as_text.text) == (status, "x\n")
    assert as_json.headers["cache-control"] == "no-store"
    for name, value in SAFE.items():
        assert as_json.headers[name] == as_text.headers[name] == value
