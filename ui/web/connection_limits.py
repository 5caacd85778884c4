"""Time limits of a connection: for the client to read its response, and to send its request.

uvicorn has neither. A client that stops reading keeps its socket, its handler and everything written to it, because closing
a connection waits for the remaining bytes; one that never completes a request keeps its socket. Both are *aborted* here.
The limits hold for every route: the session feed, Streamlit's WebSocket, files and pages.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import struct
from dataclasses import dataclass
from typing import Any

from ui.dependencies.uvicorn_private import HttpProtocol, Stage, WebSocketProtocol
from ui.web import resident_memory

SETTLED = 1.0
"""Seconds after an abort until the connection's handler has ended and its memory is free."""

_LINGER = "hh" if os.name == "nt" else "ii"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits of clients.

    Attributes:
        send_seconds: A client that reads less than `progress` waiting bytes in this time is disconnected, and so is one that
            does not answer a WebSocket ping. Long enough for a gap in a wireless network; a browser tab that was away for
            longer connects again.
        request_seconds: Time for the whole header of a request, and for each `progress` bytes of its body. A browser sends
            the header in one piece.
        progress: Bytes that show that a client is slow and not silent.
        waiting: Most connections without a complete header at a time; the oldest is aborted for a new one. So they cannot
            use up the process's descriptors (256 on macOS). A browser opens only a handful ahead of its requests.
    """

    send_seconds: float = 30.0
    request_seconds: float = 20.0
    progress: int = 64 * 1024
    waiting: int = 64


def uvicorn_options(limits: Limits) -> dict[str, Any]:
    """The options of `uvicorn.Config` that put the limits into effect."""
    waiting: dict[HttpConnection, None] = {}

    class Http(HttpConnection):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, limits=limits, waiting=waiting, **kwargs)

    class WebSocket(WebSocketConnection):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, limits=limits, **kwargs)

    return {
        "http": Http,
        "ws": WebSocket,
        "ws_ping_interval": limits.send_seconds / 3,
        "ws_ping_timeout": limits.send_seconds * 2 / 3,
    }


class SendDeadline:
    """Aborts a connection whose client does not read.

    Args:
        transport: The connection.
        limits: Its limits.
    """

    def __init__(self, transport: asyncio.Transport, limits: Limits) -> None:
        self._transport = transport
        self._limits = limits
        self._left = 0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Starts the deadline: bytes wait to be sent."""
        self.stop()
        self._left = self._transport.get_write_buffer_size()
        self._timer = asyncio.get_running_loop().call_later(self._limits.send_seconds, self._look)

    def stop(self) -> None:
        """Stops the deadline: everything is sent, or the connection is closed."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        if self._left - self._transport.get_write_buffer_size() >= self._limits.progress:
            self.start()
            return
        _log.info("A client read too little of its response for %g s and was disconnected.", self._limits.send_seconds)
        _reset(self._transport)
        asyncio.get_running_loop().call_later(SETTLED, resident_memory.give_back)


class SendLimited(asyncio.Protocol):
    """A connection with a send deadline; comes before the protocol that it is added to."""

    _limits: Limits

    def connection_made(self, transport: Any) -> None:  # one protocol takes any transport, the other one asyncio.Transport
        """Takes the connection over."""
        super().connection_made(transport)
        self._transport = transport
        self._sending = _send_deadline(transport, self._limits)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the send deadline."""
        self._sending.stop()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Starts the send deadline: bytes wait to be sent."""
        super().pause_writing()
        self._sending.start()

    def resume_writing(self) -> None:
        """Stops the send deadline: everything is sent."""
        self._sending.stop()
        super().resume_writing()


class HttpConnection(SendLimited, HttpProtocol):
    """An HTTP connection with limits.

    Args:
        limits: Its limits.
        waiting: The server's connections without a complete header, oldest first.
    """

    def __init__(self, *args: Any, limits: Limits, waiting: dict[HttpConnection, None], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._limits = limits
        self._waiting = waiting
        self._timer: asyncio.TimerHandle | None = None
        self._stage: Stage | None = None
        self._received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins to wait for a request."""
        super().connection_made(transport)
        self._follow()

    def data_received(self, data: bytes) -> None:
        """Takes bytes of a request."""
        self._received += len(data)
        super().data_received(data)
        self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops all timers."""
        self._await(None)
        super().connection_lost(exc)

    def answered(self) -> None:
        """Begins to wait for the next request."""
        self._follow()

    def abort(self) -> None:
        """Ends the connection without waiting for the client."""
        self._transport.abort()

    def _follow(self) -> None:
        stage = self.owed()
        if stage != self._stage:
            self._await(stage)

    def _await(self, stage: Stage | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._stage = stage
        self._received = 0
        self._waiting.pop(self, None)
        if stage is None:
            return
        self._timer = asyncio.get_running_loop().call_later(self._limits.request_seconds, self._late)
        if stage == "header":
            self._waiting[self] = None
            if len(self._waiting) > self._limits.waiting:
                next(iter(self._waiting)).abort()

    def _late(self) -> None:
        if self._stage == "body" and (self.is_held_up() or self._received >= self._limits.progress):
            self._await("body")
            return
        _log.info("A client did not complete its request within %g s and was disconnected.", self._limits.request_seconds)
        self.abort()


class WebSocketConnection(SendLimited, WebSocketProtocol):
    """A WebSocket with limits.

    Args:
        limits: Its limits.
    """

    def __init__(self, *args: Any, limits: Limits, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._limits = limits

    def closing(self) -> None:
        """Resets the connection if its client is behind: waiting for it would delay the server's end."""
        if self._transport.get_write_buffer_size():
            _reset(self._transport)


def _send_deadline(transport: asyncio.Transport, limits: Limits) -> SendDeadline:
    """The send deadline of a connection; its transport reports all bytes that the system does not take at once."""
    transport.set_write_buffer_limits(high=0)
    deadline = SendDeadline(transport, limits)
    if transport.get_write_buffer_size():
        deadline.start()
    return deadline


def _reset(transport: asyncio.Transport) -> None:
    """Ends a connection without waiting for the client, and makes the system drop its unsent bytes."""
    connection = transport.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack(_LINGER, 1, 0))
    transport.abort()
