"""uvicorn's undocumented parts still do what they are used for: over real sockets, against a small app."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn

from ui.dependencies.uvicorn_private import HttpProtocol, Server, WebSocketProtocol

pytestmark = pytest.mark.anyio

UPGRADE = (
    "GET / HTTP/1.1",
    "Host: here",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)
BODY = 1024 * 1024
"""Bytes: more than uvicorn takes before the handler reads."""


@dataclass
class App:
    """An app that keeps the connections to it, what they told, and the event that its handlers wait for."""

    http: list[HttpProtocol] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Accepts a WebSocket at once; reads and answers a request when it is told to go on."""
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            await receive()
            return
        await self.go_on.wait()
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})


@asynccontextmanager
async def serving() -> AsyncIterator[tuple[App, Server, asyncio.StreamReader, asyncio.StreamWriter]]:
    """A server with one connection to it."""
    app, answering = App(), asyncio.Event()

    class Http(HttpProtocol):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            app.http.append(self)

        def answered(self) -> None:
            app.told.append("answered")

    class WebSocket(WebSocketProtocol):
        def closing(self) -> None:
            app.told.append("closing")

    config = uvicorn.Config(app, http=Http, ws=WebSocket, log_config=None, log_level="critical", lifespan="off")
    server = Server(config, on_answering=answering.set, on_signal=lambda number, end: (app.told.append(number), end()))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        task = asyncio.create_task(server.serve([listener]))
        async with asyncio.timeout(20):
            await answering.wait()
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            await until(lambda: app.http)
        try:
            yield app, server, reader, writer
        finally:
            writer.close()
            server.should_exit = True
            app.go_on.set()
            await task


async def until(met: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not met():
            await asyncio.sleep(0)


def head(*lines: str) -> bytes:
    return "\r\n".join([*lines, "", ""]).encode()


async def test_a_connection_tells_what_its_client_owes_and_when_a_request_is_answered():
    async with serving() as (app, _, reader, writer):
        connection = app.http[0]
        assert connection.owed() == "header"
        writer.write(head("POST / HTTP/1.1", "Host: here", "Content-Length: 5"))
        await until(lambda: connection.owed() == "body")
        writer.write(b"12345")
        await until(lambda: connection.owed() is None)
        assert app.told == []
        app.go_on.set()
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        await until(lambda: app.told)
        assert app.told == ["answered"]
        assert connection.owed() == "header"


@pytest.mark.parametrize(
    ("header", "body"), [("Content-Length: 9999999", BODY), ("Content-Length: 5\r\nExpect: 100-continue", 0)]
)
async def test_a_body_is_held_up_while_the_handler_does_not_read(header, body):
    async with serving() as (app, _, _, writer):
        writer.write(head("POST / HTTP/1.1", "Host: here", header) + bytes(body))
        connection = app.http[0]
        await until(lambda: connection.owed() == "body" and connection.is_held_up())
        app.go_on.set()
        await until(lambda: not connection.is_held_up())


async def test_a_connection_that_became_a_websocket_owes_nothing_and_is_told_that_the_server_ends():
    async with serving() as (app, server, reader, writer):
        writer.write(head(*UPGRADE))
        assert (await reader.readline()).startswith(b"HTTP/1.1 101")
        assert app.http[0].owed() is None
        server.should_exit = True
        await until(lambda: app.told)
        assert app.told == ["closing"]


@contextlib.contextmanager
def ignored(number: signal.Signals) -> Iterator[None]:
    """uvicorn passes a signal on once it has ended."""
    before = signal.signal(number, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(number, before)


async def test_a_server_tells_when_it_answers_and_which_signal_ends_it():
    told: list[object] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("nobody asks")

    def answering() -> None:
        told.append(server.started)
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGTERM)

    config = uvicorn.Config(app, log_config=None, log_level="critical", lifespan="off")
    server = Server(config, on_answering=answering, on_signal=lambda number, end: (told.append(number), end()))
    with ignored(signal.SIGTERM), socket.create_server(("127.0.0.1", 0)) as listener:
        async with asyncio.timeout(20):
            await server.serve([listener])
    assert told == [True, signal.SIGTERM]
