"""Servers of our own, and connections that are closed after each test."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from agents import LlmAgent
from agents.models.scripted import ScriptedLlm, call
from agents.scope import OUTSIDE
from agents.toolsets.mcp.connection_params import (
    StdioConnectionParams,
    StdioServerParameters,
    StreamableHTTPConnectionParams,
)
from agents.toolsets.mcp.servers import McpServers
from agents.toolsets.mcp.toolset import McpToolset

STANDINS = Path(__file__).parents[3] / "standins" / "mcp"
PATIENCE = 60.0
"""Seconds for the start of a server on a busy machine."""


def program(file="server.py", *args, **env):
    server = StdioServerParameters(command=sys.executable, args=[str(STANDINS / file), *args], env=env)
    return StdioConnectionParams(server_params=server, timeout=PATIENCE)


@pytest.fixture
def servers():
    part = OUTSIDE.part(McpServers)
    yield part
    part.close()
    part.file = None


@pytest.fixture(scope="session")
def http_server():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, str(STANDINS / "server.py"), str(port)], stderr=subprocess.DEVNULL) as process:
        yield StreamableHTTPConnectionParams(url=f"http://127.0.0.1:{port}/mcp", timeout=PATIENCE)
        process.kill()


@pytest.fixture(params=["stdio", "http"])
async def reached(request, servers):
    """The way to the server: a program, or over HTTP."""
    if request.param == "stdio":
        return program()
    params = request.getfixturevalue("http_server")
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", int(params.url.split(":")[2].split("/")[0]))
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return params


def agent_with(params, *turns, **more):
    """An agent with the tools of a server, whose model makes these calls, each in a turn, and is done then."""
    model = ScriptedLlm(script=[*([call(name, **args)] for name, args in turns), "done"])
    return LlmAgent(name="Agent", model=model, tools=[McpToolset(connection_params=params, **more)])


def responses(events):
    """The results of the calls in some events."""
    return [response.response for event in events for response in event.get_function_responses()]
