"""The owner's list of servers: desktop clients' JSON, environment variables in it, and what it refuses."""

from __future__ import annotations

import json
import sys

import pytest

from agents.errors import PersonError, ToolError
from agents.toolsets.mcp.connection_params import SseConnectionParams, StreamableHTTPConnectionParams, label_of, secrets_of
from agents.toolsets.mcp.server_file import read_servers, servers_in
from agents.toolsets.mcp.toolset import McpToolset
from tests.agents.toolsets.mcp.conftest import STANDINS


def listed(**servers):
    return json.dumps({"mcpServers": servers})


def test_the_list_of_a_desktop_client_is_read(monkeypatch):
    monkeypatch.setenv("FILES_TOKEN", "token-of-files")
    monkeypatch.delenv("NOT_SET", raising=False)
    found = servers_in(
        listed(
            files={
                "command": "npx",
                "args": ["-y", "server", "${NOT_SET:-.}"],
                "env": {"TOKEN": "${FILES_TOKEN}"},
                "type": "stdio",
            },
            far={"url": "https://mcp.example.com/mcp", "headers": {"Authorization": "Bearer ${FILES_TOKEN}"}},
            old={"type": "sse", "url": "http://127.0.0.1:9/sse"},
        )
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
def test_what_is_no_list_is_refused(text, told):
    with pytest.raises(PersonError, match=told):
        servers_in(text)


def test_a_command_is_taken_as_it_is_written(monkeypatch):
    monkeypatch.setenv("RUN", "rm")
    assert servers_in(listed(a={"command": "${RUN}"}))["a"].server_params.command == "${RUN}"


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(PersonError, match="cannot be read"):
        read_servers(tmp_path / "none.json")


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
