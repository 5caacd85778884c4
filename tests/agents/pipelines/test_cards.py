from __future__ import annotations

import asyncio

import pytest

from agents.agent import BaseAgent
from agents.pipeline import describe_tree
from agents.pipelines.catalog import BUILT_IN
from agents.state import check_state_value
from tests.agents.pipelines.rehearsal import CATALOG, rehearse_async

SAMPLES = [(name, sample) for name in BUILT_IN for sample in CATALOG.get(name).card.samples]


def agents_of(agent: BaseAgent):
    yield agent
    for child in agent.sub_agents:
        yield from agents_of(child)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_card_says_all_there_is_to_say(name):
    card = CATALOG.get(name).card

    assert all((card.title, card.pattern, card.summary, card.ends_when))
    assert 3 <= len(card.samples) <= 4
    assert len(set(card.samples)) == len(card.samples)
    for heading in ("**What.**", "**When.**", "**When not.**", "**What to look for**", "**Try**"):
        assert heading in card.lesson
    assert 200 <= len(card.lesson.split()) <= 500, "two minutes to read"


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_start_state_is_json_and_leaves_the_message_its_key(name):
    card = CATALOG.get(name).card

    for key, value in card.start_state.items():
        check_state_value(key, value)
    assert card.message_key is not None
    assert card.message_key not in card.start_state


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_agent_with_a_model_has_a_simulation_and_names_no_model(name):
    pipeline = CATALOG.get(name)
    thinking = [agent for agent in agents_of(pipeline.root_agent) if hasattr(agent, "instruction")]

    assert {agent.name for agent in thinking} == set(pipeline.card.simulation)
    assert all(not agent.model for agent in thinking)
    assert all(agent.description for agent in agents_of(pipeline.root_agent))
    assert describe_tree(pipeline.root_agent)["children"]


@pytest.mark.anyio
@pytest.mark.parametrize(("name", "sample"), SAMPLES)
async def test_a_sample_runs_to_a_good_end(name, sample):
    run = await rehearse_async(name, sample)

    (finished,) = run.of_kind("run_finished")
    assert finished["status"] == "completed"
    assert finished["calls"] > 0
    assert not any(event.error_code for event in run.events)


@pytest.mark.anyio
@pytest.mark.parametrize("name", BUILT_IN)
async def test_the_same_message_in_a_new_session_gives_the_same_run(name):
    sample = CATALOG.get(name).card.samples[0]

    one, other = await asyncio.gather(rehearse_async(name, sample), rehearse_async(name, sample))

    assert one.state == other.state
    assert [event.text for event in one.events] == [event.text for event in other.events]
