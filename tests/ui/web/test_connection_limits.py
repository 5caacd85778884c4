"""Clients that do not read, do not complete a request, or do not answer: over real sockets, against a small app."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import psutil
import pytest
import uvicorn
from uvicorn.server import ServerState

from ui.web.connection_limits import Limits, SendDeadline, uvicorn_options
from ui.web.resident_memory import give_back

BRIEF = Limits(send_seconds=0.3, request_seconds=0.3, waiting=4)
MUCH = 48 * 1024 * 1024
"""Bytes: more than the system keeps for a connection."""

pytestmark = pytest.mark.anyio


@dataclass
class App:
    """Sends as much as it is asked for, and tells how each request ended."""

    ended: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
        try:
            await getattr(self, scope["path"].strip("/"))(scope, receive, send)
        except BaseException as error:
            await self.ended.put(type(error).__name__)
            raise
        await self.ended.put("whole")

    async def stream(self, scope: Any, receive: Any, send: Any) -> None:
        """As the session feed: one frame after the other, as long as they are taken."""
        while True:
            await send({"type": "websocket.send", "bytes": bytes(1024 * 1024)})

    async def silence(self, scope: Any, receive: Any, send: Any) -> None:
        """As Streamlit: waits for the browser."""
        message = await receive()
        assert message["type"] == "websocket.disconnect"

    async def file(self, scope: Any, receive: Any, send: Any) -> None:
        """As an artifact: all in one piece."""
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(MUCH).encode())]})
        await send({"type": "http.response.body", "body": bytes(MUCH)})

    async def upload(self, scope: Any, receive: Any, send: Any) -> None:
        """Reads a whole body; with `late` in the address not before it is told to."""
        if scope["query_string"] == b"late":
            await self.go_on.wait()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError
            more = message["more_body"]
        await self.hello(scope, receive, send)

    async def hello(self, scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


@dataclass
class Server:
    app: App
    state: ServerState
    address: tuple[str, int]
    clients: list[socket.socket] = field(default_factory=list)

    async def connect(self, head: bytes = b"", *, window: int = 0) -> Client:
        connection = socket.socket()
        if window:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        connection.setblocking(False)
        self.clients.append(connection)
        await asyncio.get_running_loop().sock_connect(connection, self.address)
        client = Client(connection)
        await client.send(head)
        return client

    async def outcome(self) -> str:
        """How a request ended."""
        async with asyncio.timeout(20):
            return await self.app.ended.get()

    async def until(self, met: Callable[[Any], object]) -> Any:
        """The server's only connection, once it is as asked for."""
        async with asyncio.timeout(20):
            while not (len(self.state.connections) == 1 and met(next(iter(self.state.connections)))):
                await asyncio.sleep(0)
        return next(iter(self.state.connections))

    async def empty(self) -> None:
        """Returns once there is no connection."""
        async with asyncio.timeout(20):
            while self.state.connections or self.state.tasks:
                await asyncio.sleep(0)


@dataclass
class Client:
    connection: socket.socket

    async def send(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.connection, data)

    async def read(self, most: int = 65536) -> bytes:
        """What came; b"" once the server has ended the connection, in whatever way."""
        try:
            async with asyncio.timeout(20):
                return await asyncio.get_running_loop().sock_recv(self.connection, most)
        except ConnectionError:
            return b""

    async def ended(self) -> None:
        while await self.read():
            pass


@asynccontextmanager
async def serving(limits: Limits) -> AsyncIterator[Server]:
    app, state = App(), ServerState()
    config = uvicorn.Config(app, **uvicorn_options(limits), log_config=None, log_level="critical", lifespan="off")
    config.load()
    make: Any = config.http_protocol_class
    loop = asyncio.get_running_loop()
    listening = await loop.create_server(lambda: make(config=config, server_state=state, app_state={}), "127.0.0.1", 0)
    server = Server(app, state, listening.sockets[0].getsockname())
    try:
        yield server
    finally:
        listening.close()
        for client in server.clients:
            client.close()
        for connection in list(state.connections):
            connection.transport.abort()
        await server.empty()


def request(path: str, *headers: str, method: str = "GET") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: here", *headers, "", ""]).encode()


def upgrade(path: str) -> bytes:
    return request(
        path,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )


async def test_a_websocket_that_reads_nothing_is_let_go():
    async with serving(BRIEF) as server:
        client = await server.connect(upgrade("/stream"), window=4096)
        assert await server.outcome() == "ClientDisconnected"
        await server.empty()
        await client.ended()


async def test_a_websocket_that_stops_reading_in_the_middle_is_let_go():
    async with serving(BRIEF) as server:
        client = await server.connect(upgrade("/stream"))
        taken = 0
        while taken < MUCH:
            taken += len(await client.read(1024 * 1024))
        assert await server.outcome() == "ClientDisconnected"
        await server.empty()


async def test_a_websocket_that_answers_no_ping_is_let_go():
    async with serving(BRIEF) as server:
        client = await server.connect(upgrade("/silence"))
        assert await server.outcome() == "whole"
        await client.ended()


