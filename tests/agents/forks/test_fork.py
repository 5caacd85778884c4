"""Forks: each change, what a fork shares with its origin, and where a session cannot be cut."""

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
    RunConfig,
    Runner,
    SequentialAgent,
    SqliteSessionService,
)
from agents.ace.roles.instructions import JUDGED_SEQ_KEY, VERDICT_KEY
from agents.ace.store.playbook_store import PlaybookStore
from agents.errors import ForkError, SessionExistsError, SessionNotFoundError
from agents.forks import (
    AnswerChange,
    FaultChange,
    Forks,
    InstructionChange,
    MessageChange,
    ModelChange,
    PlaybookChange,
    StateChange,
    ToolResultChange,
)
from agents.forks.changes import changes_from_json
from agents.history import at
from agents.llm.compaction.config import EventsCompactionConfig
from agents.models.scripted import ScriptedLlm, call
from agents.runtime.fault import Fault
from agents.state import ENTRY_KEYS
from tests.agents.forks.test_fork_pipelines import Stage
from tests.agents.stage import APP, USER, user

pytestmark = pytest.mark.anyio

NAMES = {"app_name": APP, "user_id": USER}


class Echo(BaseLlm):
    """Answers with its name and its instruction; calls a tool first where it has one."""

    model: str = "echo"

    async def generate_content_async(self, llm_request, stream=False):
        told = llm_request.system_instruction.partition('".\n\n')[2]
        responses = [part.function_response for part in llm_request.contents[-1].parts if part.function_response]
        if llm_request.tools_dict and not responses:
            part = types.Part(function_call=types.FunctionCall(name="look", args={"where": told}))
        else:
            seen = f", {responses[0].response['result']}" if responses else ""
            part = types.Part(text=f"{self.model}: {told}{seen}")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


async def look(where: str) -> str:
    """Looks somewhere."""
    return f"saw {where}"


def chain() -> SequentialAgent:
    first = LlmAgent(name="first", instruction="one {topic?}", tools=[look], output_key="draft")
    second = LlmAgent(name="second", instruction="two {draft}", output_key="end", include_contents="none")
    return SequentialAgent(name="chain", sub_agents=[first, second])


@pytest.fixture(params=["memory", "sqlite"])
async def service(request, tmp_path):
    made = InMemorySessionService() if request.param == "memory" else SqliteSessionService(tmp_path / "a.db")
    yield made
    await made.close()


CONFIG = RunConfig(model=Echo())


async def ran(service: Any, agent: Any, *messages: str, state: dict[str, Any] | None = None) -> Any:
    await service.create_session(**NAMES, session_id="origin", state=state)
    runner = Runner(app_name=APP, agent=agent, session_service=service)
    for message in messages or ("go",):
        async for _ in runner.run_async(user_id=USER, session_id="origin", new_message=user(message), run_config=CONFIG):
            pass
    return await service.get_session(**NAMES, session_id="origin")


def event_of(session: Any, author: str, number: int = 0) -> Any:
    return [event for event in session.events if event.author == author][number]


def texts(session: Any) -> list[str]:
    return [event.text for event in session.events if event.text]


# Changes


async def test_another_instruction_counts_from_the_cut_on(service):
    agent = chain()
    origin = await ran(service, agent)
    fork = await Forks(service, agent, **NAMES).rerun(
        "origin",
        at=event_of(origin, "first", -1).seq,
        changes=[InstructionChange(agent="second", text="three {draft}")],
        run_config=CONFIG,
    )
    assert texts(origin) == ["go", "echo: one , saw one ", "echo: two echo: one , saw one "]
    assert texts(fork) == ["go", "echo: one , saw one ", "echo: three echo: one , saw one "]
    assert agent.find_agent("second").instruction == "two {draft}"


