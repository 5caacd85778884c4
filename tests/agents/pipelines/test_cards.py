"""What holds for every pipeline that comes with the playground: its card is whole, and what the card promises can be run."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from agents import LlmAgent
from agents.agent import BaseAgent
from agents.pipeline import Control
from agents.pipelines.catalog import BUILT_IN
from agents.state import check_state_value
from tests.agents.pipelines.rehearsal import CATALOG, Rehearsal, rehearse_async

QUESTIONS = {"adk_request_confirmation", "adk_request_input"}


def agents_of(agent: BaseAgent) -> Iterator[BaseAgent]:
    """The agents of a tree, those that are used as tools too."""
    yield agent
    used = [tool.agent for tool in getattr(agent, "tools", []) if isinstance(getattr(tool, "agent", None), BaseAgent)]
    for child in (*agent.sub_agents, *used):
        yield from agents_of(child)


def fits(control: Control, value: Any) -> bool:
    if control.kind == "switch":
        return isinstance(value, bool)
    if control.kind == "choice":
        return value in control.choices
    if control.kind == "playbook":
        return value == ""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and (control.minimum is None or control.minimum <= value)
        and (control.maximum is None or value <= control.maximum)
    )


def said(run: Rehearsal) -> dict[str, list[str]]:
    """What each agent said and called, in order: parallel agents have an order each, but none together."""
    told: dict[str, list[str]] = defaultdict(list)
    for event in run.events:
        calls = [call for call in event.get_function_calls() if call.name not in QUESTIONS]  # they have ids
        told[event.author] += [event.text, *(f"{call.name} {call.args}" for call in calls)]
    return dict(told)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_card_says_all_there_is_to_say(name):
    card = CATALOG.get(name).card

    assert all((card.title, card.pattern, card.summary, card.ends_when))
    assert 3 <= len(card.samples) <= 4
    assert len(set(card.samples)) == len(card.samples)
    for heading in ("**What.**", "**When.**", "**When not.**", "**What to look for**", "**Try**"):
        assert heading in card.lesson
    assert 120 <= len(card.lesson.split()) <= 420, "two minutes to read"


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_first_state_is_json_and_leaves_the_message_its_key(name):
    card = CATALOG.get(name).card

    for key, value in card.first_state.items():
        check_state_value(key, value)
    assert card.message_key not in card.first_state


@pytest.mark.parametrize("name", BUILT_IN)
def test_controls_begin_with_a_value_that_they_can_have(name):
    card = CATALOG.get(name).card

    for control in card.controls:
        assert control.label
        assert control.help
        assert fits(control, control.default)
        assert card.first_state[control.key] == control.default
        assert (control.kind == "choice") == bool(control.choices)


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_highlight_marks_one_line(name):
    pipeline = CATALOG.get(name)

    assert 2 <= len(pipeline.card.highlights) <= 4
    for highlight in pipeline.card.highlights:
        lines = (pipeline.folder / highlight.file).read_text(encoding="utf-8").splitlines()
        assert sum(highlight.text in line for line in lines) == 1, highlight.text
        assert highlight.note


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_break_says_what_to_look_for_and_sets_what_can_be_set(name):
    card = CATALOG.get(name).card

    assert card.breaks
    for broken in card.breaks:
        assert broken.title
        assert broken.look_for
        assert broken.faults or broken.settings or broken.message
        assert set(broken.settings) <= {control.key for control in card.controls}


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_agent_with_a_model_has_a_simulation(name):
    pipeline = CATALOG.get(name)
    thinking = {agent.name for agent in agents_of(pipeline.root_agent) if isinstance(agent, LlmAgent)}

    assert thinking <= set(pipeline.card.simulation)
    assert all(agent.description for agent in agents_of(pipeline.root_agent))


@pytest.mark.anyio
@pytest.mark.parametrize("name", BUILT_IN)
async def test_each_sample_runs_to_a_good_end(name):
    for sample in CATALOG.get(name).card.samples:
        run = await rehearse_async(name, sample)

        (finished,) = run.of_kind("run_finished")
        assert finished["status"] in ("completed", "paused"), sample
        assert finished["calls"] > 0
        assert sum(bool(event.error_code) for event in run.events) == len(run.of_kind("node_retry"))


@pytest.mark.anyio
@pytest.mark.parametrize("name", BUILT_IN)
async def test_the_same_message_in_a_new_session_gives_the_same_run(name):
    sample = CATALOG.get(name).card.samples[0]

    one, other = await asyncio.gather(rehearse_async(name, sample), rehearse_async(name, sample))

    assert one.state == other.state
    assert said(one) == said(other)


@pytest.mark.anyio
@pytest.mark.parametrize("name", BUILT_IN)
async def test_each_break_gives_what_it_says(name):
    card = CATALOG.get(name).card
    for broken in card.breaks:
        message = broken.message or card.samples[0]
        faults = [fault.model_copy(update={"seconds": 0.0}) for fault in broken.faults]

        run = await rehearse_async(name, message, state=dict(broken.settings), faults=faults, may_fail=True)

        assert run.of_kind("run_finished")[0]["status"] in ("completed", "paused", "failed"), broken.title
        happened = {(record["fault"], record["target"]) for record in run.of_kind("fault_injected")}
        assert happened == {(fault.kind, fault.target) for fault in faults}, broken.title
        if broken.settings and not faults:
            assert said(run) != said(await rehearse_async(name, message, may_fail=True)), broken.title
