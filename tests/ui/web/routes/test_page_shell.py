"""Streamlit's page for the app's addresses."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.dependencies.streamlit_private import index_page
from ui.shell import page_head
from ui.web.routes.page_shell import shell_route


@pytest.mark.parametrize("path", ["/", "/gallery"])
def test_a_page_is_streamlits_and_kept_by_no_cache(path, monkeypatch):
    monkeypatch.setattr("ui.web.routes.page_shell.scripts", {})
    answer = TestClient(Starlette(routes=[shell_route(path)])).get(f"{path}?pipeline=x")
    assert answer.text == index_page(page_head.script())
    assert answer.headers["cache-control"] == "no-cache"
