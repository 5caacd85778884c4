"""Streamlit's page for addresses below the root."""

from __future__ import annotations

from pathlib import Path

import streamlit
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.web.page_shell import shell_route


def test_it_is_streamlits_page_and_knows_where_its_server_is_before_any_script_runs():
    page = TestClient(Starlette(routes=[shell_route("/gallery")])).get("/gallery?pipeline=x").text
    plain = (Path(streamlit.__file__).with_name("static") / "index.html").read_text(encoding="utf-8")
    assert page.index("BACKEND_BASE_URL") < page.index("<script ")
    assert page.replace(page[page.index("<script>window.__streamlit") : page.index("</script>") + 9], "", 1) == plain
