"""The description of an agent tree."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import pytest

from agents import AgentTool, ChosenModel, FunctionTool, LlmAgent, LoopAgent, RoutedLlm, SequentialAgent, exit_loop
from agents.pipeline import asks_run_model, describe_tree, truth_key
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


class Pupil(Actor):
    truth_key: ClassVar[object] = "expected"


def test_a_tree_says_under_which_key_it_takes_the_right_answer():
    loop = LoopAgent(name="loop", sub_agents=[Pupil(name="own")])
    pupil = SequentialAgent(name="root", sub_agents=[Actor(name="other"), loop])
    assert truth_key(pupil) == "expected"
    assert describe_tree(pupil)["children"][1]["children"][0]["truth_key"] == "expected"
    assert truth_key(SequentialAgent(name="root", sub_agents=[Actor(name="other")])) is None


@pytest.mark.parametrize("key", ["", None, 5, ["a"]])
def test_what_is_no_key_is_none(key, monkeypatch):
    monkeypatch.setattr(Pupil, "truth_key", key)
    assert truth_key(Pupil(name="own")) is None


def test_a_pipelines_own_agent_class_is_of_the_kind_it_is_built_on():
    class Poller(LoopAgent):
        __module__ = "agents.pipelines.status_poller.agent"

    assert (describe_tree(Poller(name="p"))["type"], describe_tree(Poller(name="p"))["kind"]) == ("Poller", "LoopAgent")


class Own(LlmAgent):
    pass


@pytest.mark.parametrize(
    ("root", "chosen", "expected"),
    [
        (LlmAgent(name="A"), {}, True),
        (LlmAgent(name="A", model="gemini-3"), {}, False),
        (LlmAgent(name="A"), {"A": "gemini-3"}, False),
        (LlmAgent(name="A", model="gemini-3", sub_agents=[LlmAgent(name="B")]), {}, False),
        (SequentialAgent(name="S", sub_agents=[LlmAgent(name="A", model="gemini-3"), LlmAgent(name="B")]), {}, True),
        (SequentialAgent(name="S", sub_agents=[LlmAgent(name="A", model="gemini-3")]), {}, False),
        (LlmAgent(name="A", model="gemini-3", tools=[AgentTool(LlmAgent(name="B"))]), {}, True),
        (LlmAgent(name="A", model="gemini-3", tools=[AgentTool(LlmAgent(name="B", model="gemini-3"))]), {}, False),
        (LlmAgent(name="A", model=RoutedLlm(models={"chosen": ChosenModel()}, router=lambda: "chosen")), {}, True),
        (Own(name="A", model="gemini-3"), {}, True),
    ],
)
def test_whether_the_model_of_the_run_may_be_asked(root, chosen, expected):
    assert asks_run_model(root, chosen) is expected
