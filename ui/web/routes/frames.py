"""Frames over a WebSocket: what the routes that push to a browser have in common."""

from __future__ import annotations

import json
from typing import Any

import anyio
from starlette.websockets import WebSocket

SEND_SECONDS = 30.0
"""Seconds that a frame may wait for the previous one to be read; then `ui.web.connection_limits` ends the connection."""
TRY_LATER = 1013
"""Close code: the browser should connect again."""


def said(frame: dict[str, Any]) -> str:
    """A frame as it is sent."""
    return json.dumps(frame, ensure_ascii=False)


async def send(websocket: WebSocket, frame: str) -> None:
    """Sends a frame.

    Raises:
        TimeoutError: The browser does not read.
    """
    with anyio.fail_after(SEND_SECONDS):
        await websocket.send_text(frame)


async def leave(websocket: WebSocket, code: int, frame: dict[str, Any]) -> None:
    """Sends a last frame and closes the connection."""
    await send(websocket, said(frame))
    await websocket.close(code)


async def until_gone(websocket: WebSocket, scope: anyio.CancelScope) -> None:
    """Cancels `scope` when the browser disconnects. Frames from the browser are ignored."""
    while (await websocket.receive())["type"] != "websocket.disconnect":
        pass
    scope.cancel()
