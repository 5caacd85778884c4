"""Streamlit's scripts, styles and fonts, from memory: a browser asks for a hundred of them before it shows the first page.

Streamlit's own route opens each file anew and reads it piece by piece, both in threads. Its headers are the same. It answers
what is not here.
"""

from __future__ import annotations

from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.dependencies.streamlit_private import STATIC

PREFIX = "/static/"
LARGEST = 1_000_000
"""Most bytes of a file that is kept in memory; larger ones draw charts that no page of the app has at once."""
KEPT = 400
"""Most files that are kept: more than Streamlit has."""
_HEADERS = {"Cache-Control": "public, immutable, max-age=31536000"}  # a changed file has another name


class StaticFiles:
    """ASGI middleware that answers requests for the files of a folder.

    Args:
        app: What answers all other requests.
        folder: Where the files are; those that are added later are not served.
    """

    def __init__(self, app: ASGIApp, folder: Path = STATIC / "static") -> None:
        self._app = app
        self._files = {
            PREFIX + path.relative_to(folder).as_posix(): path
            for path in folder.rglob("*")
            if path.is_file() and path.stat().st_size <= LARGEST
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        path = self._files.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        if path is None:
            await self._app(scope, receive, send)
            return
        await Response(content(path), headers=_HEADERS, media_type=guess_type(path.name)[0])(scope, receive, send)


@lru_cache(maxsize=KEPT)
def content(path: Path) -> bytes:
    """The content of a file, read once."""
    return path.read_bytes()
