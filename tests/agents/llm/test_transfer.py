"""Transfer between agents: whom a model may hand over to, what then runs, and who has the next word."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import types

from agents import (
    BaseLlm,
    InMemorySessionService,
    LlmAgent,
    LlmResponse,
    LongRunningFunctionTool,
    LoopAgent,
    ParallelAgent,
    RunConfig,
    SequentialAgent,
    ToolContext,
    transfer_to_agent,
)
from agents.errors import RoutingError
from agents.llm.llm_agent import MOST_HAND_OVERS
from agents.models.scripted import ScriptedLlm, call
from tests.agents.pausing_stage import answer_to, send, status, waiting
from tests.agents.stage import Actor, instruction_in, play

pytestmark = pytest.mark.anyio


def to(name: str) -> list[types.FunctionCall]:
    return [call("transfer_to_agent", agent_name=name)]


def agent(name: str, *script: Any, **more: Any) -> LlmAgent:
    return LlmAgent(name=name, model=ScriptedLlm(script=script), **more)


# -- whom


def family() -> dict[str, LlmAgent]:
    """root → a (→ a1, a2), b."""
    a = LlmAgent(name="a", sub_agents=[LlmAgent(name="a1"), LlmAgent(name="a2")])
    root = LlmAgent(name="root", sub_agents=[a, LlmAgent(name="b")])
    return {
        found.name: found for name in ("root", "a", "a1", "a2", "b") if isinstance(found := root.find_agent(name), LlmAgent)
    }


@pytest.mark.parametrize(
    ("name", "flags", "names"),
    [
        ("root", {}, ["a", "b"]),
        ("a", {}, ["a1", "a2", "root", "b"]),
        ("a", {"disallow_transfer_to_parent": True}, ["a1", "a2", "b"]),
        ("a", {"disallow_transfer_to_peers": True}, ["a1", "a2", "root"]),
        ("a", {"disallow_transfer_to_parent": True, "disallow_transfer_to_peers": True}, ["a1", "a2"]),
        ("a1", {}, ["a", "a2"]),
        ("a1", {"disallow_transfer_to_parent": True, "disallow_transfer_to_peers": True}, []),
    ],
)
def test_targets_are_sub_agents_the_parent_and_its_others(name, flags, names):
    one = family()[name]
    for flag, value in flags.items():
        setattr(one, flag, value)
    assert [target.name for target in one.transfer_targets] == names


@pytest.mark.parametrize("parent", [SequentialAgent, LoopAgent, ParallelAgent])
def test_below_a_workflow_there_are_only_sub_agents(parent):
    one = LlmAgent(name="one", sub_agents=[Actor(name="below")])
    parent(name="parent", sub_agents=[one, LlmAgent(name="other")])
    assert [target.name for target in one.transfer_targets] == ["below"]


async def test_the_model_is_offered_the_targets_by_name_and_told_what_they_are_for():
    root = agent(
        "root", "hello", instruction="Greet.", sub_agents=[LlmAgent(name="a", description="Does sums."), Actor(name="b")]
    )
    await play(root)
    [request] = root.model.requests
    [tool] = request.config.tools
    [declaration] = tool.function_declarations
    assert declaration.name == "transfer_to_agent"
    assert declaration.parameters_json_schema["properties"]["agent_name"]["enum"] == ["a", "b"]
    assert declaration.parameters_json_schema["required"] == ["agent_name"]
    assert instruction_in(request).startswith("Greet.\n\nOther agents can take over")
    assert "- a: Does sums.\n- b: no description\n" in request.system_instruction


async def test_without_targets_nothing_is_added():
    alone = agent("alone", "hello", instruction="Greet.")
    await play(alone)
    assert (alone.model.requests[0].config.tools, instruction_in(alone.model.requests[0])) == (None, "Greet.")


# -- what then runs


async def test_the_target_answers_in_place_of_the_agent():
    helper = agent("helper", "I am the helper")
    root = agent("root", to("helper"), sub_agents=[helper], output_key="said")
    done = await play(root)
    assert done.texts == [("helper", "I am the helper")]
    [response] = done.events[1].get_function_responses()
    assert (response.name, response.response) == ("transfer_to_agent", {"result": None})
    assert done.events[1].actions.transfer_to_agent == "helper"
    assert "said" not in done.state
    assert done.records("transfer") == [{"kind": "transfer", "agent": "root", "to": "helper"}]
    assert [(r["agent"], r.get("outcome")) for r in done.records("agent_started", "agent_finished")] == [
        ("root", None),
        ("helper", None),
        ("helper", "ok"),
        ("root", "ok"),
    ]


async def test_it_goes_to_the_parent_and_to_a_peer():
    b = agent("b", to("root"))
    a = agent("a", to("b"))
    root = agent("root", to("a"), "root again", sub_agents=[a, b])
    done = await play(root)
    assert [record["to"] for record in done.records("transfer")] == ["a", "b", "root"]
    assert done.texts == [("root", "root again")]


async def test_an_agent_that_is_no_llm_agent_may_take_over():
    loop = LoopAgent(name="loop", max_iterations=2, sub_agents=[Actor(name="worker", lines=["work"])])
    done = await play(agent("root", to("loop"), sub_agents=[loop]))
    assert done.texts == [("worker", "work"), ("worker", "work")]


async def test_in_a_sequence_the_target_has_the_agents_place():
    one = agent("one", to("below"), sub_agents=[Actor(name="below", lines=["below"])])
    done = await play(SequentialAgent(name="all", sub_agents=[one, Actor(name="two", lines=["two"])]))
    assert done.texts == [("below", "below"), ("two", "two")]


async def test_an_unknown_name_is_answered_with_those_there_are():
    root = agent("root", to("nobody"), to("helper"), sub_agents=[Actor(name="helper", lines=["yes"]), Actor(name="other")])
    done = await play(root)
    [response] = done.events[1].get_function_responses()
    assert response.response["error"].startswith(
        "There is no agent 'nobody' to hand over to. The agents are: helper, other."
    )
    assert done.texts == [("helper", "yes")]


async def test_an_agent_of_the_tree_that_is_no_target_is_unknown_too():
    deep = LlmAgent(name="middle", sub_agents=[Actor(name="deep")])
    root = agent("root", to("deep"), "then I will", sub_agents=[deep])
    done = await play(root)
    assert "The agents are: middle." in done.events[1].get_function_responses()[0].response["error"]
    assert done.texts == [("root", "then I will")]


async def test_the_plain_function_among_the_tools_is_the_same_tool():
    root = agent(
        "root", to("nobody"), to("helper"), tools=[transfer_to_agent], sub_agents=[Actor(name="helper", lines=["yes"])]
    )
    done = await play(root)
    assert "The agents are: helper." in done.events[1].get_function_responses()[0].response["error"]
    assert len(root.model.requests[0].config.tools[0].function_declarations) == 1
    assert done.texts == [("helper", "yes")]


async def test_a_tool_of_ones_own_may_hand_over_within_the_tree():
    def escalate_case(tool_context: ToolContext) -> str:
        """Gets somebody who can help."""
        tool_context.actions.transfer_to_agent = "deep"
        return "done"

    middle = LlmAgent(name="middle", sub_agents=[Actor(name="deep", lines=["deep"])])
    done = await play(agent("root", [call("escalate_case")], tools=[escalate_case], sub_agents=[middle]))
    assert done.texts == [("deep", "deep")]


async def test_a_tool_that_hands_over_to_nobody_is_its_authors_to_mend():
    def lose(tool_context: ToolContext) -> None:
        """Loses."""
        tool_context.actions.transfer_to_agent = "nobody"

    done = await play(agent("root", [call("lose")], tools=[lose], sub_agents=[Actor(name="helper")]))
    assert isinstance(done.error, RoutingError)
    assert "'root' was to hand over to 'nobody', and there is no agent of that name in its tree" in str(done.error)
    assert "helper" in str(done.error)


class Restless(BaseLlm):
    """Hands over, whoever it answers for."""

    model: str = "restless"

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:
        name = llm_request.tools_dict["transfer_to_agent"].agent_names[0]
        said = types.Part(function_call=to(name)[0])
        yield LlmResponse(content=types.Content(role="model", parts=[said]), stop_reason="tool_use")


async def test_handing_over_without_end_ends_readably():
    done = await play(
        LlmAgent(name="a", model=Restless(), sub_agents=[LlmAgent(name="b")]), config=RunConfig(max_llm_calls=0)
    )
    assert isinstance(done.error, RoutingError)
    assert str(done.error).startswith(f"{MOST_HAND_OVERS} agents in a row handed over instead of answering")
    assert len(done.records("transfer")) == MOST_HAND_OVERS


async def test_agents_that_hand_over_in_every_pass_of_a_loop_are_not_in_a_row():
    one = LlmAgent(name="one", model=Restless(), sub_agents=[Actor(name="below", lines=["x"])])
    done = await play(LoopAgent(name="loop", max_iterations=MOST_HAND_OVERS + 5, sub_agents=[one]))
    assert (done.error, len(done.texts)) == (None, MOST_HAND_OVERS + 5)


async def test_a_target_that_pauses_is_gone_on_with():
    def ask() -> None:
        """Asks."""

    helper = agent("helper", [call("ask")], "thanks", tools=[LongRunningFunctionTool(ask)])
    one = agent("one", to("helper"), sub_agents=[helper])
    tree = SequentialAgent(name="all", sub_agents=[one, Actor(name="end", lines=["end"])])
    service = InMemorySessionService()
    paused = await send(tree, "go", service=service)
    assert status(paused) == "paused"
    done = await send(tree, answer_to(*waiting(paused), result=1), service=service)
    assert done.texts == [("helper", "thanks"), ("end", "end")]
    assert len(done.records("transfer")) == 1


# -- who has the next word


async def next_speaker(root: LlmAgent) -> str:
    """Who answers the second message."""
    service = InMemorySessionService()
    await send(root, "one", service=service)
    second = await send(root, "two", service=service)
    assert second.error is None
    return second.events[-1].author


async def test_who_took_over_keeps_the_conversation():
    a1 = agent("a1", "first", "second")
    root = agent("root", to("a"), sub_agents=[agent("a", to("a1"), sub_agents=[a1])])
    assert await next_speaker(root) == "a1"


@pytest.mark.parametrize(("stuck", "next_one"), [("a", "root"), ("a1", "a")])
async def test_who_could_not_hand_it_back_does_not_keep_it(stuck, next_one):
    a1 = agent("a1", "first", disallow_transfer_to_parent=stuck == "a1")
    a = agent("a", to("a1"), "a again", sub_agents=[a1], disallow_transfer_to_parent=stuck == "a")
    assert await next_speaker(agent("root", to("a"), "root again", sub_agents=[a])) == next_one


async def test_an_agent_below_a_workflow_does_not_keep_it():
    worker = agent("worker", "first")
    root = agent("root", to("flow"), "root again", sub_agents=[SequentialAgent(name="flow", sub_agents=[worker])])
    assert await next_speaker(root) == "root"


async def test_a_root_that_is_no_llm_agent_begins_each_time():
    inner = agent("inner", to("below"), "inner again", sub_agents=[agent("below", "first")])
    service, root = InMemorySessionService(), SequentialAgent(name="root", sub_agents=[inner])
    await send(root, "one", service=service)
    assert (await send(root, "two", service=service)).texts == [("inner", "inner again")]


async def test_the_root_keeps_it_once_it_was_handed_back():
    a = agent("a", to("root"))
    assert await next_speaker(agent("root", to("a"), "I have it", "and keep it", sub_agents=[a])) == "root"


async def test_whoever_was_handed_over_to_has_the_next_word_also_if_it_failed_before_its_first():
    a = agent("a", ValueError("no"), "now I can")
    service, root = InMemorySessionService(), agent("root", to("a"), sub_agents=[a])
    assert (await send(root, "one", service=service)).error is not None
    assert (await send(root, "two", service=service)).texts == [("a", "now I can")]
