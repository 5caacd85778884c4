"""The server at `/mcp`: who asks is who shows the token, in both eras of the protocol."""

from __future__ import annotations

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette

from agents.access import OWNER, TokenScope
from ui.access.guard import Reach
from ui.access.identity import Identity
from ui.api.mcp import route
from ui.api.mcp.route import McpEndpoint, mcp_route
from ui.state import runs

pytestmark = pytest.mark.anyio


@pytest.fixture
async def served(manager, monkeypatch):
    endpoint = McpEndpoint()
    monkeypatch.setattr(route, "endpoint", endpoint)
    app = Identity(Starlette(routes=[mcp_route()]), Reach(network=True), tokens=lambda: runs.manager().tokens)
    yield httpx2.ASGITransport(app=app, client=("203.0.113.9", 4000))
    await endpoint.close()


def http(served, token):
    return httpx2.AsyncClient(transport=served, headers={"Authorization": f"Bearer {token}"}, timeout=30)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_token_does_what_its_scope_says(served, manager, mode):
    reader = manager.tokens.make(OWNER, "reader", {TokenScope.READ})[1]
    runner = manager.tokens.make(OWNER, "runner", {TokenScope.RUN})[1]
    args = {"pipeline": "iterative_writing", "message": "a storm", "model": "simulated"}
    results = []
    for token in (reader, runner):
        async with http(served, token) as sender:
            way = streamable_http_client("http://127.0.0.1/mcp", http_client=sender)
            async with Client(way, mode=mode) as client:
                results.append(await client.call_tool("run_pipeline", args))
    refused, done = results
    assert "The API token 'reader' may not run agents in this session: it lacks the scope run." in refused.content[0].text
    assert done.structured_content["status"] == "completed"


async def test_without_a_token_nothing_is_served(served):
    async with httpx2.AsyncClient(transport=served) as sender:
        answer = await sender.post("http://127.0.0.1/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert answer.status_code == 401


async def test_without_the_package_it_is_said_how_to_install_it(served, manager, monkeypatch):
    monkeypatch.setattr(route, "find_spec", lambda name: None)
    token = manager.tokens.make(OWNER, "reader", {TokenScope.READ})[1]
    async with http(served, token) as sender:
        answer = await sender.post("http://127.0.0.1/mcp", json={})
    assert (answer.status_code, "uv sync --extra mcp" in answer.text) == (501, True)
