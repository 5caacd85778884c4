"""Undocumented parts of uvicorn that the server uses, each with its reason.

uvicorn accepts protocol classes, but has no hook for the server's start, a signal, or the end of a request. A new version
may change any of this: `pyproject.toml` has an upper bound, and each part has a test in
`tests/ui/dependencies/test_uvicorn_private.py`.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Literal

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

Stage = Literal["header", "body"]
"""The part of a request that the client still has to send."""


class Server(uvicorn.Server):
    """A server with callbacks for its start and for signals. Uses `startup`, `started` and `handle_exit`.

    Args:
        config: The server's configuration.
        on_answering: Called once the server accepts requests.
        on_signal: Called in the signal handler, with the signal's number and a function that begins an orderly end.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        on_answering: Callable[[], object],
        on_signal: Callable[[int, Callable[[], object]], object],
    ) -> None:
        super().__init__(config)
        self._on_answering = on_answering
        self._on_signal = on_signal

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to listen."""
        await super().startup(sockets)
        if self.started:
            self._on_answering()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Lets an orderly end begin; called in a signal handler."""
        self._on_signal(sig, partial(super().handle_exit, sig, frame))


class HttpProtocol(H11Protocol):
    """An HTTP connection that knows its request's stage. Uses `on_response_complete`, `transport`, `cycle` and `flow`."""

    def owed(self) -> Stage | None:
        """What the client still has to send; None while it waits for a response, and once another protocol serves it."""
        if self.transport.get_protocol() is not self or self.transport.is_closing():  # a WebSocket has its own protocol
            return None
        if self.cycle is None or self.cycle.response_complete:
            return "header"
        return "body" if self.cycle.more_body else None

    def is_held_up(self) -> bool:
        """Whether the handler, not the client, delays the body."""
        return self.flow.read_paused or self.cycle.waiting_for_100_continue

    def on_response_complete(self) -> None:
        """Ends a request."""
        super().on_response_complete()
        self.answered()

    def answered(self) -> None:
        """Called when a response is complete."""


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket with a callback for the server's end. Uses `shutdown`."""

    def shutdown(self) -> None:
        """Closes the connection at the server's end."""
        super().shutdown()
        self.closing()

    def closing(self) -> None:
        """Called when the ending server has asked the client to close the connection."""
