"""The playground as an MCP server, driven by the package's own client."""

from __future__ import annotations

import json

import anyio
import pytest
from mcp import Client
from mcp_types import ElicitResult

from agents.access import OWNER, TokenScope
from agents.ace import Add, DeltaBatch
from agents.workspace import Workspace
from ui.api.mcp.resources import playbook_uri, session_uri
from ui.api.mcp.server import PlaygroundServer

pytestmark = pytest.mark.anyio


@pytest.fixture
def workspace(tmp_path):
    with Workspace(tmp_path / "play.db") as made:
        yield made


@pytest.fixture
def asks(workspace):
    """What makes a client of a user with some scopes, all by default."""

    def client(*scopes, **more):
        user = OWNER if not scopes else type(OWNER)(OWNER.id, OWNER.role, scopes=frozenset(scopes), via="my editor")
        return Client(PlaygroundServer(lambda: workspace.as_user(user)), **more)

    return client


async def ask(client, tool, **args):
    result = await client.call_tool(tool, args)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client, tool, **args):
    result = await client.call_tool(tool, args)
    assert result.is_error
    return result.content[0].text


@pytest.fixture
def lighthouse(workspace):
    run = workspace.runs.start("iterative_writing", "a lighthouse keeper", model="simulated")
    while workspace.runs.sessions.find(run.pipeline, run.session_id).status == "running":
        pass
    return {"pipeline": run.pipeline, "session": run.session_id}


async def test_a_session_is_listed_found_and_read_with_state_and_prompt_at_an_event(asks, lighthouse):
    async with asks(TokenScope.READ) as client:
        [row] = (await ask(client, "list_sessions"))["sessions"]
        assert (row["session"], row["title"]) == (lighthouse["session"], "a lighthouse keeper")
        [found] = (await ask(client, "search_sessions", text="lighthouse"))["sessions"]
        assert found["session"] == lighthouse["session"]
        first = await ask(client, "read_session", **lighthouse, limit=2)
        assert [event["author"] for event in first["events"]] == ["user", "InitialWriterAgent"]
        draft = first["events"][1]
        rest = await ask(client, "read_session", **lighthouse, after=draft["entry"])
        assert len(rest["events"]) == first["more"]
        state = await ask(client, "state_at", **lighthouse, entry=draft["entry"])
        assert state["state"]["current_document"] == {
            "value": draft["text"],
            "entry": draft["entry"],
            "author": "InitialWriterAgent",
        }
        prompt = await ask(client, "prompt_at", **lighthouse, entry=draft["entry"])
        assert prompt["agent"] == "InitialWriterAgent"
        assert "a lighthouse keeper" in json.dumps(prompt)
        told = await refused(client, "prompt_at", **lighthouse, entry=10_000)
        assert "The session has no entry 10000." in told


async def test_a_run_tells_its_events_as_progress_and_its_answer(asks):
    told = []

    async def heard(progress, total, message):
        told.append(message)

    async with asks(TokenScope.RUN) as client:
        args = {"pipeline": "iterative_writing", "message": "a storm", "model": "simulated"}
        result = await client.call_tool("run_pipeline", args, progress_callback=heard)
    done = result.structured_content
    assert done["status"] == "completed"
    assert done["answer"]
    assert told[1].startswith("InitialWriterAgent: ")


async def test_a_token_does_what_its_scopes_say(asks, lighthouse):
    async with asks(TokenScope.READ) as client:
        run = await refused(client, "run_pipeline", pipeline="ace", message="hi")
        propose = await refused(client, "propose_changes", playbook="p", operations=[{"type": "ADD", "content": "x"}])
        cases = await refused(client, "run_cases")
    for told, scope in ((run, "run"), (propose, "propose"), (cases, "run")):
        assert f"lacks the scope {scope}. Make a token with that scope in Settings" in told


def learned(workspace):
    store = workspace.runs.playbooks("formulas")
    adds = [
        Add(section="formulas", content=text)
        for text in ("The area of a circle is pi r squared.", "Work is force times way.")
    ]
    store.commit(DeltaBatch(by="user", operations=adds))
    return store


ADD = {"type": "ADD", "section": "formulas", "content": "The volume of a cube is its edge to the third power."}


async def test_playbooks_are_listed_read_and_searched(asks, workspace):
    learned(workspace)
    async with asks(TokenScope.READ) as client:
        [listed] = (await ask(client, "list_playbooks"))["playbooks"]
        assert (listed["name"], listed["bullets"]) == ("formulas", 2)
        read = await ask(client, "read_playbook", playbook="formulas", after=1)
        assert [bullet["content"] for bullet in read["bullets"]] == ["Work is force times way."]
        [best] = (await ask(client, "search_playbook", playbook="formulas", text="area CIRCLE"))["bullets"]
        assert best["section"] == "formulas"
        assert "There is no playbook 'no'. There are: formulas." in await refused(client, "read_playbook", playbook="no")


