"""Routes that answer a GET with what is stored, or say why they cannot."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeVar

import anyio
import anyio.to_thread
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from agents import DatabaseError, PlaygroundError

SAFE = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
"""Headers of every response: its type is the one that is said, and no other site may use it."""
UNKEPT = {**SAFE, "Cache-Control": "no-store"}
"""The same for what may be another one the next time, or in another database."""
LONGEST = 300
"""Most characters of a name in a URL."""
MOST = 16
"""Threads at once. They are the routes' own: AnyIO's forty also send Streamlit's files, which must not wait for viewers."""

T = TypeVar("T")


def refused(status: int, message: str) -> Response:
    """A refusal as JSON."""
    return JSONResponse({"message": message}, status_code=status, headers=UNKEPT)


def data_route(
    path: str, answer: Callable[[QueryParams], Response], refuse: Callable[[int, str], Response] = refused
) -> Route:
    """A route of which a function answers.

    Args:
        path: Its path.
        answer: Called in a thread. Its `ValueError` is refused with status 400, its `DatabaseError` with 503, any other
            `PlaygroundError` with 404.
        refuse: Makes a refusal of a status and a message.
    """

    def answered(query: QueryParams) -> Response:
        try:
            return answer(query)
        except DatabaseError as error:
            return refuse(503, str(error))
        except PlaygroundError as error:
            return refuse(404, str(error))
        except ValueError as error:
            return refuse(400, str(error))

    async def endpoint(request: Request) -> Response:
        return await in_thread(answered, request.query_params)

    return Route(path, endpoint)


async def in_thread(function: Callable[..., T], *args: object) -> T:
    """Runs a function in a thread and returns its result."""
    return await anyio.to_thread.run_sync(function, *args, limiter=_limiter())


@cache
def _limiter() -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(MOST)
