"""Errors in OpenAI's shape."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from agents import MessageError, PipelineNotFoundError, PlaygroundError
from agents.models import redact
from ui.api.json_body import ClientGoneError
from ui.api.status import CLIENT_GONE, retry_headers, status_of

_KINDS = {
    400: "invalid_request_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    429: "rate_limit_error",
}
_log = logging.getLogger(__name__)


class ParameterError(MessageError):
    """A parameter that cannot be used.

    Args:
        param: Its name.
        message: Why, and what to do.
    """

    def __init__(self, param: str, message: str) -> None:
        super().__init__(message)
        self.param = param


def error_body(error: PlaygroundError) -> dict[str, Any]:
    """The object `error` of an answer."""
    status = status_of(error)
    kind = _KINDS.get(status, "server_error" if status >= 500 else "invalid_request_error")  # noqa: PLR2004  HTTP's own
    code = "model_not_found" if isinstance(error, PipelineNotFoundError) else error.code.lower()
    return {"message": redact(str(error)), "type": kind, "param": getattr(error, "param", None), "code": code}


def answering_errors(
    endpoint: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that answers with the errors that it raises."""

    @wraps(endpoint)
    async def guarded(request: Request) -> Response:
        try:
            return await endpoint(request)
        except ClientGoneError:
            return Response(status_code=CLIENT_GONE)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            param = ".".join(str(part) for part in first["loc"] if not str(part).startswith("function-"))
            return _answer(ParameterError(param, f"{param}: {first['msg']}."))
        except PlaygroundError as error:
            return _answer(error)
        except Exception:  # noqa: BLE001  a client of this protocol reads no other answer
            _log.exception("A request of an OpenAI client failed.")
            return _answer(PlaygroundError("The server failed; its log says why."))

    return guarded


def _answer(error: PlaygroundError) -> Response:
    headers = {"Cache-Control": "no-store", **retry_headers(error)}
    return JSONResponse({"error": error_body(error)}, status_code=status_of(error), headers=headers)
