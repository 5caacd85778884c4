"""The owner's list of servers: desktop clients' JSON, environment variables in it, and what it refuses."""

from __future__ import annotations

import asyncio
import json
import sys

import pytest

from agents.errors import PersonError, ToolError
from agents.toolsets.mcp.connection_params import SseConnectionParams, StreamableHTTPConnectionParams, label_of, secrets_of
from agents.toolsets.mcp.server_file import read_servers, write_entry
from agents.toolsets.mcp.toolset import McpToolset
from tests.agents.toolsets.mcp.conftest import PATIENCE, STANDINS


def listed(**servers):
    return json.dumps({"mcpServers": servers})


def servers_in(folder, text):
    file = folder / "mcp.json"
    file.write_text(text)
    return read_servers(file)


def test_the_list_of_a_desktop_client_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv("FILES_TOKEN", "token-of-files")
    monkeypatch.delenv("NOT_SET", raising=False)
    found = servers_in(
        tmp_path,
        listed(
            files={
                "command": "npx",
                "args": ["-y", "server", "${NOT_SET:-.}"],
                "env": {"TOKEN": "${FILES_TOKEN}"},
                "type": "stdio",
            },
            far={"url": "https://mcp.example.com/mcp", "headers": {"Authorization": "Bearer ${FILES_TOKEN}"}},
            old={"type": "sse", "url": "http://127.0.0.1:9/sse"},
        ),
    )
    files = found["files"].server_params
    assert (files.command, files.args, files.env) == ("npx", ["-y", "server", "."], {"TOKEN": "token-of-files"})
    assert type(found["far"]) is StreamableHTTPConnectionParams
    assert found["far"].headers == {"Authorization": "Bearer token-of-files"}
    assert type(found["old"]) is SseConnectionParams
    assert "token-of-files" in secrets_of(found["files"])
    assert "token-of-files" in secrets_of(found["far"])
    assert "token-of-files" not in "".join(map(label_of, found.values()))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "It is no JSON"),
        ("[]", 'It has no "mcpServers"'),
        (listed(a=[]), "'a' has to be an object"),
        (listed(a={}), "command"),
        (listed(a={"command": "x", "args": "y"}), "args"),
        (listed(a={"url": "ftp://x"}), "no address of a server"),
        (
            listed(a={"command": "x", "env": {"K": "${PLAYGROUND_NO_SUCH}"}}),
            "needs the environment variable PLAYGROUND_NO_SUCH",
        ),
        (listed(**{"../a": {"command": "x"}}), "is no name of a server"),
    ],
)
def test_what_is_no_list_is_refused(tmp_path, text, told):
    with pytest.raises(PersonError, match=told):
        servers_in(tmp_path, text)


def test_a_command_is_taken_as_it_is_written(tmp_path, monkeypatch):
    monkeypatch.setenv("RUN", "rm")
    assert servers_in(tmp_path, listed(a={"command": "${RUN}"}))["a"].server_params.command == "${RUN}"


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(PersonError, match="cannot be read"):
        read_servers(tmp_path / "none.json")


def test_a_server_is_changed_and_all_else_in_the_file_stays(tmp_path):
    file = tmp_path / "link.json"
    (tmp_path / "kept.json").write_text(json.dumps({"theme": "dark", "mcpServers": {"a": {"command": "x", "cwd": "/"}}}))
    file.symlink_to(tmp_path / "kept.json")
    write_entry(file, "b", {"url": "https://b.example/mcp"})
    write_entry(file, "a", {"command": "y", "disabled": True})
    assert file.is_symlink()
    found = {"theme": "dark", "mcpServers": {"a": {"command": "y", "disabled": True}, "b": {"url": "https://b.example/mcp"}}}
    assert json.loads(file.read_text()) == found
    assert list(read_servers(file)) == ["b"]
    with pytest.raises(PersonError, match="no address of a server"):
        write_entry(file, "a", {"url": "ftp://x"})
    write_entry(file, "b", None)
    write_entry(file, "a", None)
    assert json.loads(file.read_text()) == {"theme": "dark", "mcpServers": {}}


def test_a_file_that_is_no_list_is_left_as_it_is(tmp_path):
    file = tmp_path / "mcp.json"
    file.write_text("{not json")
    with pytest.raises(PersonError, match="cannot be changed: It is no JSON"):
        write_entry(file, "a", {"command": "x"})
    assert file.read_text() == "{not json"
    assert [path.name for path in tmp_path.iterdir()] == ["mcp.json"]


@pytest.mark.anyio
async def test_a_server_that_is_removed_is_ended_and_a_disabled_one_says_so(servers, tmp_path):
    servers.file = tmp_path / "mcp.json"
    entry = {"command": sys.executable, "args": [str(STANDINS / "server.py")]}
    servers.change("files", entry)
    await McpToolset(connection_params="files").get_tools()
    [connection] = servers._open.values()
    servers.change("files", {**entry, "disabled": True})
    await asyncio.wrap_future(servers._submit(asyncio.wait([connection._task], timeout=PATIENCE)))
    assert connection._task.done()
    with pytest.raises(ToolError, match="'files' is disabled"):
        await McpToolset(connection_params="files").get_tools()


@pytest.mark.anyio
async def test_a_name_stands_for_a_server_of_the_file_as_it_is_now(servers, tmp_path):
    servers.file = tmp_path / "mcp.json"
    with pytest.raises(ToolError, match="There is no MCP server 'files'"):
        await McpToolset(connection_params="files").get_tools()
    servers.file.write_text(listed(files={"command": sys.executable, "args": [str(STANDINS / "server.py")]}))
    [tool] = [tool for tool in await McpToolset(connection_params="files").get_tools() if tool.name == "add"]
    assert tool.description == "MCP server files: Adds two numbers."


AGENT = """\
name: {name}
instruction: Answer.
tools:
- name: agents.McpToolset
  args: {{connection_params: {params}, tool_filter: [add]}}
"""


def test_a_team_names_a_server_and_starts_none_of_its_own(tmp_path):
    from agents.errors import PlaygroundError
    from agents.teams.team import Team

    for params, told in (("files", None), ("{command: sh, args: [-c, id]}", "a team names a server of Settings")):
        folder = tmp_path / f"team_{len(params)}"
        folder.mkdir()
        (folder / "root_agent.yaml").write_text(AGENT.format(name="Root", params=params))
        if told is None:
            [tool] = Team(folder).make(lambda name: None).tools
            assert tool.name == "MCP files"
        else:
            with pytest.raises(PlaygroundError, match=told):
                Team(folder).make(lambda name: None)
