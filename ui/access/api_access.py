"""Who asks on the paths that other programs use: the owner on this machine, elsewhere who shows an API token.

A page of another site must not use them by the browser of the owner. Its requests name their origin, which `Guard` refuses;
the browsers that leave the origin out of a GET name the kind of site; and no form can send JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import time

import anyio.to_thread
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response

from agents import DatabaseError, PlaygroundError
from agents.access import ApiTokens, User, is_token

API_PATHS = ("/v1", "/mcp", "/list-apps", "/apps", "/run", "/run_sse", "/version", "/ag-ui")
"""The first parts of their paths."""
_CHALLENGE = 'Bearer realm="Agent Playground"'


def is_api_path(path: str) -> bool:
    """Whether other programs use this path, so that it needs a token where nobody is the owner by address."""
    return path.startswith(tuple(f"{home}/" for home in API_PATHS)) or path in API_PATHS


def refusal(status: int, message: str, code: str, *, challenge: str | None = None, more: Mapping[str, str] = {}) -> Response:
    """An error as clients of all protocols read it: OpenAI's `error`, and `detail` beside it; `more` are headers."""
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    headers = {"Cache-Control": "no-store", **more} | ({"WWW-Authenticate": challenge} if challenge else {})
    return JSONResponse({"error": error, "detail": message}, status_code=status, headers=headers)


async def api_user(connection: HTTPConnection, known: User, tokens: Callable[[], ApiTokens]) -> User | Response:
    """Who asks, or what is answered instead.

    Args:
        connection: The request.
        known: Who asks by address or cookie.
        tokens: Returns the tokens, from any thread; it may raise `PlaygroundError`.
    """
    kind, _, shown = connection.headers.get("authorization", "").partition(" ")
    shown = shown.strip() if kind.lower() == "bearer" else ""
    if is_token(shown):
        try:
            found = await anyio.to_thread.run_sync(lambda: tokens().find(shown, now=time()))
        except PlaygroundError as error:
            return refusal(503 if isinstance(error, DatabaseError) else 500, str(error), "not_available")
        if found is None:
            said = "This API token is not known, or it was revoked. Make another one in Settings › API."
            return refusal(401, said, "invalid_api_key", challenge=f'{_CHALLENGE}, error="invalid_token"')
        return _not_json(connection.headers) or found.user
    if not known.is_owner:
        said = (
            "This path needs an API token, in the header “Authorization: Bearer …”. The owner makes one in Settings › API. "
            "Only programs on the playground's own machine that reach it without a proxy need none."
        )
        return refusal(401, said, "invalid_api_key", challenge=_CHALLENGE)
    return _not_json(connection.headers) or _of_another_site(connection.headers) or known


def _of_another_site(headers: Headers) -> Response | None:
    """Refuses what a page of another site has the owner's browser ask. With an origin, `Guard` has looked at it."""
    if "origin" in headers or headers.get("sec-fetch-site", "none") in {"none", "same-origin"}:
        return None
    return refusal(403, "A page of another site sent this request, and only programs and this page may.", "cross_site")


def _not_json(headers: Headers) -> Response | None:
    """Refuses a body that is not JSON: a browser sends no other without asking first."""
    given = headers.get("content-type")
    if given is None or given.partition(";")[0].strip().lower() in {"application/json", "text/json"}:
        return None
    return refusal(415, f"The body has to be JSON: send “Content-Type: application/json”, not {given[:60]!r}.", "not_json")