async def test_a_proposal_waits_under_the_clients_name_and_is_applied_when_a_person_approves(asks, workspace):
    store = learned(workspace)
    async with asks(TokenScope.PROPOSE) as client:
        done = await ask(client, "propose_changes", playbook="formulas", operations=[ADD], reasoning="It was asked twice.")
    assert done["status"] == "waits for a person's approval"
    assert len(store.playbook()) == 2
    [waiting] = workspace.runs.pending()
    assert waiting.args["playbook"] == "formulas"
    assert waiting.args["reasoning"] == "Proposed by “my editor”: It was asked twice."
    assert [one["content"] for one in waiting.args["operations"]] == [ADD["content"]]
    assert "proposal" not in workspace.catalog.names()

    run = workspace.runs.answer(
        waiting.pipeline, waiting.session_id, waiting.call_id, {"decisions": [{"verdict": "approve"}]}
    )
    while workspace.runs.sessions.find(run.pipeline, run.session_id).status == "running":
        pass
    assert [bullet.content for bullet in store.playbook().active][-1] == ADD["content"]


@pytest.mark.parametrize(("said", "bullets"), [("approve", 3), ("reject", 2), ("decide later in the playground", 2)])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_that_can_ask_asks_at_once(asks, workspace, said, bullets, mode):
    store, asked = learned(workspace), []

    async def elicited(context, params):
        asked.append(params.message)
        return ElicitResult(action="accept", content={"decision": said})

    async with asks(elicitation_callback=elicited, mode=mode) as client:
        await ask(client, "propose_changes", playbook="formulas", operations=[ADD])
    assert ADD["content"] in asked[0]
    assert len(store.playbook()) == bullets
    assert len(workspace.runs.pending()) == (said == "decide later in the playground")


@pytest.mark.parametrize(
    "said",
    [
        {"action": "decline"},
        {"action": "cancel"},
        {"action": "accept", "content": {}},
        {"action": "accept", "content": {"decision": "yes"}},
        {"action": "accept", "content": {"decision": True}},
    ],
    ids=str,
)
async def test_only_a_clear_yes_of_the_person_approves(asks, workspace, said):
    store = learned(workspace)

    async def elicited(context, params):
        return ElicitResult.model_validate(said)

    async with asks(elicitation_callback=elicited) as client:
        await client.call_tool("propose_changes", {"playbook": "formulas", "operations": [ADD]})
    assert len(store.playbook()) == 2


@pytest.mark.parametrize("decision", ["approve", {"decision": "approve"}], ids=str)
async def test_a_decision_among_the_arguments_decides_nothing(asks, workspace, decision):
    store = learned(workspace)
    async with asks() as client:
        [tool] = [tool for tool in (await client.list_tools()).tools if tool.name == "propose_changes"]
        assert "decision" not in tool.input_schema["properties"]
        given = {"playbook": "formulas", "operations": [ADD], "decision": decision}
        await client.call_tool("propose_changes", given)
    assert len(store.playbook()) == 2


async def test_a_client_that_may_not_approve_is_not_asked(asks, workspace):
    learned(workspace)

    async def elicited(context, params):
        raise AssertionError

    async with asks(TokenScope.PROPOSE, elicitation_callback=elicited) as client:
        done = await ask(client, "propose_changes", playbook="formulas", operations=[ADD])
    assert done["status"] == "waits for a person's approval"


async def test_operations_that_cannot_be_used_are_refused_with_the_reason(asks, workspace):
    learned(workspace)
    async with asks() as client:
        told = await refused(
            client, "propose_changes", playbook="formulas", operations=[{"type": "REMOVE", "bullet_id": "no-1"}]
        )
    assert "No operation can be used." in told


async def test_sessions_and_playbooks_are_resources_and_their_changes_are_told(asks, workspace, lighthouse):
    learned(workspace)
    session = session_uri(lighthouse["pipeline"], lighthouse["session"])
    async with asks() as client:
        listed = {resource.uri for resource in (await client.list_resources()).resources}
        assert listed == {session, playbook_uri("formulas")}
        [read] = (await client.read_resource(session)).contents
        assert json.loads(read.text)["events"][0]["text"] == "a lighthouse keeper"
        [read] = (await client.read_resource(playbook_uri("formulas"))).contents
        assert len(json.loads(read.text)["bullets"]) == 2
        async with client.listen(resource_subscriptions=[session]) as changes:
            with anyio.fail_after(30):
                workspace.runs.sessions.rename(lighthouse["pipeline"], lighthouse["session"], "renamed")
                async for change in changes:
                    assert change.uri == session
                    break


async def test_cases_are_run(asks, workspace):
    async with asks(TokenScope.RUN) as client:
        done = await ask(client, "run_cases")
    assert done == {"results": [], "held": 0, "failed": 0, "error": 0}