@pytest.mark.parametrize("change", [InstructionChange(agent="first", text="new"), ModelChange(model="other", agent="first")])
async def test_another_instruction_or_model_of_an_answer_makes_its_call_again(service, change):
    agent = chain()
    origin = await ran(service, agent)
    forks, answer = Forks(service, agent, **NAMES), event_of(origin, "first", -1)
    made = await forks.fork("origin", at=answer.seq, changes=[change])
    assert made.invocation_id is not None
    kept = [entry for entry in await service.read_log(**NAMES, session_id=made.session.id) if entry.kind == "event"]
    assert [entry.event().author for entry in kept] == [e.author for e in origin.events if e.seq < answer.seq]
    if change.kind == "instruction":
        fork = await forks.rerun("origin", at=answer.seq, changes=[change], run_config=CONFIG)
        assert texts(fork) == ["go", "echo: new, saw one ", "echo: two echo: new, saw one "]


async def test_the_call_of_an_answer_is_made_again_whatever_else_changes(service):
    agent = chain()
    origin = await ran(service, agent)
    answer = event_of(origin, "first", -1)
    changes = [InstructionChange(agent="second", text="three {draft}"), InstructionChange(agent="first", text="seen")]
    fork = await Forks(service, agent, **NAMES).rerun("origin", at=answer.seq, changes=changes, run_config=CONFIG)
    assert texts(fork) == ["go", "echo: seen, saw one ", "echo: three echo: seen, saw one "]


async def test_a_state_key_that_was_missing_is_set_at_the_error_and_the_run_goes_on(service):
    needs = LlmAgent(name="b", instruction="{topic}")
    agent = SequentialAgent(name="R", sub_agents=[LlmAgent(name="a", instruction="one"), needs])
    with pytest.raises(Exception, match="topic"):
        await ran(service, agent)
    origin = await service.get_session(**NAMES, session_id="origin")
    assert origin.events[-1].error_code
    fork = await Forks(service, agent, **NAMES).rerun(
        "origin", at=origin.events[-1].seq, changes=[StateChange(key="topic", value="tea")], run_config=CONFIG
    )
    assert texts(fork) == ["go", "echo: one", "echo: tea"]
    assert not [event for event in fork.events if event.error_code]


@pytest.mark.parametrize(
    ("author", "change"),
    [
        ("user", MessageChange(text="go")),
        ("first", InstructionChange(agent="second", text="two {draft}")),
        ("first", StateChange(key="draft", value="echo: one , saw one ")),
        ("first", AnswerChange(text="echo: one , saw one ")),
    ],
)
async def test_a_change_that_changes_nothing_is_refused(service, author, change):
    agent = chain()
    origin = await ran(service, agent)
    with pytest.raises(ForkError, match=r"Nothing would be different: .+ is as it was"):
        await Forks(service, agent, **NAMES).fork("origin", at=event_of(origin, author, -1).seq, changes=[change])
    assert len((await service.list_sessions(app_name=APP, user_id=USER)).sessions) == 1


async def test_another_state_value(service):
    agent = chain()
    origin = await ran(service, agent)
    fork = await Forks(service, agent, **NAMES).rerun(
        "origin", at=event_of(origin, "first", -1).seq, changes=[StateChange(key="draft", value="mine")], run_config=CONFIG
    )
    assert fork.state["end"] == "echo: two mine"
    assert (await service.get_session(**NAMES, session_id="origin")).state == origin.state


async def test_another_answer_sets_the_output_key_too(service):
    agent = chain()
    origin = await ran(service, agent)
    fork = await Forks(service, agent, **NAMES).rerun(
        "origin", at=event_of(origin, "first", -1).seq, changes=[AnswerChange(text="mine")], run_config=CONFIG
    )
    assert texts(fork) == ["go", "mine", "echo: two mine"]
    assert fork.state["draft"] == "mine"


async def test_an_answer_that_calls_a_tool_instead(service):
    agent = chain()
    origin = await ran(service, agent)
    fork = await Forks(service, agent, **NAMES).rerun(
        "origin",
        at=event_of(origin, "first").seq,
        changes=[AnswerChange(calls=(("look", {"where": "elsewhere"}),))],
        run_config=CONFIG,
    )
    assert texts(fork)[1] == "echo: one , saw elsewhere"


async def test_another_tool_result(service):
    agent = chain()
    origin = await ran(service, agent)
    found = event_of(origin, "first", 1)
    change = ToolResultChange(call_id=found.get_function_responses()[0].id, response={"result": "saw nothing"})
    fork = await Forks(service, agent, **NAMES).rerun("origin", at=found.seq, changes=[change], run_config=CONFIG)
    assert texts(fork)[1] == "echo: one , saw nothing"


