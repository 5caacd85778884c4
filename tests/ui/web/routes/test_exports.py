"""Exported sessions over HTTP, behind the guard."""

from __future__ import annotations

import json

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from agents.errors import DatabaseError
from agents.runs import RunManager
from agents.sharing import SCOPES, export_session
from tests.ui.stage import finish
from ui.access.guard import Guard, Reach
from ui.sharing.formats import FORMATS
from ui.web.routes.exports import export_route

PIPELINE = "iterative_writing"


@pytest.fixture(scope="module")
def manager():
    with RunManager(database=None) as made:
        yield made


@pytest.fixture(scope="module")
def session(manager) -> str:
    begun = manager.start(PIPELINE, "a lighthouse", state={"user:phone": "555-0100"})
    finish(manager, PIPELINE, begun.session_id)
    return begun.session_id


def client_of(runs) -> TestClient:
    app = Starlette(routes=[export_route(runs)], middleware=[Middleware(Guard, reach=Reach())])
    return TestClient(app, base_url="http://127.0.0.1:8501", client=("127.0.0.1", 5000))


def ask(runs, form: str, session: str, *scopes: str, **more):
    query = {"pipeline": PIPELINE, "session": session, "format": form, "scope": scopes}
    return client_of(runs).get("/api/export", params=query, **more)


def test_all_of_it_is_a_download_that_can_be_imported(manager, session):
    answer = ask(lambda: manager, "jsonl", session, *SCOPES)
    assert answer.text == export_session(manager, PIPELINE, session).to_text()
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''iterative_writing-a_lighthouse.jsonl"
    assert answer.headers["content-type"] == "application/jsonl; charset=utf-8"


@pytest.mark.parametrize("form", FORMATS)
def test_a_scope_that_is_not_named_stays(manager, session, form):
    assert "555-0100" not in ask(lambda: manager, form, session, "session", "app").text
    assert "user:phone" not in ask(lambda: manager, form, session).text


def test_formats(manager, session):
    assert json.loads(ask(lambda: manager, "adk", session, *SCOPES).text)["state"]["user:phone"] == "555-0100"
    assert 'types.UserContent("a lighthouse")' in ask(lambda: manager, "code", session).text
    assert ask(lambda: manager, "html", session, *SCOPES).text.startswith("<!doctype html>")


@pytest.mark.parametrize(("form", "named"), [("exe", "x"), ("", "x"), ("html", ""), ("html", "x" * 301)])
def test_nonsense_is_refused_with_what_is_wanted(manager, form, named):
    answer = ask(lambda: manager, form, named)
    assert answer.status_code == 404
    assert "format=, which is one of html, jsonl, adk, code" in answer.text


def test_a_session_that_is_not_there(manager):
    answer = ask(lambda: manager, "html", "gone")
    assert (answer.status_code, "no session" in answer.text) == (404, True)


def test_a_database_that_fails_is_said():
    def fail():
        raise DatabaseError("The disk is full.")

    answer = ask(fail, "html", "s")
    assert (answer.status_code, answer.text) == (503, "The disk is full.\n")


def test_another_site_gets_nothing(manager, session):
    assert ask(lambda: manager, "html", session, headers={"Origin": "http://evil.test"}).status_code == 403
