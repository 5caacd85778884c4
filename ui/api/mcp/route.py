"""The server at `/mcp`. It is made at the first request: its package takes a second to import."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ui.access.api_access import refusal
from ui.state import runs
from ui.web.threads import in_thread

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
MOST_SESSIONS = 200
"""Of clients with the protocol of before 2026."""


class McpEndpoint:
    """Answers requests; `close` ends it, and the next request begins it again.

    Args:
        server: Makes the server; None for the playground's.
    """

    def __init__(self, server: Callable[[], MCPServer[None]] | None = None) -> None:
        self._server = server
        self._lock = asyncio.Lock()
        self._manager: StreamableHTTPSessionManager | None = None
        self._task: asyncio.Task[None] | None = None
        self._end = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request."""
        if find_spec("mcp") is None:
            said = "MCP needs the package `mcp`, which is not installed. Install it with: uv sync --extra mcp"
            await refusal(501, said, "not_installed")(scope, receive, send)
            return
        manager = await self._started()
        await manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """Ends all sessions of clients."""
        if self._task is not None:
            self._end.set()
            await asyncio.wait([self._task])
            self._task = self._manager = None

    async def _started(self) -> StreamableHTTPSessionManager:
        async with self._lock:
            if self._manager is None or self._task is None or self._task.done():
                self._manager, ready = await in_thread(_made, self._server), asyncio.Event()
                self._end = asyncio.Event()
                self._task = asyncio.create_task(self._serve(self._manager, ready), name="MCP server")
                await ready.wait()
            return self._manager

    async def _serve(self, manager: StreamableHTTPSessionManager, ready: asyncio.Event) -> None:
        async with manager.run():
            ready.set()
            await self._end.wait()


def _made(make: Callable[[], MCPServer[None]] | None) -> StreamableHTTPSessionManager:
    from mcp.server.transport_security import TransportSecuritySettings

    from ui.api.mcp.server import PlaygroundServer

    server = PlaygroundServer(runs.workspace) if make is None else make()
    checked = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # `Guard` has looked at Host and Origin
    server.streamable_http_app(max_sessions=MOST_SESSIONS, transport_security=checked)
    return server.session_manager


endpoint = McpEndpoint()


def mcp_route() -> Route:
    """The route."""
    return Route(PATH, endpoint, methods=["GET", "POST", "DELETE"])