async def test_a_tool_result_that_is_not_another_one_is_refused(service):
    agent = chain()
    found = event_of(await ran(service, agent), "first", 1)
    [response] = found.get_function_responses()
    same = ToolResultChange(call_id=response.id, response=dict(response.response))
    with pytest.raises(ForkError, match=r"Nothing would be different: .+ is as it was"):
        await Forks(service, agent, **NAMES).fork("origin", at=found.seq, changes=[same])


async def test_another_model_for_one_agent_or_for_all(service):
    agent = chain()
    origin = await ran(service, agent)
    forks, start = Forks(service, agent, **NAMES), origin.events[0].seq
    one = await forks.rerun(
        "origin", at=start, run_config=CONFIG.model_copy(update={"agent_models": {"second": Echo(model="other")}})
    )
    assert texts(one)[-1].startswith("other: two echo: one")
    missing = [ModelChange(model="no-such-model", agent="second")]
    with pytest.raises(Exception, match="no-such-model"):
        await forks.rerun("origin", at=start, changes=missing, run_config=CONFIG)


async def test_another_message_begins_the_run_anew(service):
    agent = chain()
    origin = await ran(service, agent, "go", "again")
    message = event_of(origin, "user", 1)
    fork = await Forks(service, agent, **NAMES).rerun(
        "origin", at=message.seq, changes=[MessageChange(text="differently")], run_config=CONFIG
    )
    assert [event.text for event in fork.events if event.author == "user"] == ["go", "differently"]
    assert fork.events[-1].invocation_id != origin.events[-1].invocation_id
    assert len(fork.events) == len(origin.events)


async def test_faults_are_injected_after_the_cut(service):
    agent = chain()
    origin = await ran(service, agent)
    change = FaultChange(faults=(Fault(kind="refuse", target="second"),))
    forks = Forks(service, agent, **NAMES)
    fork = await forks.rerun("origin", at=event_of(origin, "first", -1).seq, changes=[change], run_config=CONFIG)
    assert fork.events[-1].stop_reason == "safety"


async def test_another_playbook_is_a_copy_without_the_bullet():
    stage = Stage("ace")
    await stage.run(stage.card.samples[0])
    await stage.run(stage.card.samples[0])
    origin = await stage.session()
    [bullet] = origin.state["app:playbook"].bullets
    again = [event for event in origin.events if event.author == "user"][1]
    fork = await stage.forks.rerun(
        "origin", at=again.seq, changes=[PlaybookChange(without=(bullet.id,))], run_config=stage.config
    )
    answers = [event.actions.state_delta["generator_output"] for event in fork.events if event.author == "Generator"]
    assert [answer["bullet_ids"] for answer in answers] == [[], []]
    there = [event.actions.state_delta["generator_output"] for event in origin.events if event.author == "Generator"]
    assert there[1]["bullet_ids"] == [bullet.id]
    assert (await stage.session()).state["app:playbook"].bullets[0].id == bullet.id
    assert fork.state["app:playbook"].name.startswith("ace, fork ")


async def test_a_playbook_that_is_off_is_empty_and_learns_nothing():
    stage = Stage("ace")
    await stage.run(stage.card.samples[0])
    origin = await stage.session()
    assert origin.state["app:playbook"].bullets
    fork = await stage.forks.rerun(
        "origin", at=origin.events[0].seq, changes=[PlaybookChange(off=True)], run_config=stage.config
    )
    assert fork.state["app:playbook"].bullets == ()
    assert fork.events[-1].error_code is None


async def test_the_record_of_a_fork_names_its_origin_and_its_changes(service):
    agent = chain()
    origin = await ran(service, agent)
    changes = [StateChange(key="draft", value={"a": [1]}), FaultChange()]
    made = await Forks(service, agent, **NAMES).fork("origin", at=origin.events[-1].seq, changes=changes, fork_id="f")
    log = await service.read_log(**NAMES, session_id="f")
    forked = next(entry for entry in log if entry.kind == "forked").fields()
    assert (forked["origin"], forked["seq"], forked["what"]) == (
        "origin",
        origin.events[-1].seq,
        'state draft = {"a": [1]}; no faults',
    )
    assert changes_from_json(forked["changes"]) == changes == list(made.changes)
    [summary] = [found for found in await service.summaries(app_name=APP) if found.id == "f"]
    assert (summary.origin, summary.title, summary.status) == ("origin", "go", "paused")


