"""Streamlit's page for the app's URLs: it opens at once, without errors in the browser's console.

It preloads what the first page draws, and says why it cannot connect.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ui.dependencies.streamlit_private import index_page
from ui.shell.page_head import script


def shell_route(path: str) -> Route:
    """The route of one page, e.g. "/gallery"."""

    async def page(_request: Request) -> Response:
        return HTMLResponse(index_page(script()), headers={"Cache-Control": "no-cache"})

    return Route(path, page)
