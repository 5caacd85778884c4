"""Routes that answer a GET with what a function reads from the query, in a thread, and with a message where it cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from agents import DatabaseError, PlaygroundError
from ui.web.threads import in_thread

SAFE = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
"""Headers of every answer: no browser takes it for something else, and no other site reads it."""


def json_route(path: str, read: Callable[[QueryParams], Any], *, cache: str = "no-store") -> Route:
    """A route that answers with JSON; a message is `{"message": …}`.

    Args:
        path: The route's path.
        read: Reads the values; see `file_route` for what it may raise.
        cache: The header `Cache-Control`.
    """
    headers = {**SAFE, "Cache-Control": cache}

    def said(message: str, status: int) -> Response:
        return JSONResponse({"message": message}, status_code=status, headers=headers)

    return _route(path, lambda query: JSONResponse(read(query), headers=headers), said)


def file_route(path: str, read: Callable[[QueryParams], Response], headers: dict[str, str]) -> Route:
    """A route that answers with files; a message is a line of text.

    Args:
        path: The route's path.
        read: Reads the file. It may raise ValueError for a URL that is none, DatabaseError where the database cannot be
            read, and another PlaygroundError where there is no such file.
        headers: The headers of a message.
    """
    return _route(path, read, lambda message, status: PlainTextResponse(f"{message}\n", status, headers))


def _route(path: str, read: Callable[[QueryParams], Response], said: Callable[[str, int], Response]) -> Route:
    async def endpoint(request: Request) -> Response:
        try:
            return await in_thread(read, request.query_params)
        except DatabaseError as error:
            return said(str(error), 503)
        except PlaygroundError as error:
            return said(str(error), 404)
        except ValueError as error:
            return said(str(error), 400)

    return Route(path, endpoint)
