"""Streamlit's page for the app's URLs: it opens at once, without errors in the browser's console.

It preloads what the first page draws, and says why it cannot connect.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ui.browser.component_script import PATH, scripts
from ui.dependencies.streamlit_private import index_page
from ui.shell.page_head import script

_DRAWN_FIRST = ("session_view.", "session_list.", "page_keys.")


def shell_route(path: str) -> Route:
    """The route of one page, e.g. "/gallery"."""

    async def page(_request: Request) -> Response:
        drawn = tuple(f".{PATH}{file}" for file in scripts if file.startswith(_DRAWN_FIRST))
        return HTMLResponse(index_page(script(), drawn), headers={"Cache-Control": "no-cache"})

    return Route(path, page)
