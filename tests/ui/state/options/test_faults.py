"""Faults as they are written and read, in words, and whom they can hit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import LlmAgent, LoopAgent, RoutedLlm, SequentialAgent
from agents.errors import FaultError
from agents.models.scripted import ScriptedLlm
from agents.pipelines.catalog import Catalog
from agents.runtime.fault import FAULT_KINDS, USUAL_DELAY, Fault
from ui.state.options import faults

FAULTS = st.builds(
    Fault,
    kind=st.sampled_from(sorted(FAULT_KINDS)),
    target=st.from_regex(r"[^:\s]{1,20}", fullmatch=True),
    call=st.integers(0, 99_999),
    seconds=st.integers(0, 9_999_000).map(lambda thousandths: thousandths / 1000),
)


@given(FAULTS)
def test_what_is_written_is_read_back(fault):
    slow = fault.kind == "delay"
    assert Fault.parse(str(fault)) == fault.model_copy(update={} if slow else {"seconds": USUAL_DELAY})


def test_a_delay_may_have_seconds_and_nothing_else_may():
    assert Fault.parse("Writer:delay:2:0.5") == Fault(kind="delay", target="Writer", call=2, seconds=0.5)
    for text in ("Writer:refuse:2:0.5", "Writer:delay:2:x", "Writer:delay:2:1e9", "Writer", "", ":refuse:1", "a b:refuse:1"):
        with pytest.raises(FaultError):
            Fault.parse(text)


def test_what_cannot_be_read_is_told_and_harms_nothing_else():
    found = faults.read_all(["A:refuse", "nonsense", "A:refuse:1", "B:delay:0"])
    assert [str(fault) for fault in found.readable] == ["A:refuse:1", "B:delay:0"]
    [problem] = found.problems
    assert "nonsense" in problem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Critic:refuse:2", "Critic refuses to answer, at its 2nd model call"),
        ("*:fail_before:0", "Every agent fails before its first word, at every model call"),
        ("A:delay:11:4", "A is slow to begin (4 s), at its 11th model call"),
        ("A:unknown_tool:3", "A calls a tool that does not exist, at its 3rd model call"),
        ("A:fail_after:121", "A fails after its first word, at its 121st model call"),
    ],
)
def test_a_fault_reads_as_a_sentence(text, words):
    assert faults.in_words(Fault.parse(text)) == words


def test_how_many():
    assert [faults.count(number) for number in (0, 1, 2)] == ["0 faults", "1 fault", "2 faults"]


def test_those_can_be_hit_who_ask_models():
    inner = {"big": ScriptedLlm(model="large-1"), "small": ScriptedLlm(model="small-1")}
    model = RoutedLlm(model="either", models=inner, router=lambda models, request: "big")
    tree = SequentialAgent(
        name="All",
        sub_agents=[
            LlmAgent(name="Writer"),
            LoopAgent(name="Round", sub_agents=[LlmAgent(name="Critic", model=model)]),
        ],
    )
    assert faults.targets(tree) == {
        "*": "Everybody",
        "Writer": "Writer",
        "Critic": "Critic",
        "either": "model either",
        "large-1": "model large-1",
        "small-1": "model small-1",
    }
    assert faults.choices_of_models(tree) == {"Critic": {"big": "large-1", "small": "small-1"}}


def test_an_agent_that_is_used_as_a_tool_can_be_hit():
    from agents.tools.agent_tool import AgentTool

    tree = LlmAgent(name="Writer", tools=[AgentTool(LlmAgent(name="Searcher", description="Finds."))])
    assert list(faults.targets(tree)) == ["*", "Writer", "Searcher"]


def test_whom_the_cards_break_can_be_hit_from_the_panel_too():
    catalog = Catalog()
    aimed = {
        (name, fault.target)
        for name in catalog.names()
        for broken in catalog.get(name).card.breaks
        for fault in broken.faults
    }
    assert aimed
    missing = {(name, target) for name, target in aimed if target not in faults.targets(catalog.get(name).root_agent)}
    assert missing == set()
