"""What is used of the package `mcp` without being documented."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.mcpserver import MCPServer


def answer_method(
    server: MCPServer[Any], method: str, params: type[Any], handler: Callable[[Any, Any], Awaitable[Any]]
) -> None:
    """Answers a method of the protocol that `MCPServer` leaves out; its extensions would announce one of their own.

    Args:
        server: The server.
        method: E.g. "resources/subscribe".
        params: The class of its parameters.
        handler: `handler(request_context, params)`.
    """
    server._lowlevel_server.add_request_handler(method, params, handler)  # pyright: ignore[reportPrivateUsage]