# What a fork shares with its origin


async def test_shared_state_of_a_fork_is_its_own(service):
    agent = chain()
    origin = await ran(service, agent, state={"app:colour": "red", "user:name": "Ana", "topic": "sea"})
    change = StateChange(key="app:colour", value="blue")
    fork = await Forks(service, agent, **NAMES).rerun(
        "origin", at=origin.events[-1].seq, changes=[change], run_config=CONFIG, fork_id="f"
    )
    assert (fork.state["app:colour"], fork.state["user:name"], fork.state["topic"]) == ("blue", "Ana", "sea")
    other = await service.create_session(**NAMES, session_id="other")
    assert other.state == {"app:colour": "red", "user:name": "Ana"}
    later = await Forks(service, agent, **NAMES).rerun("f", at=fork.events[-1].seq, run_config=CONFIG)
    assert later.state["app:colour"] == "blue"


async def test_a_fork_outlives_its_origin(service):
    agent = chain()
    origin = await ran(service, agent)
    fork = await Forks(service, agent, **NAMES).rerun("origin", at=origin.events[1].seq, run_config=CONFIG, fork_id="f")
    await service.delete_session(**NAMES, session_id="origin")
    assert (await service.get_session(**NAMES, session_id="f")).events == fork.events
    again = await Forks(service, agent, **NAMES).rerun("f", at=fork.events[1].seq, run_config=CONFIG)
    assert texts(again) == texts(fork)


async def test_a_conversation_goes_on_in_a_fork(service):
    agent = chain()
    origin = await ran(service, agent)
    fork = await Forks(service, agent, **NAMES).rerun("origin", at=origin.events[1].seq, run_config=CONFIG)
    runner = Runner(app_name=APP, agent=agent, session_service=service)
    async for _ in runner.run_async(user_id=USER, session_id=fork.id, new_message=user("more"), run_config=CONFIG):
        pass
    session = await service.get_session(**NAMES, session_id=fork.id)
    assert len(session.events) == 2 * len(origin.events)


async def test_a_rerun_refers_to_the_entries_of_its_own_log(service):
    agent = chain()
    origin = await ran(service, agent)
    fork = await Forks(service, agent, **NAMES).rerun("origin", at=origin.events[-1].seq, run_config=CONFIG)
    own = {entry.seq for entry in await service.read_log(**NAMES, session_id=fork.id)}
    started = [
        entry.fields() for entry in await service.read_log(**NAMES, session_id=fork.id) if entry.kind == "model_started"
    ]
    assert started
    assert {fields["contents"]["until"] for fields in started} <= own


# Where a session is cut


async def test_a_failed_run_continues_from_before_its_failure(service):
    agent = chain()
    await service.create_session(**NAMES, session_id="origin")
    runner = Runner(app_name=APP, agent=agent, session_service=service)
    config = CONFIG.model_copy(update={"faults": (Fault(kind="fail_before", target="second"),)})
    with pytest.raises(Exception, match="second"):
        async for _ in runner.run_async(user_id=USER, session_id="origin", new_message=user("go"), run_config=config):
            pass
    origin = await service.get_session(**NAMES, session_id="origin")
    fork = await Forks(service, agent, **NAMES).rerun("origin", at=event_of(origin, "first", -1).seq, run_config=CONFIG)
    assert texts(fork)[-1].startswith("echo: two")
    assert not [event for event in fork.events if event.error_code]


