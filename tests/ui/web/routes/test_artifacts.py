"""Artifacts over HTTP, behind the guard."""

from __future__ import annotations

import pytest
from google.genai import types
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from agents.errors import DatabaseError, SessionNotFoundError
from ui.access.guard import Guard, Reach
from ui.web.routes.artifacts import artifact_route

PNG = b"\x89PNG\r\n\x1a\n and so on"


class Files:
    """Stands in for a run manager: artifacts by name and version."""

    def __init__(self) -> None:
        self.parts: dict[str, list[types.Part]] = {}
        self.error: Exception | None = None
        self.asked: list[tuple[object, ...]] = []

    @property
    def sessions(self) -> Files:
        return self

    def artifact(self, pipeline: str, session_id: str, name: str, version: int | None = None) -> types.Part | None:
        self.asked.append((pipeline, session_id, name, version))
        if self.error is not None:
            raise self.error
        found = self.parts.get(name, [])
        if version is None:
            return found[-1] if found else None
        return found[version] if version < len(found) else None


@pytest.fixture
def kept():
    return Files()


@pytest.fixture
def client(kept):
    app = Starlette(routes=[artifact_route(lambda: kept)], middleware=[Middleware(Guard, reach=Reach())])
    return TestClient(app, base_url="http://127.0.0.1:8501", client=("127.0.0.1", 5000))


def get(client: TestClient, name: str = "a.png", **more: str):
    return client.get("/api/artifact", params={"pipeline": "painter", "session": "s-1", "name": name, **more})


def blob(data: bytes, mime: str) -> types.Part:
    return types.Part(inline_data=types.Blob(data=data, mime_type=mime))


@pytest.mark.parametrize("mime", ["image/png", "image/jpeg", "image/gif", "image/webp", "IMAGE/PNG", "image/png; x=1"])
def test_a_picture_is_shown(client, kept, mime):
    kept.parts["a.png"] = [blob(PNG, mime)]
    answer = get(client)
    assert (answer.status_code, answer.content) == (200, PNG)
    assert answer.headers["content-type"] == mime.lower().split(";")[0]
    assert answer.headers["content-disposition"] == "inline; filename*=UTF-8''a.png"
    assert answer.headers["content-length"] == str(len(PNG))
    assert kept.asked == [("painter", "s-1", "a.png", None)]


@pytest.mark.parametrize(
    "mime", ["image/svg+xml", "text/html", "text/plain", "application/pdf", "application/xhtml+xml", ""]
)
def test_anything_else_is_a_download(client, kept, mime):
    kept.parts["page"] = [blob(b"<script>alert(1)</script>", mime)]
    answer = get(client, "page")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment; ")


@pytest.mark.parametrize("name", ["a.png", "gone"])
def test_no_answer_can_act_as_a_page_of_the_app(client, kept, name):
    kept.parts["a.png"] = [blob(PNG, "image/png")]
    headers = get(client, name).headers
    assert "sandbox" in headers["content-security-policy"]
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_a_text_is_a_download_in_utf_8(client, kept):
    kept.parts["note.txt"] = [types.Part(text="Grüße")]
    answer = get(client, "note.txt")
    assert answer.content == "Grüße".encode()
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


def test_a_senseless_type_becomes_bytes(client, kept):
    kept.parts["x"] = [blob(b"1", "text/html\r\nSet-Cookie: a=b")]
    answer = get(client, "x")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert "set-cookie" not in answer.headers


def test_a_version_is_kept_by_the_browser_and_the_latest_is_asked_for_again(client, kept):
    kept.parts["a.png"] = [blob(b"old", "image/png"), blob(b"new", "image/png")]
    assert get(client, version="0").content == b"old"
    assert "max-age" in get(client, version="0").headers["cache-control"]
    assert get(client).content == b"new"
    assert "no-cache" in get(client).headers["cache-control"]


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("user:report.txt", "report.txt"),
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\a.txt", "a.txt"),
        ('a";x=".html', "a%22%3Bx%3D%22.html"),
        ("Grüße.txt", "Gr%C3%BC%C3%9Fe.txt"),
        ("..", "artifact"),
        ("a\r\nb", "a__b"),
    ],
)
def test_the_name_of_a_download_is_no_path_and_no_header(client, kept, name, offered):
    kept.parts[name] = [types.Part(text="x")]
    assert get(client, name).headers["content-disposition"] == f"attachment; filename*=UTF-8''{offered}"


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"pipeline": "p", "session": "s"},
        {"pipeline": "p", "session": "s", "name": ""},
        {"pipeline": "p", "session": "s", "name": "a", "version": "-1"},
        {"pipeline": "p", "session": "s", "name": "a", "version": "1e3"},
        {"pipeline": "p", "session": "s", "name": "a" * 301},
    ],
)
def test_a_senseless_address_is_refused_before_anything_is_read(client, kept, query):
    answer = client.get("/api/artifact", params=query)
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/plain")
    assert kept.asked == []


def test_what_is_not_there_is_said(client, kept):
    kept.parts["a.png"] = [blob(PNG, "image/png")]
    assert get(client, "b.png").status_code == 404
    assert "version 5" in get(client, version="5").text
    kept.parts["far"] = [types.Part(file_data=types.FileData(file_uri="gs://x/y"))]
    assert get(client, "far").status_code == 404
    kept.error = SessionNotFoundError("There is no session.")
    assert get(client).status_code == 404
    kept.error = DatabaseError("The database is locked.")
    assert (get(client).status_code, get(client).text) == (503, "The database is locked.\n")


def test_strangers_are_kept_out(client, kept):
    kept.parts["a.png"] = [blob(PNG, "image/png")]
    refused = client.get(
        "/api/artifact",
        params={"pipeline": "p", "session": "s", "name": "a.png"},
        headers={"Origin": "http://elsewhere.example"},
    )
    assert refused.status_code == 403
    assert kept.asked == []
