"""`playground mcp`: a program that starts it reads and runs by its standard input and output."""

from __future__ import annotations

import sys

import pytest
from mcp import Client, StdioServerParameters

pytestmark = pytest.mark.anyio


async def test_a_client_starts_it_and_runs_a_pipeline(tmp_path):
    database = str(tmp_path / "play.db")
    program = StdioServerParameters(command=sys.executable, args=["-m", "ui.cli", "mcp", "--db", database])
    async with Client(program) as client:
        assert client.server_info.name == "agent-playground"
        args = {"pipeline": "iterative_writing", "message": "a storm", "model": "simulated"}
        done = await client.call_tool("run_pipeline", args)
        listed = await client.call_tool("list_sessions", {})
    assert done.structured_content["status"] == "completed"
    assert [row["session"] for row in listed.structured_content["sessions"]] == [done.structured_content["session"]]
