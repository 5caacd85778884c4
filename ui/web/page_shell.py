"""Streamlit's page for addresses below the root, told where its server is.

Left to itself it first asks below its own address (`/gallery/_stcore/…`), is refused, and waits half a second before it asks
at the root: a link to a page would open late and leave errors in the browser's console. Knows no page's content.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

_TOLD = """<script>window.__streamlit = {BACKEND_BASE_URL: window.location.origin + "/"}</script>"""


def shell_route(path: str) -> Route:
    """The route of one page, e.g. "/gallery"."""
    return Route(path, _page)


async def _page(_request: Request) -> Response:
    return HTMLResponse(_html(), headers={"Cache-Control": "no-cache"})


@cache
def _html() -> str:
    index = Path(streamlit.__file__).with_name("static") / "index.html"
    return index.read_text(encoding="utf-8").replace("<head>", f"<head>{_TOLD}", 1)
