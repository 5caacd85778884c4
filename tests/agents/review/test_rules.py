"""Rules on small teams: what is found and where, what settles it, and what looks alike and is right."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from agents import (
    AgentTool,
    BaseAgent,
    FunctionTool,
    LlmAgent,
    LoopAgent,
    RoutedAgent,
    SequentialAgent,
    exit_loop,
    google_search,
)
from agents.flows.failover import RouteDecision
from agents.review import Fix, review


class Answer(BaseModel):
    text: str


def agent(name: str = "writer", **more: Any) -> LlmAgent:
    return LlmAgent(name=name, **{"instruction": f"You are {name}.", "description": f"Does what {name} does.", **more})


def found(root: BaseAgent, **more: Any) -> list[tuple[str, str]]:
    return [(finding.rule.id, finding.agent) for finding in review(root, **more)]


def fixes(root: BaseAgent) -> list[Fix]:
    return [finding.fix for finding in review(root) if finding.fix is not None]


def look() -> str:
    """Looks."""
    return "seen"


def 調べる() -> str:  # noqa: N802, PLC2401  the name is what is found
    """Looks."""
    return "seen"


RAISING = FunctionTool(look, raise_on_error=True)


def by_text(agents, context):
    def other():
        return "nobody"

    if context:
        return RouteDecision("bills", "Because.")
    return "orders" if agents else other()


def by_slip(agents, context):
    return "bils"


def with_fallback(agents, context, error_context=None):
    return next(iter(agents))


def routed(router: Any, **agents: BaseAgent) -> RoutedAgent:
    return RoutedAgent(name="router", agents=agents or {"bills": agent("one"), "orders": agent("two")}, router=router)


def steps() -> SequentialAgent:
    return SequentialAgent(name="steps", sub_agents=[agent("first"), agent("second")])


def parent_of(child: LlmAgent) -> LlmAgent:
    return agent("parent", sub_agents=[child])


SHARED = agent("shared")
LOOP = {"name": "loop", "max_iterations": 3}
WRONG: list[tuple[BaseAgent, str, str]] = [
    (routed(by_slip), "unknown-route", "router"),
    (routed(with_fallback, first=steps(), other=agent("three")), "fallback-too-late", "router"),
    (parent_of(agent("child", instruction="Transfer to parent. Delegate the rest!")), "transfer-bounces", "child"),
    (
        SequentialAgent(name="s", sub_agents=[LoopAgent(name="loop", sub_agents=[agent()]), agent("last")]),
        "never-reached",
        "last",
    ),
    (LoopAgent(**LOOP, sub_agents=[agent(tools=[RAISING, exit_loop])]), "raising-tool-in-loop", "writer"),
    (agent("parent", sub_agents=[SHARED], tools=[AgentTool(SHARED)]), "two-places", "shared"),
    (agent(output_key="my text"), "unshowable-key", "writer"),
    (agent(tools=[調べる]), "tool-name", "writer"),
    (agent("parent", output_schema=Answer, sub_agents=[agent("child")]), "schema-beside-tools", "parent"),
    (agent(output_schema=Answer, tools=[look], output_retries=0), "schema-beside-tools", "writer"),
    (agent(model="gpt-nine"), "unknown-model", "writer"),
    (agent(model="gemini-flash-latest"), "model-not-connected", "writer"),
    (agent(tools=[google_search, look], model="gemini-flash-latest"), "built-in-beside-functions", "writer"),
    (
        SequentialAgent(
            name="s",
            sub_agents=[agent(name, instruction="Write a short story about a lamp and its keeper.") for name in "ab"],
        ),
        "same-instruction",
        "b",
    ),
]


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("root", "rule", "place"), WRONG)
def test_what_is_wrong_is_found_at_its_place(root, rule, place):
    assert (rule, place) in found(root)


RIGHT: list[BaseAgent] = [
    routed(by_text),
    routed(lambda agents, context: "anybody"),
    routed(with_fallback, first=agent("one"), other=steps()),
    routed(by_text, bills=steps(), orders=agent("three")),
    parent_of(agent("child", instruction="Answer about bills. Transfer anything else to parent.")),
    parent_of(agent("child", instruction="Transfer to parent.", tools=[look])),
    SequentialAgent(name="s", sub_agents=[LoopAgent(**LOOP, sub_agents=[agent(tools=[exit_loop])]), agent("last")]),
    LoopAgent(**LOOP, sub_agents=[agent(tools=[RAISING, exit_loop], on_tool_error_callback=lambda **_: {})]),
    agent(tools=[RAISING]),
    SequentialAgent(name="s", sub_agents=[agent("a", tools=[AgentTool(agent("helper"))], output_key="app:x")]),
    agent(output_schema=Answer, tools=[look]),
    agent(model="ollama/llama3"),
    agent(tools=[google_search, look], model="ollama/gemini-live-2"),
]


@pytest.mark.parametrize("root", RIGHT)
def test_what_looks_alike_and_is_right_is_no_finding(root):
    assert found(root) == []


def test_one_agent_that_two_call_as_a_tool_is_one_agent():
    helper = agent("helper")
    callers = [agent(name, tools=[AgentTool(helper)]) for name in ("one", "two")]
    assert found(SequentialAgent(name="s", sub_agents=callers)) == []


def test_several_models_may_be_compared_by_one_instruction():
    told = "Write a short story about a lighthouse and its keeper."
    both = [agent(f"by_{number}", instruction=told, model=f"ollama/{number}") for number in range(2)]
    assert found(SequentialAgent(name="s", sub_agents=both)) == []


FIXED: list[tuple[BaseAgent, Fix]] = [
    (LoopAgent(name="loop", sub_agents=[agent()]), Fix("Set max_iterations to 5", "loop", "max_iterations", 5)),
    (
        SequentialAgent(
            name="s", sub_agents=[agent("a", output_key="draft"), agent("b", instruction="Mend {draf} and {draf}.")]
        ),
        Fix("Write {draft}", "b", "instruction", "Mend {draft} and {draft}."),
    ),
    (
        LoopAgent(
            **LOOP,
            sub_agents=[agent("a", instruction="Mend by {said}.", tools=[exit_loop]), agent("b", output_key="said")],
        ),
        Fix("Write {said?}", "a", "instruction", "Mend by {said?}."),
    ),
    (
        SequentialAgent(
            name="s", sub_agents=[agent("a", output_key="darft"), agent("b", instruction="Mend {draft?}."), agent("c")]
        ),
        Fix("Write to draft", "a", "output_key", "draft"),
    ),
    (
        SequentialAgent(name="s", sub_agents=[agent("a"), agent("b", include_contents="none")]),
        Fix("Remove include_contents", "b", "include_contents", None),
    ),
    (
        LoopAgent(
            **LOOP,
            sub_agents=[agent("a", instruction="Mend by {siad}.", tools=[exit_loop]), agent("b", output_key="said")],
        ),
        Fix("Write {said?}", "a", "instruction", "Mend by {said?}."),
    ),
    (agent(tools=[exit_loop]), Fix("Remove the tool exit_loop", "writer", "tools", "exit_loop")),
    (
        LoopAgent(**LOOP, sub_agents=[agent(instruction="Call exit_loop when it is good.")]),
        Fix("Add the tool exit_loop", "writer", "tools", "exit_loop"),
    ),
    (agent(model="gpt-nine"), Fix("Use the model that is chosen for the run", "writer", "model", None)),
]


@pytest.mark.parametrize(("root", "fix"), FIXED)
def test_what_is_mechanical_has_a_fix(root, fix):
    assert fix in fixes(root)
