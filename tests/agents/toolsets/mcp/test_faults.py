"""Servers that die, hang, flood, change, or never begin."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from agents.errors import ToolError
from agents.toolsets.mcp import connection
from agents.toolsets.mcp.connection_params import StdioConnectionParams, StdioServerParameters
from agents.toolsets.mcp.toolset import McpToolset
from tests.agents.stage import play
from tests.agents.toolsets.mcp.conftest import agent_with, program, responses

pytestmark = pytest.mark.anyio

ADD = ("add", {"a": 1, "b": 2})


async def test_a_server_that_dies_in_mid_call_is_told_of_without_its_key_and_started_again_by_the_next_call(
    servers, tmp_path
):
    params = program(STARTED=str(tmp_path / "started"), SERVER_KEY="key-of-the-server")
    died, added = responses((await play(agent_with(params, ("die", {}), ADD))).events)
    assert "cannot be used: it ended. Its last words: out of memory, key was [key]" in died["error"]
    assert added["structuredContent"] == {"result": 3}
    assert len((tmp_path / "started").read_text().split()) == 2


async def test_an_error_is_told_in_the_servers_words_without_keys(servers):
    [failed] = responses((await play(agent_with(program(), ("fail", {})))).events)
    assert failed["error"].endswith("says: Error executing tool fail")


async def test_a_server_that_does_not_answer_in_time_is_given_up_and_answers_the_next_call(servers, monkeypatch):
    await McpToolset(connection_params=program()).get_tools()
    monkeypatch.setattr(connection, "CALL_SECONDS", 0.3)
    hung, added = responses((await play(agent_with(program(), ("hang", {}), ADD))).events)
    assert hung["error"].endswith("did not answer within 0.3 s.")
    assert added["structuredContent"] == {"result": 3}


@pytest.mark.parametrize(
    ("how", "told"),
    [("line", "it sent a message of more than 8,388,608 bytes"), ("messages", "without being asked again")],
)
async def test_a_server_that_floods_is_ended(servers, how, told):
    [flooded] = responses((await play(agent_with(program("rude.py", how), ("call", {})))).events)
    assert told in flooded["error"]


async def test_lines_that_are_no_messages_are_skipped(servers):
    [done] = responses((await play(agent_with(program("rude.py", "noise"), ("call", {})))).events)
    assert done["content"] == [{"type": "text", "text": "done"}]


async def test_an_answer_of_another_shape_is_an_error(servers):
    [failed] = responses((await play(agent_with(program("rude.py", "shape"), ("call", {})))).events)
    assert "cannot be used: ValidationError" in failed["error"]


async def test_a_list_without_an_end_ends(servers):
    assert len(await McpToolset(connection_params=program("rude.py", "pages")).get_tools()) == 1


async def test_a_tool_with_huge_parameters_is_not_offered(servers):
    assert await McpToolset(connection_params=program("rude.py", "schema")).get_tools() == []


async def test_a_program_that_never_begins_is_given_up_and_not_started_again_at_each_look(servers, monkeypatch):
    begun = []

    @asynccontextmanager
    async def never(params, ending):
        begun.append(params)
        await asyncio.Event().wait()
        yield

    monkeypatch.setattr(connection, "streams_to", never)
    server = StdioServerParameters(command="slow")
    toolset = McpToolset(connection_params=StdioConnectionParams(server_params=server, timeout=0.05))
    for _ in range(2):
        with pytest.raises(ToolError, match=r"The MCP server slow cannot be used: it did not begin within 0.05 s"):
            await toolset.get_tools()
    assert toolset.known_tools == []
    assert len(begun) == 1


async def test_a_program_that_is_not_there_is_told(servers):
    played = await play(agent_with(StdioServerParameters(command="no-such-program"), ADD))
    assert "no-such-program cannot be used: there is no such program" in str(played.error)


async def test_a_tool_that_changes_between_calls_is_asked_about(servers):
    played = await play(agent_with(program(), ("change", {}), ADD))
    [question] = [asked for event in played.events for asked in event.actions.requested_tool_confirmations.values()]
    assert "The server has changed what it says of it since it was first listed." in question.hint
