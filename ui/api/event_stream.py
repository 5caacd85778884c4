"""Answers that go on for a while: server-sent events, and work that ends when the client leaves."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import aclosing
from typing import Any, TypeVar

import anyio
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ui.api.json_body import ClientGoneError

QUIET_SECONDS = 15.0
"""Seconds between two comments that keep the connection of a stream open: proxies end silent ones after a minute."""

T = TypeVar("T")


def frame(value: Mapping[str, Any], *, event: str = "") -> str:
    """A server-sent event with an object in JSON, and perhaps its name; what JSON does not have is written as text."""
    named = f"event: {event}\n" if event else ""
    return f"{named}data: {json.dumps(value, ensure_ascii=False, default=str)}\n\n"


class EventStream(Response):
    """Server-sent events. The generator is closed when the client leaves; what it has begun ends as it decides.

    A client that reads nothing is disconnected by `ui.web.connection_limits`.

    Args:
        frames: The events as text, with the empty line at their end.
        headers: Further headers.
    """

    media_type = "text/event-stream"

    def __init__(self, frames: AsyncGenerator[str, None], headers: Mapping[str, str] | None = None) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no", **(headers or {})})
        del self.headers["content-length"]
        self._frames = frames
        self._sending = anyio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the events until they end or the client leaves."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._frames), anyio.create_task_group() as tasks:
            tasks.start_soon(_until_gone, receive, tasks.cancel_scope)
            tasks.start_soon(self._keep_open, send)
            async for frame in self._frames:
                await self._send(send, frame)
            await send({"type": "http.response.body", "body": b""})
            tasks.cancel_scope.cancel()

    async def _keep_open(self, send: Send) -> None:
        while True:
            await anyio.sleep(QUIET_SECONDS)
            await self._send(send, ": still at work\n\n")

    async def _send(self, send: Send, frame: str) -> None:
        async with self._sending:
            await send({"type": "http.response.body", "body": frame.encode("utf-8", "replace"), "more_body": True})


async def while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work, which is cancelled when the client leaves. The body must have been read.

    Raises:
        ClientGoneError: It has left.
    """
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_until_gone, request.receive, tasks.cancel_scope)
        result = await work
        tasks.cancel_scope.cancel()
        return result
    raise ClientGoneError("The client has left.")


async def _until_gone(receive: Receive, scope: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
