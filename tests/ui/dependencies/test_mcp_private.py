"""What is used of `mcp` without being documented still works."""

from __future__ import annotations

import pytest
from mcp import Client, MCPDeprecationWarning
from mcp.server.mcpserver import MCPServer
from mcp_types import EmptyResult, SubscribeRequestParams

from ui.dependencies.mcp_private import answer_method


@pytest.mark.anyio
async def test_a_method_that_the_server_leaves_out_is_answered():
    server, asked = MCPServer("s", log_level="ERROR"), []

    async def subscribe(context, params):
        asked.append(params.uri)
        return EmptyResult()

    answer_method(server, "resources/subscribe", SubscribeRequestParams, subscribe)
    async with Client(server, mode="legacy") as client:
        with pytest.warns(MCPDeprecationWarning):
            await client.session.subscribe_resource("test://a")
    assert asked == ["test://a"]
