"""The cursor: a moment in the middle of a log is what was stored when the run had come that far."""

from __future__ import annotations

import pytest

from agents.history import Timeline, at
from tests.agents.forks.test_fork_pipelines import Stage

pytestmark = pytest.mark.anyio

PIPELINES = ["approval", "code_refinement", "research_fanout", "routed_fallback", "tool_loop"]


@pytest.mark.parametrize("name", PIPELINES)
async def test_state_at_an_event_is_what_was_stored_then(name):
    stage = Stage(name)
    snapshots = {}

    async def note(event):
        snapshots[event.seq] = (await stage.session()).state

    await stage.run(stage.card.samples[0], each=note)
    timeline = Timeline(await stage.log())
    assert snapshots
    for seq, state in snapshots.items():
        assert timeline.at(seq).values == state


async def test_a_value_names_the_event_and_the_author_that_set_it():
    stage = Stage("code_refinement")
    await stage.run(stage.card.samples[0])
    session = await stage.session()
    checked = next(event for event in session.events if event.author == "CodeChecker")
    found = at(await stage.log(), checked.seq).state["findings"]
    assert (found.seq, found.author, found.value) == (checked.seq, "CodeChecker", checked.actions.state_delta["findings"])
    before = at(await stage.log(), checked.seq - 1).state["findings"]
    assert before.author == "CodeRefinement"


async def test_running_agents_nest_and_a_loop_has_its_pass():
    stage = Stage("code_refinement")
    await stage.run(stage.card.samples[0])
    checks = [event for event in (await stage.session()).events if event.author == "CodeChecker"]
    timeline = Timeline(await stage.log())
    for number, event in enumerate(checks, start=1):
        running = timeline.at(event.seq).running
        assert [(agent.agent, agent.iteration) for agent in running] == [
            ("CodeRefinement", 0),
            ("RefinementLoop", number),
            ("CodeChecker", 0),
        ]
    last = (await stage.log())[-1].seq
    assert timeline.at(last).running == ()


async def test_a_model_call_is_known_while_it_goes_on_and_with_its_answer():
    stage = Stage("tool_loop")
    await stage.run(stage.card.samples[0])
    log = await stage.log()
    timeline = Timeline(log)
    started = next(entry.seq for entry in log if entry.kind == "model_started")
    finished = next(entry.seq for entry in log if entry.kind == "model_finished")
    answer = next(event.seq for event in (await stage.session()).events if event.author != "user" and event.text)
    call = timeline.at(started).call
    assert (call.started, call.finished, call.answer) == (started, None, None)
    assert timeline.at(finished).call.finished == finished
    assert timeline.at(answer).call.answer == answer
    assert timeline.at(started - 1).call is None


async def test_calls_and_tokens_add_up_to_those_of_the_run():
    stage = Stage("fact_check")
    await stage.run(stage.card.samples[0])
    log = await stage.log()
    end = log[-1].fields()
    moment = Timeline(log).at(log[-1].seq)
    assert (moment.calls, moment.tokens) == (end["calls"], (end["tokens"]["input"], end["tokens"]["output"]))
    assert Timeline(log).at(log[0].seq).calls == 0


async def test_the_playbook_is_the_one_that_was_read_or_changed_last():
    stage = Stage("ace")
    await stage.run(stage.card.samples[0])
    log = await stage.log()
    first, last = at(log, log[0].seq), at(log, log[-1].seq)
    assert first.playbook is None
    assert (last.playbook.name, last.playbook.revision) == ("ace", (await stage.session()).state["app:playbook"].revision)


async def test_shared_state_of_another_session_is_noted_when_a_run_begins():
    stage = Stage("tool_loop")
    await stage.run(stage.card.samples[0])
    other = await stage.service.create_session(**stage.names, session_id="other", state={"app:colour": "blue"})
    assert other.state["app:colour"] == "blue"
    await stage.run(stage.card.samples[0])
    log = await stage.log()
    starts = [entry.seq for entry in log if entry.kind == "run_started"]
    timeline = Timeline(log)
    assert "app:colour" not in timeline.at(starts[1] - 1).state
    assert timeline.at(starts[1]).state["app:colour"].value == "blue"


async def test_before_the_log_there_is_no_moment():
    stage = Stage("tool_loop")
    await stage.run(stage.card.samples[0])
    with pytest.raises(ValueError, match="its first one is"):
        at(await stage.log(), 0)
    with pytest.raises(ValueError, match="it is empty"):
        Timeline([]).at(1)
