"""How routes of ADK's contract ask and answer: as the user whom the path names, with errors as FastAPI words them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from agents import MessageError, PlaygroundError
from agents.access import OWNER, visitor
from agents.runs import RunManager
from ui.api import followed_run
from ui.api.json_body import json_body
from ui.api.status import retry_headers, status_of
from ui.web.answers import SAFE

LONGEST = 100
"""Most characters of a user id."""
WHO_ASKS = "user"
"""The user id that stands for who asks: ADK's page always names it."""
_HEADERS = {**SAFE, "Cache-Control": "no-store"}
Endpoint = Callable[[Request], Awaitable[Response]]
M = TypeVar("M", bound=BaseModel)


def adk_endpoint(endpoint: Endpoint) -> Endpoint:
    """An endpoint whose errors are answered as `{"detail": …}`."""

    @wraps(endpoint)
    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=False, include_input=False)
            detail = [{**each, "loc": ["body", *each["loc"]]} for each in found]
            return json_answer({"detail": detail}, 422)
        except PlaygroundError as error:
            return json_answer({"detail": str(error)}, status_of(error), retry_headers(error))

    return answered


def json_answer(value: object, status: int = 200, more: Mapping[str, str] = {}) -> Response:
    """An answer in JSON, perhaps with more headers."""
    return JSONResponse(value, status_code=status, headers={**_HEADERS, **more})


def refused(message: str, status: int) -> Response:
    """An answer that says what is wrong."""
    return json_answer({"detail": message}, status)


async def read(request: Request, kind: type[M]) -> M:
    """The body.

    Raises:
        ValidationError: It does not fit.
        MessageError: It is no JSON object, or has more than `ui.api.json_body.MOST_BYTES`.
    """
    return kind.model_validate(await json_body(request))


async def manager_of(user_id: str) -> RunManager:
    """The run manager of a user whom the path or the body names.

    ADK's clients name any user, and those of one user are apart from those of another. For the owner's programs each name is
    a visitor of its own, whose sessions the owner sees; for an account's, a user with the rights of the account.

    Raises:
        MessageError: It is no name of a user.
    """
    if not (0 < len(user_id) <= LONGEST and user_id.isprintable()):
        raise MessageError(f"A user id has 1 to {LONGEST} printable characters.")
    manager = await followed_run.manager()
    asks = manager.user
    if user_id in {WHO_ASKS, OWNER.id, asks.id}:
        return manager
    if not asks.is_owner:  # no more than the account may do, and apart from the users of other accounts
        return manager.as_user(replace(asks, id=f"{asks.id}~{user_id}"))
    named = visitor(f"adk-{user_id}")
    return manager.as_user(replace(asks, id=named.id, role=named.role))