async def test_a_paused_run_is_still_paused_in_a_fork_of_its_end(service):
    model = ScriptedLlm(script=[[call("ask", question="who?")], "done"])

    def ask(question: str) -> None:
        """Asks."""

    agent = LlmAgent(name="asker", model=model, tools=[LongRunningFunctionTool(ask)])
    await ran(service, agent)
    last = (await service.read_log(**NAMES, session_id="origin"))[-1].seq
    made = await Forks(service, agent, **NAMES).fork("origin", at=last)
    [summary] = [found for found in await service.summaries(app_name=APP) if found.id == made.session.id]
    assert (made.invocation_id, summary.status) == (None, "paused")
    session = await service.get_session(**NAMES, session_id=made.session.id)
    [asked] = session.events[-1].get_function_calls()
    answer = types.FunctionResponse(id=asked.id, name="ask", response={"result": "me"})
    runner = Runner(app_name=APP, agent=agent, session_service=service)
    message = types.Content(role="user", parts=[types.Part(function_response=answer)])
    events = [event async for event in runner.run_async(user_id=USER, session_id=session.id, new_message=message)]
    assert events[-1].text == "done"


async def test_before_the_first_message_a_fork_is_a_session_without_runs(service):
    agent = chain()
    await ran(service, agent, state={"topic": "sea", "app:a": 1})
    first = (await service.read_log(**NAMES, session_id="origin"))[0].seq
    fork = await Forks(service, agent, **NAMES).rerun("origin", at=first, run_config=CONFIG)
    assert (fork.events, fork.state) == ([], {"topic": "sea", "app:a": 1})


async def test_a_loop_goes_on_in_the_pass_that_it_was_in(service):
    agent = LoopAgent(name="loop", max_iterations=3, sub_agents=[LlmAgent(name="writer", instruction="w")])
    origin = await ran(service, agent)
    fork = await Forks(service, agent, **NAMES).rerun(
        "origin", at=event_of(origin, "writer", 1).seq, changes=[AnswerChange(text="mine")], run_config=CONFIG
    )
    assert texts(fork) == ["go", "echo: w", "mine", "echo: w"], texts(fork)
    passes = [
        entry.fields()["iteration"]
        for entry in await service.read_log(**NAMES, session_id=fork.id)
        if entry.kind == "loop_iteration"
    ]
    assert passes == [1, 2, 3]


@pytest.mark.parametrize(
    ("author", "number", "change", "told"),
    [
        ("user", 0, AnswerChange(text="x"), "is not an answer of a model"),
        ("second", 0, MessageChange(text="x"), "is not a message of the user"),
        ("second", 0, ToolResultChange(call_id="none", response={}), "is not the result of that tool call"),
        ("second", 0, InstructionChange(agent="third", text="x"), "no agent 'third'"),
        ("second", 0, ModelChange(agent="chain", model="m"), "no agent 'chain' with a model"),
        ("second", 0, StateChange(key="app:playbook", value={}), "is a playbook, not a value"),
        ("second", 0, PlaybookChange(revision=1), "has no playbook"),
    ],
)
async def test_a_change_that_does_not_fit_is_refused_and_leaves_nothing(service, author, number, change, told):
    agent = chain()
    origin = await ran(service, agent)
    with pytest.raises(ForkError, match=told):
        await Forks(service, agent, **NAMES).fork("origin", at=event_of(origin, author, number).seq, changes=[change])
    assert len(await service.summaries(app_name=APP)) == 1


async def test_an_agent_that_the_pipeline_no_longer_has_is_named(service):
    origin = await ran(service, chain())
    changed = SequentialAgent(name="chain", sub_agents=[LlmAgent(name="other")])
    with pytest.raises(ForkError, match=r"Agent 'first' was running there.* It has chain, other\."):
        await Forks(service, changed, **NAMES).fork("origin", at=event_of(origin, "first").seq)
    assert len(await service.summaries(app_name=APP)) == 1


async def test_two_replacements_an_unknown_entry_and_an_unknown_session_are_refused(service):
    agent = chain()
    origin = await ran(service, agent)
    forks, last = Forks(service, agent, **NAMES), origin.events[-1].seq
    with pytest.raises(ForkError, match="Only one event"):
        await forks.fork("origin", at=last, changes=[AnswerChange(text="a"), AnswerChange(text="b")])
    with pytest.raises(ForkError, match="no entry 999"):
        await forks.fork("origin", at=999)
    with pytest.raises(SessionNotFoundError):
        await forks.fork("nowhere", at=1)
    await forks.fork("origin", at=last, fork_id="f")
    with pytest.raises(SessionExistsError):
        await forks.fork("origin", at=last, fork_id="f")


