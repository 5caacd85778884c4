"""The description of an agent tree."""

from __future__ import annotations

from functools import partial

from agents import FunctionTool, LlmAgent, LoopAgent, SequentialAgent, exit_loop
from agents.pipeline import describe_tree
from tests.agents.stage import Actor


def look_up(word: str) -> str:
    """Looks up."""
    return word


class Tool:
    def __call__(self) -> None:
        """Does nothing."""


def test_a_tree_is_described_as_json():
    tree = SequentialAgent(
        name="root",
        description="All.",
        sub_agents=[
            LlmAgent(name="writer", tools=[partial(look_up), FunctionTool(look_up), exit_loop, Tool()]),
            LoopAgent(name="loop", max_iterations=3, sub_agents=[Actor(name="own")]),
            LoopAgent(name="endless"),
        ],
    )

    def node(cls: str, name: str, **more):
        return {"name": name, "type": cls, "kind": cls, "description": "", "tools": [], "children": [], **more}

    assert describe_tree(tree) == node(
        "SequentialAgent",
        "root",
        description="All.",
        children=[
            node("LlmAgent", "writer", tools=["look_up", "look_up", "exit_loop", "Tool"]),
            node("LoopAgent", "loop", max_iterations=3, children=[node("Actor", "own", kind="BaseAgent")]),
            node("LoopAgent", "endless", max_iterations=None),
        ],
    )


def test_a_pipelines_own_agent_class_is_of_the_kind_it_is_built_on():
    class Poller(LoopAgent):
        __module__ = "agents.pipelines.status_poller.agent"

    assert (describe_tree(Poller(name="p"))["type"], describe_tree(Poller(name="p"))["kind"]) == ("Poller", "LoopAgent")
