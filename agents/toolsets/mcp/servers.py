"""The connections of one workspace, in an event loop and a thread of their own.

A run's own loop may end with the run, and a connection outlives it: it is opened at the first use and closed with the run
manager. Agents that reach a server by the same parameters share its connection, so a package that is loaded again does not
start its servers again.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Coroutine, Mapping
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from agents.errors import PersonError, ToolError, known
from agents.toolsets.mcp.connection_params import ConnectionParams, key_of
from agents.toolsets.mcp.server_file import is_disabled, read_entries, read_servers, write_entry

if TYPE_CHECKING:
    from mcp_types import Tool

    from agents.toolsets.mcp.connection import Connection

LOOK_SECONDS = 3.0
"""How long a page waits for the tools of a server that nobody has asked yet."""
AGAIN_SECONDS = 10.0
"""How long an error of a server is told again before it is tried again: a program that fails is not started at each look."""
CLOSE_SECONDS = 8.0
"""How long programs may take to end."""

T = TypeVar("T")


class McpServers:
    """The connections of a workspace, a part of its `Scope`; and the servers that its owner has named.

    Attributes:
        file: The file with the owner's servers, see `server_file`; it need not exist.
    """

    def __init__(self) -> None:
        self.file: Path | None = None
        self._read: tuple[object, Mapping[str, ConnectionParams]] = (None, {})
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._open: dict[str, Connection] = {}
        self._failed: dict[str, tuple[float, str]] = {}
        self._known: dict[str, list[Tool]] = {}
        self._first: dict[str, dict[str, str]] = {}

    @property
    def named(self) -> Mapping[str, ConnectionParams]:
        """The owner's servers by name, as the file is now.

        Raises:
            PersonError: The file cannot be read.
        """
        try:
            found = self.file and self.file.stat()
        except OSError:
            found = None
        seen = found and (found.st_mtime_ns, found.st_size, found.st_ino)
        if self._read[0] != seen:
            self._read = (seen, read_servers(self.file) if self.file and seen else {})
        return self._read[1]

    @property
    def entries(self) -> Mapping[str, Any]:
        """The same as they are written in the file, also those that are disabled.

        Raises:
            PersonError: The file cannot be read.
        """
        return read_entries(self.file) if self.file else {}

    def change(self, name: str, entry: Mapping[str, Any] | None) -> None:
        """Adds, changes or (None) removes a server of the file. Connections to servers that are gone with it are closed.

        Raises:
            PersonError: The entry is no server, or the file cannot be changed.
        """
        if self.file is None:
            raise PersonError("There is no file for MCP servers here. Name one: playground --mcp FILE.")
        before = self._named_keys()
        write_entry(self.file, name, entry)
        gone = before - self._named_keys()
        if self._loop is not None and gone:
            self._submit(self._close(gone))

    def params_of(self, name: str) -> ConnectionParams:
        """The parameters of a server that the owner has named.

        Raises:
            ToolError: There is none of that name, or it is disabled.
        """
        if name not in self.named and is_disabled(self.entries.get(name)):
            raise ToolError(f"The MCP server {name!r} is disabled. Settings › MCP enables it.")
        if name not in self.named:
            raise ToolError(f"There is no MCP server {name!r}. The servers are: {known(self.named)}. Settings lists them.")
        return self.named[name]

    def name_of(self, params: ConnectionParams) -> str:
        """The name that the owner has given to a server; "" for none."""
        with suppress(PersonError):
            return next((name for name, one in self.named.items() if one == params), "")
        return ""

    async def use(self, params: ConnectionParams, do: Callable[[Connection], Coroutine[Any, Any, T]]) -> T:
        """Does something with a connection, for a caller in any loop; cancelling the caller cancels it.

        Raises:
            ToolError: The server cannot be used.
        """
        return await asyncio.wrap_future(self._submit(self._with(params, do)))

    async def tools(self, params: ConnectionParams) -> list[Tool]:
        """The tools that a server has now; a connection that was lost meanwhile is opened again.

        Raises:
            ToolError: It cannot be used.
        """
        return await asyncio.wrap_future(self._submit(self._list(params)))

    def known_tools(self, params: ConnectionParams) -> list[Tool]:
        """The tools that a server had when it was asked last. If it never was, it is asked now, and waited for a little.

        Call it outside of an event loop of this class. [] if the server does not answer in time, or cannot be used.
        """
        key = key_of(params)
        if key not in self._known and time.monotonic() - self._failed.get(key, (-AGAIN_SECONDS, ""))[0] > AGAIN_SECONDS:
            with suppress(ToolError, TimeoutError):
                self._submit(self._list(params)).result(LOOK_SECONDS)
        return self.listed(params)

    def listed(self, params: ConnectionParams) -> list[Tool]:
        """The same, of a server that was asked already; [] if it was not."""
        return self._known.get(key_of(params), [])

    def has_changed(self, params: ConnectionParams, name: str, fingerprint: str) -> bool:
        """Whether a tool is not as the server first told it."""
        return self._first.setdefault(key_of(params), {}).setdefault(name, fingerprint) != fingerprint

    def accept_change(self, params: ConnectionParams, name: str, fingerprint: str) -> None:
        """Takes a tool as it is now for what it is compared with."""
        self._first.setdefault(key_of(params), {})[name] = fingerprint

    def close(self) -> None:
        """Closes all connections, and ends the thread. The next use begins again."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            with suppress(TimeoutError):
                asyncio.run_coroutine_threadsafe(self._close(), loop).result(CLOSE_SECONDS)
            loop.call_soon_threadsafe(loop.stop)
        for found in (self._failed, self._known, self._first):
            found.clear()

    def _named_keys(self) -> set[str]:
        with suppress(PersonError):
            return {key_of(params) for params in self.named.values()}
        return set()

    def _submit(self, work: Coroutine[Any, Any, T]) -> Any:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                context = copy_context()
                threading.Thread(target=context.run, args=(_run, self._loop), name="playground-mcp", daemon=True).start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _with(self, params: ConnectionParams, do: Callable[[Connection], Coroutine[Any, Any, T]]) -> T:
        return await do(self._connection(params))

    async def _list(self, params: ConnectionParams) -> list[Tool]:
        key = key_of(params)
        when, error = self._failed.get(key, (0.0, ""))
        if error and time.monotonic() - when < AGAIN_SECONDS:
            raise ToolError(error)
        was_open = key in self._open and not self._open[key].has_ended
        if was_open and self._open[key].is_asking:  # many a server does nothing else until it is answered
            return self._known[key]
        try:
            try:
                found = await self._connection(params).tools()
            except ToolError:
                if not was_open:
                    raise
                found = await self._connection(params).tools()  # it was lost meanwhile
        except ToolError as failure:
            self._failed[key] = (time.monotonic(), str(failure))
            raise
        self._failed.pop(key, None)
        self._known[key] = found
        return found

    def _connection(self, params: ConnectionParams) -> Connection:
        from agents.toolsets.mcp.connection import Connection

        key = key_of(params)
        if key not in self._open or self._open[key].has_ended:
            self._open[key] = Connection(params, self.name_of(params))
        return self._open[key]

    async def _close(self, keys: Collection[str] | None = None) -> None:
        closed = [self._open.pop(key) for key in list(self._open) if keys is None or key in keys]
        await asyncio.gather(*(one.close() for one in closed))


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
