"""Ways to a server, with limits on what it sends: a program's standard input and output, and HTTP."""

from __future__ import annotations

import os
import shutil
import signal
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeAlias

import anyio
import httpx2
import psutil
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp.client.sse import sse_client
from mcp.client.stdio import get_default_environment
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from agents.toolsets.mcp.connection_params import (
    ConnectionParams,
    SseConnectionParams,
    StdioConnectionParams,
    StdioServerParameters,
    StreamableHTTPConnectionParams,
)

MOST_BYTES = 8 * 1024 * 1024
"""Of one message, and of one answer over HTTP."""
MOST_BETWEEN = 4 * MOST_BYTES
"""Bytes that a program may send until it is asked again."""
MOST_MESSAGES = 20_000
"""Messages that a program may send until it is asked again."""
EXIT_SECONDS = 2.0
"""How long a program may take to exit after its input ends, and again after it is told to."""
WORDS_KEPT = 20
"""Lines of a program's error output that are kept: its last words."""

Streams: TypeAlias = tuple[Any, Any]


class Ending:
    """Why a connection ended.

    Attributes:
        reason: In words; "" if the server ended it.
        last_words: The last lines that a program wrote to its error output.
    """

    def __init__(self) -> None:
        self.reason = ""
        self.last_words: deque[str] = deque(maxlen=WORDS_KEPT)


@asynccontextmanager
async def streams_to(params: ConnectionParams, ending: Ending) -> AsyncGenerator[Streams]:
    """Opens the way to a server: streams of messages from it and to it. They end when the server ends.

    Raises:
        OSError: The program cannot be started.
    """
    if isinstance(params, StdioConnectionParams):
        async with _program(params.server_params, ending) as streams:
            yield streams
    elif isinstance(params, StreamableHTTPConnectionParams):
        async with (
            _client(params.headers, httpx2.Timeout(params.timeout, read=params.sse_read_timeout), params.auth) as client,
            streamable_http_client(
                params.url, http_client=client, terminate_on_close=params.terminate_on_close, max_sse_event_size=MOST_BYTES
            ) as streams,
        ):
            yield streams
    else:
        async with _sse(params) as streams:
            yield streams


def _sse(params: SseConnectionParams) -> Any:
    return sse_client(
        params.url, params.headers, params.timeout, params.sse_read_timeout, httpx_client_factory=_client, auth=params.auth
    )


def _client(
    headers: dict[str, Any] | None = None, timeout: httpx2.Timeout | None = None, auth: httpx2.Auth | None = None
) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        headers={**(headers or {}), "Accept-Encoding": "identity"},  # a compressed answer can be huge
        timeout=timeout,
        auth=auth,
        event_hooks={"response": [_limited]},
    )


async def _limited(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.DecodingError("The server sends a compressed answer, though it was asked not to.")
    response.stream = _LimitedStream(response.stream)


class _LimitedStream(httpx2.AsyncByteStream):
    """The bytes of an answer or of a stream of events; more than the limit are an error."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for chunk in self._stream:
            read += len(chunk)
            if read > MOST_BETWEEN:
                raise httpx2.DecodingError(f"The server sent more than {MOST_BETWEEN:,} bytes as one answer.")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


@asynccontextmanager
async def _program(server: StdioServerParameters, ending: Ending) -> AsyncGenerator[Streams]:
    """Starts a program, in a group of processes of its own that ends with the connection."""
    process = await anyio.open_process(
        [shutil.which(server.command) or server.command, *server.args],
        env=get_default_environment() | (server.env or {}),
        cwd=server.cwd,
        start_new_session=True,
    )
    received, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, sent = anyio.create_memory_object_stream[SessionMessage](0)
    talk = _Talk(process, server, ending)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(talk.read, received)
            tasks.start_soon(talk.write, sent, received)
            tasks.start_soon(talk.keep_last_words)
            try:
                yield messages, outgoing
            finally:
                tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)
        for stream in (received, messages, outgoing, sent):
            stream.close()


class _Talk:
    """What is read from a program and written to it."""

    def __init__(self, process: Process, server: StdioServerParameters, ending: Ending) -> None:
        self._process = process
        self._server = server
        self._ending = ending
        self._bytes = self._messages = 0

    async def read(self, received: Any) -> None:
        """Hands on each line that is a message; anything else on a line is skipped, such as what a library prints."""
        assert self._process.stdout is not None
        lines = BufferedByteReceiveStream(self._process.stdout)
        with suppress(anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError):
            async with received:
                while not self._ending.reason:
                    try:
                        line = await lines.receive_until(b"\n", MOST_BYTES)
                    except anyio.DelimiterNotFound:
                        self._ending.reason = f"it sent a message of more than {MOST_BYTES:,} bytes"
                        return
                    self._count(len(line))
                    text = line.decode(self._server.encoding, self._server.encoding_error_handler)
                    with suppress(ValueError):
                        await received.send(SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False)))

    async def write(self, sent: Any, received: Any) -> None:
        """Writes each message as a line."""
        assert self._process.stdin is not None
        try:
            async with sent:
                async for message in sent:
                    self._bytes = self._messages = 0
                    line = message.message.model_dump_json(by_alias=True, exclude_unset=True) + "\n"
                    await self._process.stdin.send(line.encode(self._server.encoding, "replace"))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            received.close()

    async def keep_last_words(self) -> None:
        """Reads the error output to its end, so that the program never waits for it, and keeps the last lines."""
        assert self._process.stderr is not None
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async for chunk in self._process.stderr:
                lines = chunk[-4_000:].decode("utf-8", "replace").splitlines()
                self._ending.last_words.extend(line[:300] for line in lines if line.strip())

    def _count(self, size: int) -> None:
        self._bytes += size
        self._messages += 1
        if self._bytes > MOST_BETWEEN or self._messages > MOST_MESSAGES:
            self._ending.reason = f"it sent {self._messages:,} messages, {self._bytes:,} bytes, without being asked again"


async def _end(process: Process) -> None:
    """Ends a program: its input ends, then it is told to exit, then it is killed, with all that it started."""
    assert process.stdin is not None
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await process.stdin.aclose()
    if not await _has_exited(process):
        _signal(process, signal.SIGTERM)
        await _has_exited(process)
    _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
    await _has_exited(process)
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await process.aclose()


async def _has_exited(process: Process) -> bool:
    with anyio.move_on_after(EXIT_SECONDS):
        await process.wait()
    return process.returncode is not None


def _signal(process: Process, number: int) -> None:
    with suppress(OSError, psutil.Error):
        if os.name == "posix":
            os.killpg(process.pid, number)  # what it has started too, even after its own exit
        else:
            for one in [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]:
                one.kill()
