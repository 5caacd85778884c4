"""The body of a request as a JSON object, read with limits."""

from __future__ import annotations

import json
from typing import Any, cast

from starlette.requests import ClientDisconnect, Request

from agents import MessageError, PersonError

MOST_BYTES = 16 * 1024 * 1024
"""Largest body."""


class BodyTooLargeError(MessageError):
    """The body has more than `MOST_BYTES`: an adapter answers 413."""


class ClientGoneError(PersonError):
    """The client was gone before its body was whole: nobody reads an answer."""


async def json_body(request: Request) -> dict[str, Any]:
    """The body as an object.

    Raises:
        BodyTooLargeError: It is too large; the rest of it is not read.
        MessageError: It is no JSON object in UTF-8.
        ClientGoneError: The client has left.
    """
    chunks, size = list[bytes](), 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size > MOST_BYTES:
                raise BodyTooLargeError(f"The body has more than {MOST_BYTES // 1024**2} MiB. Send less.")
            chunks.append(chunk)
    except ClientDisconnect:
        raise ClientGoneError("The client has left.") from None
    try:
        found = json.loads(b"".join(chunks), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"The body is not JSON in UTF-8: {str(error)[:200] or type(error).__name__}.") from None
    if not isinstance(found, dict):
        raise MessageError(f"The body has to be a JSON object, not {type(found).__name__}.")
    return cast("dict[str, Any]", found)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number in JSON")
