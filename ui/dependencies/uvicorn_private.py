"""uvicorn's undocumented parts that the server is built on, each with its reason.

uvicorn takes classes of protocols, but calls nobody when it answers, when it is told to end, or when a request is complete.
A new version may change any of this: `pyproject.toml` has an upper bound, and each part has a test in
`tests/ui/dependencies/test_uvicorn_private.py`.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from types import FrameType
from typing import Literal

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

Stage = Literal["header", "body"]
"""What a client still owes of its request."""


class Server(uvicorn.Server):
    """A server that tells when it answers and when it is told to end: `startup`, `started` and `handle_exit`.

    Args:
        config: Its configuration.
        on_answering: Called once it answers.
        on_signal: Called in the signal handler, with the signal's number.
    """

    def __init__(
        self, config: uvicorn.Config, *, on_answering: Callable[[], object], on_signal: Callable[[int], object]
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
        """Ends in order; called in a signal handler."""
        self._on_signal(sig)
        super().handle_exit(sig, frame)


class HttpProtocol(H11Protocol):
    """An HTTP connection that tells how far its request is: `on_response_complete`, `transport`, `cycle` and `flow`."""

    def owed(self) -> Stage | None:
        """What the client still owes; None while it waits for an answer, and once this protocol serves it no more."""
        if self.transport.get_protocol() is not self or self.transport.is_closing():  # a WebSocket has its own protocol
            return None
        if self.cycle is None or self.cycle.response_complete:
            return "header"
        return "body" if self.cycle.more_body else None

    def is_held_up(self) -> bool:
        """Whether it is the handler, not the client, that holds up the body."""
        return self.flow.read_paused or self.cycle.waiting_for_100_continue

    def on_response_complete(self) -> None:
        """Ends a request."""
        super().on_response_complete()
        self.answered()

    def answered(self) -> None:
        """Called when a request has its whole answer."""


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that tells that the server closes it: `shutdown`."""

    def shutdown(self) -> None:
        """Closes the connection because the server ends."""
        super().shutdown()
        self.closing()

    def closing(self) -> None:
        """Called when the server, about to end, has asked for the connection to be closed."""
