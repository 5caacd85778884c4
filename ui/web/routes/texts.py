"""Texts that records name by hash over HTTP: `/api/texts?names=`.

The session view reads what a model was sent: instructions, tool declarations, schemas.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from agents import DatabaseError
from ui.web.routes.threads import in_thread

if TYPE_CHECKING:
    from agents.runs import RunManager

PATH = "/api/texts"
MOST = 100
"""Most names in a URL."""

_NAME = re.compile(r"[0-9a-f]{32}")
_HEADERS = {
    "Cache-Control": "no-cache",  # another database may not have the text
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def texts_route(runs: Callable[[], RunManager], *, path: str = PATH) -> Route:
    """The route that serves texts.

    Args:
        runs: Returns the process's run manager, from any thread; the first call may be slow, and a call may fail.
        path: The route's path.
    """

    async def endpoint(request: Request) -> Response:
        names = request.query_params.get("names", "").split(",")
        if len(names) > MOST or not all(map(_NAME.fullmatch, names)):
            message = f"The URL of texts needs names=: at most {MOST} names of 32 hexadecimal digits, with commas."
            return JSONResponse({"message": message}, status_code=400, headers=_HEADERS)
        try:
            manager = await in_thread(runs)
            texts = await manager.sessions.texts(names)
        except DatabaseError as error:
            return JSONResponse({"message": str(error)}, status_code=503, headers=_HEADERS)
        return JSONResponse({"texts": texts}, headers=_HEADERS)

    return Route(path, endpoint)