async def test_an_answer_that_is_not_read_is_given_up():
    async with serving(BRIEF) as server:
        await server.connect(request("/file"), window=4096)
        assert await server.outcome() == "whole"  # the handler is done, and its answer waits to be read
        await server.empty()


async def test_an_answer_that_is_read_arrives_whole():
    async with serving(BRIEF) as server:
        client = await server.connect(request("/file", "Connection: close"))
        taken = 0
        while piece := await client.read(1024 * 1024):
            taken += len(piece)
        assert taken > MUCH


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\nHost: here\r\nX-A: "])
async def test_a_header_that_does_not_end_is_not_waited_for(sent):
    async with serving(BRIEF) as server:
        client = await server.connect(sent)
        assert await client.read() == b""
        await server.empty()


async def test_a_header_that_trickles_is_not_waited_for():
    async with serving(BRIEF) as server:
        client = await server.connect(b"GET / HTTP/1.1\r\n")
        read = asyncio.create_task(client.read())
        with pytest.raises(ConnectionError):  # noqa: PT012  it goes on until it is refused
            while True:
                await client.send(b"X")
                await asyncio.sleep(0.01)
        assert await read == b""


async def test_a_second_request_that_trickles_is_not_waited_for():
    async with serving(BRIEF) as server:
        client = await server.connect(request("/hello"))
        assert (await client.read()).endswith(b"ok")
        await client.send(b"G")  # the time that a connection may be idle is over with it
        assert await client.read() == b""


async def test_a_body_that_does_not_come_is_not_waited_for():
    async with serving(BRIEF) as server:
        client = await server.connect(request("/upload", "Content-Length: 1000", method="POST") + b"half")
        assert await server.outcome() == "ConnectionError"
        await client.ended()


async def test_a_body_that_comes_slowly_is_taken():
    async with serving(Limits(progress=1000)) as server:
        client = await server.connect(request("/upload", "Content-Length: 3000", method="POST"))
        await server.until(lambda connection: connection.cycle)
        for _ in range(2):
            await client.send(bytes(1000))
            connection = await server.until(lambda connection: connection._received >= 1000)
            connection._late()  # the time is over, and begins anew
        await client.send(bytes(1000))
        assert (await client.read()).endswith(b"ok")


async def test_a_body_that_the_handler_does_not_take_yet_is_waited_for():
    length = 16 * 1024 * 1024
    async with serving(Limits(progress=10 * length)) as server:
        client = await server.connect(request("/upload?late", f"Content-Length: {length}", method="POST"))
        sending = asyncio.create_task(client.send(bytes(length)))
        connection = await server.until(lambda connection: connection.cycle and connection.flow.read_paused)
        connection._late()
        server.app.go_on.set()
        await sending
        assert (await client.read()).endswith(b"ok")


async def test_a_body_that_was_not_asked_for_yet_is_waited_for():
    async with serving(Limits()) as server:
        client = await server.connect(request("/upload?late", "Expect: 100-continue", "Content-Length: 1000", method="POST"))
        connection = await server.until(lambda connection: connection.cycle)
        connection._late()
        server.app.go_on.set()
        assert b" 100 " in await client.read()
        await client.send(bytes(1000))
        assert (await client.read()).endswith(b"ok")


async def test_many_that_send_nothing_keep_nobody_out():
    """More than there may be: the oldest make room, and a request is answered while the others still wait."""
    async with serving(Limits(waiting=4)) as server:
        silent = [await server.connect() for _ in range(10)]
        for client in silent[:6]:
            assert await client.read() == b""
        client = await server.connect(request("/hello"))
        assert (await client.read()).endswith(b"ok")


async def test_a_websocket_that_is_behind_does_not_hold_up_the_end_of_the_server():
    async with serving(Limits()) as server:
        await server.connect(upgrade("/stream"), window=4096)
        connection = await server.until(lambda connection: connection.transport.get_write_buffer_size())
        connection.shutdown()
        assert await server.outcome() == "ClientDisconnected"
        await server.empty()


class Transport:
    """So much waits to be sent."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.aborted = asyncio.Event()

    def get_write_buffer_size(self) -> int:
        return self.left

    def get_extra_info(self, name: str) -> None:
        return None

    def abort(self) -> None:
        self.aborted.set()


async def test_a_slow_client_is_not_a_silent_one(monkeypatch):
    loop = asyncio.get_running_loop()
    looks: list[Any] = []
    monkeypatch.setattr(loop, "call_later", lambda seconds, look, *args: looks.append(look) or loop.call_soon(int))
    transport: Any = Transport(300)
    SendDeadline(transport, Limits(progress=100)).start()
    for left in (200, 100):
        transport.left = left
        looks[-1]()
        assert not transport.aborted.is_set()
    transport.left = 1
    looks[-1]()
    assert transport.aborted.is_set()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems' C libraries have nothing to ask")
async def test_memory_that_is_free_goes_back_to_the_system():
    give_back()
    memory = psutil.Process().memory_info
    before = memory().rss
    kept = [bytes(range(256)) * 256 for _ in range(2000)]  # 128 MB, in pieces that glibc takes from its heap
    assert memory().rss - before > 100e6
    del kept[:-1]  # the last one keeps the heap from shrinking by itself
    give_back()
    assert memory().rss - before < 50e6