async def test_a_session_with_a_playbook_needs_the_playbooks():
    stage = Stage("ace")
    await stage.run(stage.card.samples[0])
    forks = Forks(stage.service, stage.pipeline.root_agent, **stage.names)
    with pytest.raises(ValueError, match="playbooks"):
        await forks.fork("origin", at=(await stage.log())[-1].seq)
    assert PlaybookStore(stage.service.tables, "ace").playbook().bullets


async def test_the_moment_of_a_fork_is_that_of_its_origin(service):
    agent = chain()
    origin = await ran(service, agent)
    made = await Forks(service, agent, **NAMES).fork("origin", at=origin.events[1].seq)
    there = at(await service.read_log(**NAMES, session_id="origin"), origin.events[1].seq)
    session = await service.get_session(**NAMES, session_id=made.session.id)
    here = at(await service.read_log(**NAMES, session_id=made.session.id), session.events[-1].seq)
    assert (here.values, here.calls) == (there.values, there.calls)
    assert [agent.agent for agent in here.running] == [agent.agent for agent in there.running]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (PlaybookChange(without=("a", "b")), "playbook without a, b"),
        (PlaybookChange(revision=3, without=("a",)), "playbook at revision 3 without a"),
        (PlaybookChange(revision=0), "playbook at revision 0"),
        (PlaybookChange(off=True), "playbook off"),
        (PlaybookChange(), "playbook"),
        (MessageChange(text="Why?"), "another message, “Why?”"),
        (MessageChange(text=f"one\n\n two {'x' * 100_000}"), f"another message, “one two {'x' * 31}…”"),
        (StateChange(key="tone", value="dry"), 'state tone = "dry"'),
        (StateChange(key="user:tone", value="private"), "state user:tone"),
        (StateChange(key="plan", value={"手順": [1, None]}), 'state plan = {"手順": [1, null]}'),
        (InstructionChange(agent="Critic", text="Be kind."), "instruction of Critic"),
        (ModelChange(model="gemini-x"), "model gemini-x"),
        (ModelChange(model="gemini-x", agent="Critic"), "model gemini-x for Critic"),
        (AnswerChange(text="42"), "another answer, “42”"),
        (AnswerChange(calls=(("look", {}),)), "another answer"),
        (ToolResultChange(call_id="c", response={"ok": True}), 'another tool result, {"ok": true}'),
        (FaultChange(), "no faults"),
    ],
)
def test_a_change_in_words(change, words):
    assert change.describe() == words


def test_the_state_of_ace_that_names_entries_is_renumbered():
    assert {JUDGED_SEQ_KEY, VERDICT_KEY} == ENTRY_KEYS


# Summaries


@pytest.mark.parametrize("at_summary", [True, False])
async def test_a_fork_after_a_summary_goes_on_with_it(service, at_summary):
    model = ScriptedLlm(script=["one", "SUMMARY", "two", "of the fork"])
    agent = LlmAgent(name="a", model=model)
    often = EventsCompactionConfig(compaction_interval=1, overlap_size=0)
    await service.create_session(**NAMES, session_id="origin")
    for message, config in (("first", often), ("second", None)):
        runner = Runner(app_name=APP, agent=agent, session_service=service, events_compaction_config=config)
        async for _ in runner.run_async(user_id=USER, session_id="origin", new_message=user(message)):
            pass
    origin = await service.get_session(**NAMES, session_id="origin")
    [summary] = [event for event in origin.events if event.actions.compaction is not None]
    forks = Forks(service, agent, **NAMES)
    made = await forks.fork("origin", at=summary.seq if at_summary else origin.events[-1].seq)
    runner = Runner(app_name=APP, agent=agent, session_service=service)
    async for _ in runner.run_async(user_id=USER, session_id=made.session.id, new_message=user("third")):
        pass
    sent = [content.parts[0].text for content in model.requests[-1].contents]
    assert sent == (["SUMMARY", "third"] if at_summary else ["SUMMARY", "second", "two", "third"])
