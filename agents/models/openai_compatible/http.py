"""HTTP requests to a model server: one request, JSON back, whole or in pieces.

The clock is ours, so that silence means the same everywhere. Leaving an answer closes its connection. Does not retry.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

import httpx2
from pydantic import SecretStr

from agents.errors import ProviderError
from agents.models.connections import LoopClients
from agents.models.http_errors import caused_by
from agents.models.openai_compatible.errors import (
    Refusal,
    Server,
    bad_response,
    of_exception,
    refusal_in,
    refusal_of,
    silence,
)
from agents.models.openai_compatible.format_answer import DONE
from agents.models.tool_arguments.exact_json import read_message
from agents.scope import current_scope

_Answer = TypeVar("_Answer")

_MOST_BYTES = 64 * 1024 * 1024
"""Most bytes of an answer or a line of one; no model's answer is longer."""
_MOST_ERROR_BYTES = 64 * 1024
_IDLE_SECONDS = 2.0  # servers close idle connections after five: one about to be closed is not reused
_OK = 200
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class HttpClients(LoopClients[bool, httpx2.AsyncClient]):
    """A client for the network, and one for this machine: connections are shared by all models."""

    async def close(self, client: httpx2.AsyncClient) -> None:
        """See `LoopClients`."""
        await client.aclose()


def _client_for(address: str) -> httpx2.AsyncClient:
    is_local = urlsplit(address).hostname in _LOOPBACK
    return current_scope().part(HttpClients).here(is_local, lambda: _client(is_local=is_local))


def _client(*, is_local: bool) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        verify=_certificates(trust_env=not is_local),
        timeout=None,  # the clock is ours
        trust_env=not is_local,  # a proxy does not know this machine's own servers
        limits=httpx2.Limits(keepalive_expiry=_IDLE_SECONDS),
    )


@cache
def _certificates(*, trust_env: bool) -> ssl.SSLContext:
    """TLS trust store, loaded once: loading takes longer than a request."""
    return httpx2.create_ssl_context(trust_env=trust_env)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A server and its request settings.

    Attributes:
        server: Which one.
        key: The key to send; None for none.
        patience: Seconds of silence before a timeout, read before each wait.
    """

    server: Server
    key: SecretStr | None
    patience: Callable[[], float]

    async def ask(self, path: str, body: Any = None) -> dict[str, Any]:
        """The JSON object that a request is answered with.

        Args:
            path: Below the server's address.
            body: What to post; None to get.

        Raises:
            Refusal: The server answered with an error.
            ProviderError: It did not answer, or not with JSON.
        """
        response = await self._begin(path, body)
        try:
            return await self._whole(response)
        finally:
            await response.aclose()

    async def stream(self, path: str, body: Any) -> AsyncGenerator[dict[str, Any], None]:
        """The JSON objects of an answer in pieces: server-sent events, `DONE` for their end mark, or an object a line."""
        response = await self._begin(path, body)
        try:
            kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind == "application/json":  # a server that does not stream
                yield await self._whole(response)
                return
            if kind == "text/html":
                raise bad_response(self.server)
            async with aclosing(_lines(response)) as lines:
                while (line := await self._in_time(anext(lines, None))) is not None:
                    if (data := _data_of(line)) == b"[DONE]":
                        yield DONE
                        return
                    if data:
                        yield self._read(data)
        finally:
            await response.aclose()

    async def _begin(self, path: str, body: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.key.get_secret_value()}"} if self.key else {}
        response = await self._in_time(self._send(path, body, headers))
        if response.status_code == _OK:
            return response
        try:
            said = await self._in_time(_read(response, _MOST_ERROR_BYTES))
        finally:
            await response.aclose()
        raise refusal_of(response.status_code, said, response.headers, had_key=self.key is not None)

    async def _send(self, path: str, body: Any, headers: dict[str, str]) -> httpx2.Response:
        client = _client_for(self.server.address)
        method = "GET" if body is None else "POST"
        request = client.build_request(method, self.server.address + path, json=body, headers=headers)
        return await client.send(request, stream=True)

    async def _whole(self, response: httpx2.Response) -> dict[str, Any]:
        return self._read(await self._in_time(_read(response, _MOST_BYTES)))

    def _read(self, data: bytes) -> dict[str, Any]:
        try:
            value = read_message(data)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise bad_response(self.server)
        read = cast("dict[str, Any]", value)
        if refusal := refusal_in(read, had_key=self.key is not None):
            raise refusal
        return read

    async def _in_time(self, step: Awaitable[_Answer]) -> _Answer:
        """Awaits the network until the timeout; failures become a `ProviderError`."""
        seconds = self.patience()
        clock = asyncio.timeout(seconds)
        try:
            async with clock:
                return await step
        except (ProviderError, Refusal):
            raise
        except Exception as error:  # noqa: BLE001  nothing is swallowed
            failed = error
        if isinstance(failed, TimeoutError) and clock.expired():
            raise silence(self.server, seconds)
        raised = of_exception(failed, self.server)
        raise caused_by(raised, failed, key=self.key.get_secret_value() if self.key else None)


async def _read(response: httpx2.Response, most: int) -> bytes:
    """The body, up to `most` bytes."""
    read = bytearray()
    async for data in response.aiter_bytes():
        read += data
        if len(read) >= most:
            break
    return bytes(read[:most])


async def _lines(response: httpx2.Response) -> AsyncGenerator[bytes, None]:
    """The lines of a body, without their ends."""
    held = bytearray()
    async for data in response.aiter_bytes():
        *ended, rest = data.split(b"\n")
        for line in ended:
            held += line
            yield bytes(held).strip()
            held.clear()
        held += rest
        if len(held) > _MOST_BYTES:
            return
    if held:
        yield bytes(held).strip()


def _data_of(line: bytes) -> bytes:
    """A line's payload: the text after `data:`, or a plain object; b"" for comments and names of events."""
    if line.startswith(b"{"):
        return line
    name, _, value = line.partition(b":")
    if name == b"error":  # llama.cpp once wrote failures this way
        return b'{"error": ' + (value.strip() or b'""') + b"}"
    return value.strip() if name == b"data" else b""
