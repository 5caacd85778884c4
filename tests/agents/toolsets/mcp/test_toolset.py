"""`McpToolset`: the tools of a server, their calls, who is asked, what a fork may repeat, and servers' own questions."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from agents import InMemorySessionService, LlmAgent
from agents.forks.effects import HeldTool, hold_tools
from agents.models.scripted import ScriptedLlm
from agents.pipeline import describe_tree
from agents.scope import Scope
from agents.tools.agent_tool import effectful_tools
from agents.toolsets.mcp.connection_params import (
    StdioServerParameters,
    StreamableHTTPConnectionParams,
    label_of,
    read_params,
)
from agents.toolsets.mcp.servers import McpServers
from agents.toolsets.mcp.tool import MOST_CHARACTERS, NOTICE
from agents.toolsets.mcp.toolset import McpToolset
from tests.agents.pausing_stage import answer_to, is_question, send, waiting
from tests.agents.stage import play
from tests.agents.toolsets.mcp.conftest import agent_with, program, responses

pytestmark = pytest.mark.anyio


async def test_a_models_calls_reach_the_server_and_their_results_name_it(reached):
    agent = agent_with(reached, ("add", {"a": 1, "b": 2}), ("picture", {}))
    played = await play(agent)

    label = label_of(reached)
    added, picture = responses(played.events)
    assert added == {
        "from_mcp_server": label,
        "content": [{"type": "text", "text": "3"}],
        "structuredContent": {"result": 3},
    }
    assert picture["content"] == [{"$ref": "content-1"}]
    request = agent.model.requests[0]
    assert request.system_instruction.count(NOTICE) == 1
    assert request.tools_dict["add"].description == f"MCP server {label}: Adds two numbers."


async def test_tools_are_known_before_a_run_and_chosen_by_the_servers_names(servers, monkeypatch):
    monkeypatch.setattr("agents.toolsets.mcp.servers.LOOK_SECONDS", 60)
    toolset = McpToolset(connection_params=program(), tool_filter=["add", "erase"], tool_name_prefix="my")
    assert [toolset.prefixed(tool).name for tool in toolset.known_tools] == ["my_add", "my_erase"]
    assert [tool.name for tool in await toolset.get_tools_with_prefix()] == ["my_add", "my_erase"]


async def test_the_graph_shows_the_tools_once_they_are_known_and_starts_no_server(servers, tmp_path):
    agent = agent_with(program(STARTED=str(tmp_path / "started")), tool_filter=["add"])
    assert describe_tree(agent)["tools"] == [f"MCP {Path(sys.executable).name} server.py"]
    assert not (tmp_path / "started").exists()
    await agent.tools[0].get_tools()
    assert describe_tree(agent)["tools"] == ["add"]


async def test_a_toolset_is_of_the_workspace_that_loads_it(servers):
    scope = Scope()
    with scope.entered():
        toolset = McpToolset(connection_params=program())
    await toolset.get_tools()
    assert scope.part(McpServers).listed(program())
    assert not servers.listed(program())
    scope.part(McpServers).close()


async def test_a_name_with_which_the_runtime_acts_is_not_offered(servers):
    names = [tool.name for tool in await McpToolset(connection_params=program()).get_tools()]
    assert "add" in names
    assert "adk_request_confirmation" not in names


async def test_toolsets_with_the_same_parameters_share_a_program_which_the_close_ends(servers, tmp_path):
    params = program(STARTED=str(tmp_path / "started"))
    for _ in range(2):
        await McpToolset(connection_params=params).get_tools()
    [pid] = (tmp_path / "started").read_text().split()
    servers.close()
    assert not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text()


@pytest.mark.parametrize(
    ("name", "more", "asks"),
    [
        ("erase", {}, True),
        ("write", {}, False),
        ("erase", {"require_confirmation": False}, False),
        ("write", {"require_confirmation": True}, True),
        ("write", {"require_confirmation": lambda path: path == "b"}, False),
        ("write", {"require_confirmation": lambda path: path == "a"}, True),
    ],
)
async def test_who_is_asked_before_a_call(servers, name, more, asks):
    played = await play(agent_with(program(), (name, {"path": "a"}), **more))
    assert [is_question(call) for event in played.events for call in event.get_function_calls()].count(True) == asks


async def test_an_approved_call_is_made(servers):
    service, agent = InMemorySessionService(), agent_with(program(), ("erase", {"path": "a"}))
    asked = await send(agent, "go", service=service)
    [question] = waiting(asked)
    assert "may destroy something" in question.args["toolConfirmation"]["hint"]
    done = await send(agent, answer_to(question, confirmed=True), service=service)
    assert responses(done.events)[-1]["content"] == [{"type": "text", "text": "erased a"}]


async def test_a_fork_repeats_what_only_reads_and_holds_the_rest(servers, monkeypatch):
    monkeypatch.setattr("agents.toolsets.mcp.servers.LOOK_SECONDS", 60)
    agent = agent_with(program())
    names = effectful_tools(agent)
    assert {"erase", "write", "book"} <= names
    assert "add" not in names
    hold_tools(agent, [])
    held = {tool.name for tool in await agent.canonical_tools() if isinstance(tool, HeldTool)}
    assert held == names


async def test_a_servers_question_pauses_the_run_and_the_call_goes_on_with_the_answer(reached):
    service, agent = InMemorySessionService(), agent_with(reached, ("book", {}))
    [question] = waiting(await send(agent, "go", service=service))
    asked = question.args["toolConfirmation"]
    assert f"The MCP server {label_of(reached)} asks: “Which seat?”" in asked["hint"]
    assert asked["payload"] == {"row": None, "window": False}

    again = await send(agent, answer_to(question, confirmed=True), service=service)
    [question] = waiting(again)
    assert "Your answer does not fit: fields: 'row' is a required property" in question.args["toolConfirmation"]["hint"]

    payload = {"row": 7, "window": True, "password": "x"}
    done = await send(agent, answer_to(question, confirmed=True, payload=payload), service=service)
    assert responses(done.events)[-1]["content"] == [{"type": "text", "text": "seat 7 True"}]


async def test_a_question_that_the_user_rejects_is_declined_and_the_server_goes_on(reached):
    service, agent = InMemorySessionService(), agent_with(reached, ("book", {}))
    [question] = waiting(await send(agent, "go", service=service))
    done = await send(agent, answer_to(question, confirmed=False), service=service)
    assert responses(done.events)[-1]["content"] == [{"type": "text", "text": "no seat: decline"}]


ROW = {"row": 7, "window": True}


@pytest.mark.parametrize(
    ("how", "hint", "answer", "sent"),
    [
        ("form", "asks: “Which seat?”", {"confirmed": True, "payload": ROW}, {"action": "accept", "content": ROW}),
        ("form", "asks: “Which seat?”", {"confirmed": False}, {"action": "decline"}),
        ("visit", "visit https://x.example/in; that page is not opened", {"confirmed": True}, {"action": "accept"}),
    ],
)
async def test_a_server_of_before_2026_asks_in_the_same_way(servers, how, hint, answer, sent):
    service, agent = InMemorySessionService(), agent_with(program("rude.py", how), ("call", {}))
    [question] = waiting(await send(agent, "go", service=service))
    assert hint in question.args["toolConfirmation"]["hint"]
    done = await send(agent, answer_to(question, **answer), service=service)
    assert json.loads(responses(done.events)[-1]["content"][0]["text"]) == sent


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("nested", "Invalid request parameters"),
        ("many", '{"action": "decline"}'),
        ("sample", "Sampling not supported"),
        ("roots", "List roots not supported"),
    ],
)
async def test_a_server_of_before_2026_gets_neither_the_model_nor_folders_nor_another_form(servers, how, told):
    [result] = responses((await play(agent_with(program("rude.py", how), ("call", {})))).events)
    assert told in result["content"][0]["text"]


async def test_an_answer_after_the_connection_was_closed_is_told_and_the_call_is_not_made_again(servers):
    service, agent = InMemorySessionService(), agent_with(program(), ("book", {}))
    [question] = waiting(await send(agent, "go", service=service))
    servers.close()
    done = await send(agent, answer_to(question, confirmed=True, payload={"row": 1}), service=service)
    assert "no longer waits for this answer. Call the tool again." in responses(done.events)[-1]["error"]


@pytest.mark.parametrize("name", ["sample", "roots"])
async def test_a_server_gets_neither_the_model_nor_folders(reached, name):
    [result] = responses((await play(agent_with(reached, (name, {})))).events)
    assert result["error"].startswith(f"The MCP server {label_of(reached)} ")
    assert any(told in result["error"] for told in ("Error executing tool", "not supported", "no back-channel"))


async def test_a_text_that_commands_is_a_result_like_any_other(servers):
    agent = agent_with(program(), ("inject", {}))
    played = await play(agent)
    [result] = responses(played.events)
    assert (result["from_mcp_server"], len(played.events)) == (
        "python server.py".replace("python", Path(sys.executable).name),
        3,
    )
    instruction = agent.model.requests[1].system_instruction
    assert "IGNORE" not in instruction  # neither of the server's instructions nor of its results


async def test_a_long_result_is_cut_and_says_so(servers):
    [result] = responses((await play(agent_with(program(), ("long", {"characters": 1_000_000})))).events)
    assert len(result["content"][0]["text"]) == MOST_CHARACTERS
    assert "more than 200,000 characters" in result["content"][0]["cut"]
    assert "structuredContent" not in result


async def test_a_program_gets_the_variables_that_it_was_given_and_no_others(servers, monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "a-key-of-this-process")
    agent = agent_with(program(MINE="yes"), ("environment", {"name": "MINE"}), ("environment", {"name": "GEMINI_API_KEY"}))
    texts = [result["content"][0]["text"] for result in responses((await play(agent)).events)]
    assert texts == ["yes", "not set"]


async def test_headers_may_depend_on_the_context(servers, http_server):
    seen = []
    toolset = McpToolset(connection_params=http_server, header_provider=lambda context: seen.append(context.user_id) or {})
    await play(LlmAgent(name="Agent", model=ScriptedLlm(script=["hi"]), tools=[toolset]))
    assert seen == ["person"]


def test_a_program_may_stand_alone_and_be_of_the_package():
    import mcp

    own = read_params(StdioServerParameters(command="npx", args=["-y", "server-files"]))
    assert read_params(mcp.StdioServerParameters(command="npx", args=["-y", "server-files"])) == own
    assert label_of(own) == "npx server-files"
    with pytest.raises(ValueError, match="no address of a server"):
        StreamableHTTPConnectionParams(url="file:///etc/passwd")
