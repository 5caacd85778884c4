"""Limits of what a server holds for users: open pages and uploads. It stands behind `Identity`, which says who asks.

A page that cannot connect asks for `HEALTH`, with its origin, and gets the limit as the reason: a socket cannot give one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import anyio.to_thread
import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from agents import LimitReachedError, PlaygroundError
from agents.runs import UseDesk
from ui.access.guard import PAGE_ORIGIN
from ui.access.identity import current
from ui.dependencies.streamlit_private import uploads_by_tab

PAGE_SOCKET, HEALTH, UPLOADS = "/_stcore/stream", "/_stcore/health", "/_stcore/upload_file/"
_TOO_MANY, _AGAIN = 429, 1013
_MOST_TABS = 10_000


class Quotas:
    """Refuses pages and uploads beyond the limits of users. The owner has none.

    Args:
        app: The app.
        use: Returns the use desk of who asks, from any thread; it may raise `PlaygroundError`.
    """

    def __init__(self, app: ASGIApp, *, use: Callable[[], UseDesk]) -> None:
        self._app, self._use = app, use
        self._tabs: dict[str, str] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves or refuses one connection."""
        path = scope.get("path", "")
        is_socket = scope["type"] == "websocket" and path.endswith(PAGE_SOCKET)
        is_page = is_socket or (path.endswith(HEALTH) and PAGE_ORIGIN in Headers(scope=scope))
        is_upload = scope["type"] == "http" and scope["method"] == "PUT" and UPLOADS in path
        if not (is_page or is_upload) or current().is_owner:
            await self._app(scope, receive, send)
            return
        try:
            use = await anyio.to_thread.run_sync(self._use)
            if is_upload:
                self._check_upload(use, path, Headers(scope=scope))
            place = await anyio.to_thread.run_sync(use.take_viewer) if is_page else None
        except LimitReachedError as error:
            refusal = (
                WebSocketClose(_AGAIN, "Too many open pages.") if is_socket else PlainTextResponse(f"{error}\n", _TOO_MANY)
            )
            await refusal(scope, receive, send)
            return
        except PlaygroundError:  # the page says so itself
            await self._app(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            if place is not None:
                with suppress(PlaygroundError), anyio.CancelScope(shield=True):  # else it ends with its lease
                    await anyio.to_thread.run_sync(use.leave, place)

    def _check_upload(self, use: UseDesk, path: str, headers: Headers) -> None:
        tab, user = path.partition(UPLOADS)[2].partition("/")[0], current().id
        held = uploads_by_tab()
        if len(self._tabs) > _MOST_TABS:
            self._tabs = {one: owner for one, owner in self._tabs.items() if one in held}
        self._tabs[tab] = user
        length = headers.get("content-length", "")
        size = int(length) if length.isascii() and length.isdecimal() else st.get_option("server.maxUploadSize") * 2**20
        own = sum(count for one, count in held.items() if self._tabs.get(one) == user)
        use.check_uploads(size, own, sum(held.values()))
