"""Streamlit's page for addresses below the root."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.dependencies.streamlit_private import index_page
from ui.web.routes.page_shell import shell_route


def test_a_page_below_the_root_is_streamlits_and_kept_by_no_cache():
    answer = TestClient(Starlette(routes=[shell_route("/gallery")])).get("/gallery?pipeline=x")
    assert answer.text == index_page()
    assert answer.headers["cache-control"] == "no-cache"
