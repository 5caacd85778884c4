"""The base path: the app below a path of a server's URL, e.g. `/playground`, where a reverse proxy passes that path on.

Streamlit's option `server.baseUrlPath` sets it. All routes are at the root, Streamlit's too: the base path is removed from
the path of each request that has it. So a proxy may remove it or not, and a health check may ask with it or without.
"""

from __future__ import annotations

from urllib.parse import quote

import streamlit as st
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.dependencies.streamlit_private import set_option

_OPTION = "server.baseUrlPath"


def base_path() -> str:
    """The base path, e.g. "/playground"; "" for none."""
    given = (st.get_option(_OPTION) or "").strip("/")
    return f"/{given}" if given else ""


def take() -> str:
    """Returns the base path, and makes Streamlit build its routes without it; `give_back` ends that."""
    found = base_path()
    set_option(_OPTION, "")
    return found


def give_back(base: str) -> None:
    """Sets the option again, once the routes are built: Streamlit's URLs and cookies follow it."""
    set_option(_OPTION, base.strip("/"))


class BasePath:
    """ASGI middleware that removes the base path from requests. It must be in front of all that looks at paths.

    Args:
        app: What answers the requests.
        base: The base path; "" for none.
    """

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app = app
        self._base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one connection."""
        if self._base and scope["type"] in {"http", "websocket"}:
            path: str = scope["path"]
            if path == self._base and scope["type"] == "http":  # links on the page are relative to the slash
                query = scope["query_string"].decode("latin-1")
                there = quote(self._base.rsplit("/", 1)[1]) + "/" + (f"?{query}" if query else "")
                await RedirectResponse(there, status_code=307)(scope, receive, send)
                return
            if path.startswith(f"{self._base}/"):
                scope = {**scope, "path": path[len(self._base) :], "raw_path": None}
        await self._app(scope, receive, send)
