"""Events of long sessions are summed up when that is due, and models are sent the summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from google.genai import types

from agents import (
    Event,
    EventActions,
    InMemoryRunner,
    LlmAgent,
    LlmRequest,
    LlmResponse,
    LongRunningFunctionTool,
    RunConfig,
)
from agents.event import EventCompaction
from agents.llm.compaction.config import BaseEventsSummarizer, EventsCompactionConfig
from agents.llm.compaction.due import due_by_runs, due_by_tokens
from agents.llm.compaction.summarizer import LlmEventSummarizer
from agents.log import LogEntry
from agents.models.scripted import ScriptedLlm
from agents.models.simulated.model import SimulatedLlm
from agents.workflow.app import App
from tests.agents.stage import user

BY_RUNS = EventsCompactionConfig(compaction_interval=2, overlap_size=1)
BY_TOKENS = EventsCompactionConfig(token_threshold=100, event_retention_size=1)


def event(time: float, author: str, *parts: Any, run: str = "", tokens: int | None = None, **more: Any) -> Event:
    made = [types.Part(text=part) if isinstance(part, str) else part for part in parts]
    usage = types.GenerateContentResponseUsageMetadata(prompt_token_count=tokens) if tokens else None
    content = types.Content(role="user" if author == "user" else "model", parts=made)
    return Event(author=author, invocation_id=run, timestamp=time, content=content, usage_metadata=usage, **more)


def called(call_id: str, name: str = "search") -> types.Part:
    return types.Part(function_call=types.FunctionCall(id=call_id, name=name, args={}))


def answered(call_id: str) -> types.Part:
    return types.Part(function_response=types.FunctionResponse(id=call_id, name="search", response={"found": 1}))


def summary(start: float, end: float, text: str = "so far") -> Event:
    content = types.Content(role="model", parts=[types.Part(text=text)])
    made = EventCompaction(start_timestamp=start, end_timestamp=end, compacted_content=content)
    return Event(author="user", actions=EventActions(compaction=made))


def runs(count: int, first: int = 0) -> list[Event]:
    numbers = range(first, first + count)
    return [event(n + part / 10, who, f"{who} {n} {'x' * 99}", run=f"r{n}") for n in numbers for part, who in _SPEAKERS]


_SPEAKERS = ((0, "user"), (1, "writer"))


def times(events: Sequence[Event]) -> list[float]:
    return [each.timestamp for each in events]


def test_enough_new_runs_are_summed_up_with_those_before_them():
    assert due_by_runs(runs(1), BY_RUNS) == []
    assert times(due_by_runs(runs(2), BY_RUNS)) == [0, 0.1, 1, 1.1]
    later = [*runs(2), summary(0, 1.1), *runs(2, 2)]
    assert due_by_runs(later[:-2], BY_RUNS) == []
    assert times(due_by_runs(later, BY_RUNS)) == [1, 1.1, 2, 2.1, 3, 3.1]


def test_a_prompt_with_too_many_tokens_is_summed_up_but_for_the_latest_events():
    events = [event(0.5, "user", "x" * 500), event(1, "writer", "a", tokens=99)]
    assert due_by_tokens(events, BY_TOKENS) == []
    events += [event(2, "user", "more"), event(3, "writer", "b", tokens=120)]
    assert times(due_by_tokens(events, BY_TOKENS)) == [0.5, 1, 2]
    assert due_by_tokens(events, BY_TOKENS, agent_name="critic"), "an estimate, since no prompt of the critic was counted"
    events += [summary(0.5, 2), event(4, "user", "y" * 500), event(5, "writer", "c", tokens=150)]
    first, *others = due_by_tokens(events, BY_TOKENS)
    assert (first.text, first.timestamp, times(others)) == ("so far", 0.5, [3, 4])


def test_no_call_is_summed_up_without_its_answer():
    open_call = [*runs(2), event(2, "user", "and?", run="r2"), event(2.1, "writer", called("x"), run="r2")]
    assert times(due_by_runs(open_call, BY_RUNS)) == [0, 0.1, 1, 1.1, 2]
    tokens = [
        *runs(1, 1),
        event(2, "writer", called("x")),
        event(3, "writer", answered("x")),
        event(4, "writer", "b", tokens=200),
    ]
    keeping_two = EventsCompactionConfig(token_threshold=100, event_retention_size=2)
    assert times(due_by_tokens(tokens, keeping_two)) == [1, 1.1]


def test_a_call_that_can_have_no_answer_any_more_does_not_keep_everything():
    lost = [event(0, "writer", called("x"), run="r0"), *runs(2, 1)]
    assert times(due_by_runs(lost, BY_RUNS)) == [0, 1, 1.1, 2, 2.1]
    waiting = [event(0, "writer", called("x"), run="r0", long_running_tool_ids={"x"}), *runs(2, 1)]
    assert due_by_runs(waiting, BY_RUNS) == []


def test_a_range_that_is_shorter_than_its_summary_would_be_is_left():
    events = [*runs(2), summary(0, 1.1, "s" * 2000), *runs(2, 2)]
    assert due_by_runs(events, BY_RUNS) == []


def test_agents_called_as_tools_have_a_history_of_their_own():
    inside = [event(0.05, "helper", "x" * 99, run="r0", branch="writer:helper")]
    assert times(due_by_runs([*runs(1), *inside, *runs(1, 1)], BY_RUNS)) == [0, 0.1, 1, 1.1]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Nothing says when"),
        ({"token_threshold": 10}, "must be set together"),
        (
            {"compaction_interval": 2, "token_threshold": 10, "event_retention_size": 1},
            "compaction_interval and overlap_size",
        ),
        ({"compaction_interval": 0, "overlap_size": 1}, "greater than 0"),
    ],
)
def test_settings_that_say_half_are_refused(given: dict[str, Any], said: str):
    with pytest.raises(ValueError, match=said):
        EventsCompactionConfig(**given)


async def run(runner: InMemoryRunner, *messages: str) -> list[LogEntry]:
    where: dict[str, Any] = {"app_name": runner.app_name, "user_id": "u", "session_id": "s"}
    await runner.session_service.create_session(**where)
    for message in messages:
        config = RunConfig(model=SimulatedLlm(words_per_second=0))
        async for _ in runner.run_async(user_id="u", session_id="s", new_message=user(message), run_config=config):
            pass
    return await runner.session_service.read_log(**where)


def runner_of(agent: LlmAgent, config: EventsCompactionConfig) -> InMemoryRunner:
    return InMemoryRunner(app=App(name="app", root_agent=agent, events_compaction_config=config))


def summaries(log: Sequence[LogEntry]) -> list[tuple[int, str]]:
    found = [(entry.seq, entry.event()) for entry in log if entry.kind == "event"]
    return [
        (seq, (made.compacted_content.parts or [])[0].text or "")
        for seq, one in found
        if (made := one.actions.compaction) is not None
    ]


def text_in(request: LlmRequest) -> list[tuple[str | None, str]]:
    return [(content.role, (content.parts or [])[0].text or "") for content in request.contents]


@pytest.mark.anyio
async def test_a_run_ends_with_the_summary_and_the_next_one_is_sent_it():
    model = ScriptedLlm(script=["Blue, then.", "As you like.", "SUMMARY", "Done."])
    log = await run(runner_of(LlmAgent(name="writer", model=model), BY_RUNS), "Paint it blue.", "Or red?", "Go on.")
    assert summaries(log) == [(19, "SUMMARY")]
    assert [entry.kind for entry in log[15:20]] == [
        *("agent_finished", "model_started", "model_finished", "event", "run_finished")
    ]
    asked, sent = model.requests[2], model.requests[3]
    assert "user: Paint it blue.\nwriter: Blue, then.\nuser: Or red?" in text_in(asked)[0][1]
    assert text_in(sent) == [("model", "SUMMARY"), ("user", "Go on.")]
    started = [entry.fields() for entry in log if entry.kind == "model_started"]
    assert started[-1]["contents"] == {"select": "default", "until": 22, "count": 2}
    assert started[2]["label"] == "events_summarizer"


@pytest.mark.anyio
async def test_events_are_summed_up_within_a_run_before_the_model_is_called():
    def search() -> dict[str, str]:
        """Finds."""
        return {"found": "z" * 300}

    counted = types.GenerateContentResponseUsageMetadata(prompt_token_count=500)
    call = types.Content(role="model", parts=[called("x")])
    script = [LlmResponse(content=call, usage_metadata=counted), "SUMMARY", "Done."]
    model = ScriptedLlm(script=script)
    config = EventsCompactionConfig(token_threshold=100, event_retention_size=0)
    log = await run(runner_of(LlmAgent(name="writer", model=model, tools=[search]), config), "Find it.")
    assert [text for _, text in summaries(log)] == ["SUMMARY"]
    assert text_in(model.requests[2]) == [("model", "SUMMARY")]


@pytest.mark.anyio
async def test_the_simulated_models_summary_says_that_it_is_one():
    log = await run(runner_of(LlmAgent(name="writer"), BY_RUNS), "One.", "Two.")
    [(_, text)] = summaries(log)
    assert text.startswith("[simulated summary] No model was asked")
    assert "- user: One." in text
    assert "- user: Two." in text


@pytest.mark.anyio
async def test_without_a_summary_the_history_stays_as_it_is():
    class Fails(BaseEventsSummarizer):
        async def maybe_summarize_events(self, *, events: Sequence[Event]) -> Event | None:
            raise ValueError("no")

    model = ScriptedLlm(script=["a", "b", "c"])
    config = EventsCompactionConfig(summarizer=Fails(), compaction_interval=1, overlap_size=0)
    log = await run(runner_of(LlmAgent(name="writer", model=model), config), "1", "2", "3")
    assert (summaries(log), len(model.requests[2].contents)) == ([], 5)


@pytest.mark.anyio
async def test_a_summarizer_alone_asks_its_model():
    model = ScriptedLlm(script=["SUMMARY"])
    made = await LlmEventSummarizer(llm=model, prompt_template="Short: {conversation_history}").maybe_summarize_events(
        events=[event(1, "user", "Hi"), event(2, "writer", called("x")), event(3, "writer", answered("x"))]
    )
    assert made is not None
    assert made.actions.compaction is not None
    assert (made.actions.compaction.start_timestamp, made.actions.compaction.end_timestamp) == (1, 3)
    asked = "Short: user: Hi\nwriter called tool: search({})\nTool response from search: {'found': 1}"
    assert text_in(model.requests[0]) == [("user", asked)]


@pytest.mark.anyio
async def test_a_run_that_waits_goes_on_after_a_summary():
    def approve() -> None:
        """Asks."""

    call = types.Content(role="model", parts=[called("x", "approve")])
    model = ScriptedLlm(script=["One.", "SUM1", LlmResponse(content=call), "SUM2", "Approved.", "SUM3", "Done.", "SUM4"])
    agent = LlmAgent(name="writer", model=model, tools=[LongRunningFunctionTool(approve)])
    often = EventsCompactionConfig(compaction_interval=1, overlap_size=0)
    runner = runner_of(agent, often)
    log = await run(runner, "First " + "x" * 300, "Second " + "y" * 300)
    asked = next(entry.event() for entry in reversed(log) if entry.kind == "event" and entry.event().long_running_tool_ids)
    call_id = asked.get_function_calls()[0].id
    response = types.FunctionResponse(id=call_id, name="approve", response={"ok": True})
    answer = types.Content(role="user", parts=[types.Part(function_response=response)])
    told = [event async for event in runner.run_async(user_id="u", session_id="s", new_message=answer)]
    assert [(event.text, event.invocation_id == asked.invocation_id) for event in told] == [("Approved.", True)]
    log = await runner.session_service.read_log(app_name=runner.app_name, user_id="u", session_id="s")
    assert [text for _, text in summaries(log)] == ["SUM1", "SUM2", "SUM3"]
    async for _ in runner.run_async(user_id="u", session_id="s", new_message=user("Go on.")):
        pass
    assert [text for _, text in text_in(model.requests[-2])] == ["SUM1", "SUM3", "Go on."]
