"""The documents for programs: the list, each page, and what is not there."""

from __future__ import annotations

import re

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.ui.web.test_visitors import PAGES
from ui.text import documents
from ui.web.routes.documents import list_route, page_route


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(Starlette(routes=[list_route(), page_route()]))


def test_the_list_has_a_link_to_every_page_and_each_leads_there(client):
    answer = client.get("/llms.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text.startswith("# Agent Playground\n\n> ")
    links = re.findall(r"(?m)^- \[.+?\]\((help/\S+)\): .+$", answer.text)
    assert links == [f"help/{topic}.md" for topic in documents.pages()]
    for link, topic in zip(links, documents.pages(), strict=True):
        page = client.get(f"/{link}")
        assert (page.status_code, page.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
        assert page.text.startswith(f"# {documents.pages()[topic].title}\n")


def test_links_between_pages_lead_to_pages(client):
    texts = "".join(client.get(f"/help/{topic}.md").text for topic in documents.pages())
    linked = set(re.findall(r"\]\(([\w./-]+)\.md(?:#[\w-]+)?\)", texts))
    assert {"models", "changelog", "write-an-agent"} <= linked <= set(documents.pages())


@pytest.mark.parametrize("topic", ["nope", "README", "..%2f..%2fREADME", "%2e%2e/CHANGELOG"])
def test_what_is_no_page_is_not_there(client, topic):
    answer = client.get(f"/help/{topic}.md")
    assert answer.status_code == 404
    assert "# " not in answer.text


def test_the_list_says_what_programs_can_use_and_all_of_it_is_there():
    from ui.app import _ROUTES

    text = TestClient(Starlette(routes=[list_route()])).get("/llms.txt").text
    named = {f"/{path}" for path in re.findall(r"(?m)^- \[.+?\]\((?!help/)(\S+)\)", text)}
    assert {"/v1/models", "/mcp"} <= named
    scopes = [{"type": "http", "method": "GET", "path": path, "headers": []} for path in named]
    assert all(any(route.matches(scope)[0].value for route in _ROUTES) for scope in scopes)
    pages = {f"/{page}" for page in re.findall(r"`([a-z]+)`", text.partition("## For programs")[0])}
    assert pages == {path for path in PAGES if path != "/"}
