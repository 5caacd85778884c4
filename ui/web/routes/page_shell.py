"""Streamlit's page for URLs below the root: a link to a page opens at once, without errors in the browser's console."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ui.dependencies.streamlit_private import index_page


def shell_route(path: str) -> Route:
    """The route of one page, e.g. "/gallery"."""
    return Route(path, _page)


async def _page(_request: Request) -> Response:
    return HTMLResponse(index_page(), headers={"Cache-Control": "no-cache"})
