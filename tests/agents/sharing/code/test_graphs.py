"""Sessions of graphs of packages that import google.adk, as code: their file does the same again."""

from __future__ import annotations

import pytest

from agents.runs import RunManager
from agents.sharing import session_code
from tests.agents.sharing.code.packages import written
from tests.agents.sharing.code.stage import answer, loaded, run, run_again, stored

NODES = """
import asyncio
from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.events.request_input import RequestInput
from google.adk.workflow import DEFAULT_ROUTE, JoinNode, RetryConfig, Workflow, node

tries = []

def read(node_input: str):
    return node_input.strip()

def count(node_input: str):
    return len(node_input)

def shout(node_input: str):
    return node_input.upper()

def show(node_input):
    return Event(message=f"shown: {node_input}")

def ask(node_input):
    return RequestInput(message="Which one?")

def again(node_input, ctx):
    ctx.state["round"] = ctx.state.get("round", 0) + 1
    return Event(output=node_input, route="more" if ctx.state["round"] < 3 else "done")

@node(retry_config=RetryConfig(max_attempts=2, initial_delay=0.0))
def once_bad(node_input: str, ctx):
    ctx.state["tries"] = ctx.state.get("tries", 0) + 1
    if ctx.state["tries"] == 1:
        raise ValueError("not yet")
    return node_input

@node(rerun_on_resume=True)
async def calls_others(node_input: str, ctx):
    return await ctx.run_node(shout, node_input)

writer = LlmAgent(name="writer", instruction="Write.")
inner = Workflow(name="inner", edges=[("START", read, shout)])
"""
GRAPHS = {
    "fan_out": "('START', read, (count, shout), JoinNode(name='both'), show)",
    "routes": "('START', again, {'more': again, 'done': show})",
    "default_route": "('START', again, {'other': show, DEFAULT_ROUTE: writer})",
    "nested": "('START', inner, show)",
    "agent": "('START', read, writer, show)",
    "retry": "('START', once_bad, show)",
    "dynamic": "('START', calls_others, show)",
    "question": "('START', read, ask, show)",
}


def given(events):
    """What nodes said, called, gave and chose, by the run of the node."""
    found = [
        (one.node_info.path, one.text, one.output, one.actions.route, [each.name for each in one.get_function_calls()])
        for one in events
        if one.author != "user"
    ]
    return sorted(found, key=repr)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_session_of_a_graph_does_the_same_again(folder, tmp_path, name):
    package = f"code_graph_{name}"
    written(folder, package, {"agent.py": f"{NODES}root_agent = Workflow(name='graph', edges=[{GRAPHS[name]}])\n"})
    with RunManager(database=None, agents_dir=folder) as manager:
        manager.models.change(simulated_speed=0)
        session = run(manager, package, "a cake")
        if name == "question":
            answer(manager, package, session, {"result": "this one"})
        assert manager.pending(package) == []
        said = given(stored(manager, package, session))
        code = session_code(manager, package, session)
    assert given(run_again(loaded(code.playground, tmp_path))) == said
    assert len(said) > 1
    assert code.adk_lacks == (
        "graph is a graph, which is not written. ADK runs its package as it is, if it imports google.adk.",
    )
