"""Streamlit's files from memory: the same answers as its own route, which answers the rest."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount
from starlette.testclient import TestClient
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_assets_routes

from ui.dependencies.streamlit_private import STATIC
from ui.web import static_files
from ui.web.static_files import StaticFiles


@pytest.fixture
def client(tmp_path):
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "index.1.js").write_text("first")
    (tmp_path / "large.js").write_bytes(b"x" * (static_files.LARGEST + 1))
    (tmp_path.parent / "secret.js").write_text("not served")
    rest = Starlette(routes=[Mount("/", PlainTextResponse("rest"))])
    return TestClient(StaticFiles(rest, tmp_path))


def test_a_file_is_read_once(client, tmp_path):
    assert client.get("/static/js/index.1.js").text == "first"
    (tmp_path / "js" / "index.1.js").write_text("second")
    assert client.get("/static/js/index.1.js").text == "first"


@pytest.mark.parametrize(
    "path",
    ["/", "/static", "/static/", "/static/js", "/static/large.js", "/static/../secret.js", "/static/%2e%2e/secret.js"],
)
def test_all_else_is_left_to_the_app(client, path):
    assert client.get(path).text == "rest"


def test_other_methods_are_left_to_the_app(client):
    assert client.post("/static/js/index.1.js").text == "rest"


def test_each_kind_of_file_is_answered_as_streamlit_answers():
    own = TestClient(StaticFiles(Starlette()))
    theirs = TestClient(Starlette(routes=create_streamlit_static_assets_routes(base_url=None)))
    kinds = {path.suffix: path for path in (STATIC / "static").rglob("*") if path.is_file()}
    assert kinds.keys() >= {".js", ".css", ".woff2"}
    for path in kinds.values():
        name = f"/{path.relative_to(STATIC).as_posix()}"
        answer, expected = own.get(name), theirs.get(name)
        assert (answer.status_code, answer.content) == (200, expected.content)
        for header in ("cache-control", "content-type", "content-length"):
            assert answer.headers[header] == expected.headers[header], (name, header)
