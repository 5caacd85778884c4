"""Runs that wait for an answer: they pause, and go on where they were, whatever is around them."""

from __future__ import annotations

import asyncio
import tempfile
import zlib
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest
from google.genai import types
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents import (
    AgentTool,
    BaseAgent,
    BaseLlm,
    Event,
    EventActions,
    FunctionTool,
    GetSessionConfig,
    InMemorySessionService,
    LlmAgent,
    LlmRequest,
    LlmResponse,
    LongRunningFunctionTool,
    LoopAgent,
    ParallelAgent,
    RoutedAgent,
    RunConfig,
    Runner,
    SequentialAgent,
    SqliteSessionService,
    ToolContext,
    exit_loop,
)
from agents.errors import AnswerError, LlmCallsLimitExceededError, RunInProgressError
from agents.models.scripted import ScriptedLlm, call
from tests.agents.pausing_stage import answer_to, asker, is_question, send, status, waiting
from tests.agents.stage import APP, USER, Actor, Play, escalation, play, user

pytestmark = pytest.mark.anyio


# -- one agent


async def test_a_call_without_a_result_pauses_the_run_and_its_answer_lets_it_go_on():
    service, agent = InMemorySessionService(), asker("a", output_key="said")
    paused = await send(agent, "go", service=service)
    [question] = waiting(paused)
    assert (question.name, paused.events[-1].long_running_tool_ids) == ("ask", {question.id})
    assert len(paused.events) == 1  # no response was made up
    assert status(paused) == "paused"
    assert (await service.summaries())[0].status == "paused"
    assert "said" not in paused.state

    done = await send(agent, answer_to(question, result="yes"), service=service)
    assert done.texts == [("a", "a is done")]
    assert status(done) == "completed"
    assert done.state["said"] == "a is done"
    assert len({event.invocation_id for event in done.session.events}) == 1
    sent = agent.model.requests[-1].contents
    assert [part.function_response.response for part in sent[-1].parts] == [{"result": "yes"}]
    assert [part.function_call.name for part in sent[-2].parts] == ["ask"]


async def test_the_trace_says_that_it_paused_and_went_on():
    service, agent = InMemorySessionService(), asker("a")
    paused = await send(agent, "go", service=service)
    done = await send(agent, answer_to(*waiting(paused), result=1), service=service)
    assert done.records("run_started", "agent_started", "agent_finished", "model_started", "run_finished") == [
        record | {"kind": kind, "agent": "a"}
        for kind, record in [
            ("run_started", _run_started(paused)),
            ("agent_started", {"type": "LlmAgent"}),
            ("model_started", _of_model(done, 0) | {"call": 1, "turn": 1}),
            ("agent_finished", {"outcome": "paused"}),
            ("run_finished", {"status": "paused", "calls": 1, "tokens": {"input": 0, "output": 0}}),
            ("run_started", _run_started(paused) | {"resumed": True}),
            ("agent_started", {"type": "LlmAgent", "resumed": True}),
            ("model_started", _of_model(done, 1) | {"call": 2, "turn": 2}),
            ("agent_finished", {"outcome": "ok"}),
            ("run_finished", {"status": "completed", "calls": 2, "tokens": {"input": 0, "output": 0}}),
        ]
    ]
    [asked] = done.records("tool_finished")
    assert asked["waits"] is True


def _run_started(one: Play) -> dict[str, Any]:
    return one.records("run_started")[0]


def _of_model(one: Play, place: int) -> dict[str, Any]:
    return one.records("model_started")[place]


async def test_it_thinks_again_only_when_all_its_calls_are_answered():
    agent = asker("a", [call("ask", question="1"), call("ask", question="2"), call("ask", question="3")], "done")
    service = InMemorySessionService()
    first, second, third = waiting(await send(agent, "go", service=service))
    again = await send(agent, answer_to(third, result=3), service=service)
    assert (again.events, status(again)) == ([], "paused")
    assert waiting(again) == [first, second]
    done = await send(agent, answer_to(second, first, result=0), service=service)
    assert done.texts == [("a", "done")]
    assert [part.function_response.response["result"] for part in agent.model.requests[-1].contents[-1].parts] == [0, 0, 3]


async def test_calls_beside_it_run_at_once_and_are_not_run_again():
    ran: list[str] = []

    def work(what: str) -> str:
        """Works."""
        ran.append(what)
        return what

    agent = asker("a", [call("work", what="x"), call("ask", question="?"), call("work", what="y")], "done", tools=[work])
    service = InMemorySessionService()
    paused = await send(agent, "go", service=service)
    assert [response.response for response in paused.events[-1].get_function_responses()] == [
        {"result": "x"},
        {"result": "y"},
    ]
    done = await send(agent, answer_to(*waiting(paused), result="?"), service=service)
    assert done.texts == [("a", "done")]
    assert sorted(ran) == ["x", "y"]
    assert [part.function_response.response["result"] for part in agent.model.requests[-1].contents[-1].parts] == [
        "x",
        "?",
        "y",
    ]


async def test_a_long_running_tool_that_returns_something_does_not_pause():
    def start() -> dict[str, str]:
        """Starts a job."""
        return {"status": "started"}

    model = ScriptedLlm(script=[[call("start")], "started", "the job is done", "nothing new"])
    agent = LlmAgent(name="a", model=model, tools=[LongRunningFunctionTool(start)])
    service = InMemorySessionService()
    first = await send(agent, "go", service=service)
    assert (first.texts, status(first)) == ([("a", "started")], "completed")
    job = first.events[0].get_function_calls()[0]
    later = await send(agent, answer_to(job, status="done"), service=service)
    assert later.texts == [("a", "the job is done")]
    assert len({event.invocation_id for event in later.session.events}) == 2
    again = await send(agent, answer_to(job, status="done twice"), service=service)
    assert again.texts == [("a", "nothing new")]


async def test_what_a_tool_did_before_it_left_its_call_open_is_kept():
    def order(tool_context: ToolContext) -> None:
        """Orders."""
        tool_context.state["ticket"] = tool_context.function_call_id

    agent = LlmAgent(name="a", model=ScriptedLlm(script=[[call("order")], "ok"]), tools=[LongRunningFunctionTool(order)])
    service = InMemorySessionService()
    paused = await send(agent, "go", service=service)
    assert paused.state["ticket"] == waiting(paused)[0].id
    done = await send(agent, answer_to(*waiting(paused), result="ok"), service=service)
    assert done.texts == [("a", "ok")]


async def test_exit_loop_beside_an_open_call_counts_once_that_is_answered():
    agent = asker("a", [call("exit_loop"), call("ask", question="?")], tools=[exit_loop])
    tree = SequentialAgent(
        name="all",
        sub_agents=[
            LoopAgent(name="loop", sub_agents=[agent, Actor(name="b", lines=["no"])]),
            Actor(name="end", lines=["end"]),
        ],
    )
    service = InMemorySessionService()
    paused = await send(tree, "go", service=service)
    assert status(paused) == "paused"
    done = await send(tree, answer_to(*waiting(paused), result="?"), service=service)
    assert done.texts == [("end", "end")]
    assert done.records("loop_finished") == [
        {"kind": "loop_finished", "agent": "loop", "reason": "escalated", "by": "a", "iterations": 1}
    ]


@pytest.mark.parametrize("include_contents", ["default", "none"])
async def test_the_answer_reaches_the_model_whatever_it_is_shown(include_contents):
    agent = asker("a", include_contents=include_contents)
    service = InMemorySessionService()
    paused = await send(agent, "go", service=service)
    await send(agent, answer_to(*waiting(paused), result="yes"), service=service)
    said = [part.function_response for content in agent.model.requests[-1].contents for part in content.parts]
    assert [response.response for response in said if response] == [{"result": "yes"}]


async def test_a_short_view_of_the_history_keeps_the_turn_that_goes_on():
    agent = asker("a", "one", "two", [call("ask", question="?")], "three")
    service, config = InMemorySessionService(), RunConfig(get_session_config=GetSessionConfig(num_recent_events=1))
    for text in ("x", "y"):
        await send(agent, text, service=service, config=config)
    paused = await send(agent, "go", service=service, config=config)
    done = await send(agent, answer_to(*waiting(paused), result="yes"), service=service, config=config)
    assert done.texts == [("a", "three")]
    assert [content.role for content in agent.model.requests[-1].contents] == ["user", "model", "user"]


async def test_output_that_does_not_fit_is_complained_about_as_often_after_a_pause():
    agent = asker("a", "no json", [call("ask", question="?")], "still none", output_schema=dict, output_retries=1)
    service = InMemorySessionService()
    paused = await send(agent, "go", service=service)
    done = await send(agent, answer_to(*waiting(paused), result=1), service=service)
    assert status(done) == "failed"
    assert done.events[-1].error_code == "OUTPUT_SCHEMA"


async def test_the_call_budget_goes_on():
    agent = asker("a", [call("ask", question="1")], [call("ask", question="2")], "done")
    service, config = InMemorySessionService(), RunConfig(max_llm_calls=2)
    paused = await send(agent, "go", service=service, config=config)
    paused = await send(agent, answer_to(*waiting(paused), result=1), service=service, config=config)
    assert paused.records("run_finished")[-1]["calls"] == 2
    over = await send(agent, answer_to(*waiting(paused), result=2), service=service, config=config)
    assert isinstance(over.error, LlmCallsLimitExceededError)
    assert over.events[-1].error_code == "LLM_CALLS_LIMIT_EXCEEDED"


async def test_callbacks_around_the_agent_are_called_once():
    called: list[str] = []
    agent = asker(
        "a",
        before_agent_callback=lambda callback_context: called.append("before"),
        after_agent_callback=lambda callback_context: called.append("after"),
    )
    service = InMemorySessionService()
    paused = await send(agent, "go", service=service)
    assert called == ["before"]
    await send(agent, answer_to(*waiting(paused), result=1), service=service)
    assert called == ["before", "after"]


async def test_the_message_that_began_it_is_the_user_content():
    seen: list[Any] = []
    agent = asker("a", after_agent_callback=lambda callback_context: seen.append(callback_context.user_content))
    service = InMemorySessionService()
    paused = await send(agent, "please", service=service)
    await send(agent, answer_to(*waiting(paused), result=1), service=service)
    assert [content.parts[0].text for content in seen] == ["please"]


async def test_a_tool_that_ends_the_invocation_does_not_pause_it():
    def stop(tool_context: ToolContext) -> None:
        """Stops."""
        tool_context._invocation_context.end_invocation = True

    agent = LlmAgent(name="a", model=ScriptedLlm(script=[[call("stop")]]), tools=[LongRunningFunctionTool(stop)])
    assert status(await play(agent)) == "completed"


# -- what is around it


async def test_a_sequence_goes_on_after_the_one_that_paused():
    tree = SequentialAgent(name="all", sub_agents=[Actor(name="a", lines=["a"]), asker("b"), Actor(name="c", lines=["c"])])
    service = InMemorySessionService()
    paused = await send(tree, "go", service=service)
    assert paused.texts == [("a", "a")]
    done = await send(tree, answer_to(*waiting(paused), result=1), service=service)
    assert done.texts == [("b", "b is done"), ("c", "c")]


async def test_sub_agents_of_one_name_are_told_apart_by_their_place():
    with pytest.warns(UserWarning, match="share the names"):
        tree = SequentialAgent(
            name="all", sub_agents=[Actor(name="x", lines=["first"]), asker("x"), Actor(name="x", lines=["last"])]
        )
    service = InMemorySessionService()
    paused = await send(tree, "go", service=service)
    done = await send(tree, answer_to(*waiting(paused), result=1), service=service)
    assert [text for _, text in done.texts] == ["x is done", "last"]


async def test_a_loop_goes_on_in_its_pass():
    pairs = [[call("ask", question="1")], "one", "two", [call("ask", question="3")], "three"]
    loop = LoopAgent(
        name="loop",
        max_iterations=3,
        sub_agents=[Actor(name="a", lines=["a"]), asker("b", *pairs), Actor(name="c", lines=["c"])],
    )
    service = InMemorySessionService()
    paused = await send(loop, "go", service=service)
    paused = await send(loop, answer_to(*waiting(paused), result=1), service=service)
    assert [text for _, text in paused.texts] == ["one", "c", "a", "two", "c", "a"]
    done = await send(loop, answer_to(*waiting(paused), result=1), service=service)
    assert [text for _, text in done.texts] == ["three", "c"]
    assert [record["iteration"] for record in done.records("loop_iteration")] == [1, 2, 3]
    assert done.records("loop_finished")[0]["reason"] == "max_iterations"


async def test_the_other_branches_go_on_and_each_answer_wakes_its_own():
    tree = SequentialAgent(
        name="all",
        sub_agents=[
            ParallelAgent(name="p", sub_agents=[asker("a"), Actor(name="b", lines=["b1", "b2"]), asker("c")]),
            Actor(name="end", lines=["end"]),
        ],
    )
    service = InMemorySessionService()
    paused = await send(tree, "go", service=service)
    assert paused.texts == [("b", "b1"), ("b", "b2")]
    calls = {event.author: event.get_function_calls()[0] for event in paused.events if event.get_function_calls()}
    again = await send(tree, answer_to(calls["c"], result="c"), service=service)
    assert (again.texts, status(again)) == ([("c", "c is done")], "paused")
    assert again.session.events[-2].branch == "p.c"  # the answer is in the branch of its call
    done = await send(tree, answer_to(calls["a"], result="a"), service=service)
    assert done.texts == [("a", "a is done"), ("end", "end")]


async def test_answers_for_several_branches_come_in_one_message():
    tree = ParallelAgent(name="p", sub_agents=[asker("a"), asker("b")])
    service = InMemorySessionService()
    paused = await send(tree, "go", service=service)
    done = await send(tree, answer_to(*waiting(paused), result=1), service=service)
    assert sorted(done.texts) == [("a", "a is done"), ("b", "b is done")]
    answers = [event for event in done.session.events if event.author == "user" and event.get_function_responses()]
    assert sorted(event.branch for event in answers) == ["p.a", "p.b"]


async def test_an_escalation_of_another_branch_gives_up_what_a_branch_waits_for():
    tree = SequentialAgent(
        name="all",
        sub_agents=[
            ParallelAgent(name="p", sub_agents=[asker("a"), Actor(name="b", lines=[_once_a_has_asked, escalation("b")])]),
            Actor(name="end", lines=["end"]),
        ],
    )
    service = InMemorySessionService()
    done = await send(tree, "go", service=service)
    assert (done.texts, status(done)) == ([("end", "end")], "completed")
    late = answer_to(*waiting(done), result=1)
    refused = await send(tree, late, service=service, invocation_id=done.events[-1].invocation_id)
    assert isinstance(refused.error, AnswerError)
    assert "waits for an answer no more: the run that it belongs to has ended (completed)" in str(refused.error)


async def _once_a_has_asked(ctx: Any) -> None:
    while not any(event.author == "a" for event in ctx.session.events):
        await asyncio.sleep(0)
    for _ in range(10):
        await asyncio.sleep(0)


async def test_an_escalation_from_deeper_down_ends_the_loop_once_the_pass_is_done():
    inner = ParallelAgent(
        name="p", sub_agents=[asker("a"), SequentialAgent(name="s", sub_agents=[Actor(name="b", lines=[escalation("b")])])]
    )
    tree = LoopAgent(name="loop", sub_agents=[inner, Actor(name="c", lines=["never"])])
    service = InMemorySessionService()
    paused = await send(tree, "go", service=service)
    assert status(paused) == "paused"
    done = await send(tree, answer_to(*waiting(paused), result=1), service=service)
    assert done.texts == [("a", "a is done")]
    assert done.records("loop_finished")[0]["by"] == "b"


async def test_a_router_is_not_asked_again():
    asked: list[str] = []

    def router(agents: Any, context: Any) -> str:
        asked.append("x")
        return "b"

    tree = SequentialAgent(
        name="all",
        sub_agents=[RoutedAgent(name="r", agents=[asker("a"), asker("b")], router=router), Actor(name="end", lines=["end"])],
    )
    service = InMemorySessionService()
    paused = await send(tree, "go", service=service)
    done = await send(tree, answer_to(*waiting(paused), result=1), service=service)
    assert done.texts == [("b", "b is done"), ("end", "end")]
    assert asked == ["x"]


class Custom(BaseAgent):
    """An agent of somebody's own that runs others, and looks neither at pauses nor at positions."""

    async def _run_async_impl(self, ctx: Any) -> AsyncGenerator[Event, None]:
        for child in self.sub_agents:
            async for event in child.run_async(ctx):
                yield event


async def test_nothing_begins_below_an_agent_that_waits_and_a_custom_one_begins_anew():
    tree = Custom(name="own", sub_agents=[Actor(name="a", lines=["a"]), asker("b"), Actor(name="c", lines=["c"])])
    service = InMemorySessionService()
    paused = await send(tree, "go", service=service)
    assert (paused.texts, status(paused)) == ([("a", "a")], "paused")
    done = await send(tree, answer_to(*waiting(paused), result=1), service=service)
    assert done.texts == [("a", "a"), ("b", "b is done"), ("c", "c")]


async def test_a_tree_that_was_changed_meanwhile_is_told():
    service = InMemorySessionService()
    paused = await send(SequentialAgent(name="all", sub_agents=[Actor(name="a"), asker("b")]), "go", service=service)
    other = SequentialAgent(name="all", sub_agents=[Actor(name="a"), Actor(name="c")])
    done = await send(other, answer_to(*waiting(paused), result=1), service=service)
    assert isinstance(done.error, AnswerError)
    assert "agent 'all' was at its sub-agent 'b', and now its sub-agents are a, c" in str(done.error)


async def test_the_root_is_looked_for_by_its_name():
    service = InMemorySessionService()
    paused = await send(asker("a"), "go", service=service)
    done = await send(asker("b"), answer_to(*waiting(paused), result=1), service=service)
    assert isinstance(done.error, AnswerError)
    assert "began with agent 'a'" in str(done.error)


# -- where nothing can wait


async def test_nothing_waits_inside_an_agent_that_is_called_as_a_tool():
    def pay() -> str:
        """Pays."""
        raise AssertionError("not confirmed")

    inner = asker(
        "inner", [call("ask", question="?"), call("pay")], "cannot", tools=[FunctionTool(pay, require_confirmation=True)]
    )
    outer = LlmAgent(
        name="outer", model=ScriptedLlm(script=[[call("inner", request="x")], "done"]), tools=[AgentTool(inner)]
    )
    done = await play(outer)
    assert (status(done), waiting(done)) == ("completed", [])
    assert all(event.long_running_tool_ids is None for event in done.session.events)
    answers = [part.function_response.response["error"] for part in inner.model.requests[-1].contents[-1].parts]
    assert [error.partition(" needs ")[0] for error in answers] == ["ask", "pay"]
    assert all("sub-agent" in error for error in answers)


# -- answers that nothing waits for


@pytest.fixture
async def paused_session():
    service, agent = InMemorySessionService(), asker("a", [call("ask", question="?")], "done", "more", "and more")
    return service, agent, await send(agent, "go", service=service)


NOBODY = types.FunctionCall(id="nope", name="ask")


def said_by_user(played: Play) -> types.Content | None:
    """The user's last message, as stored."""
    return [event for event in played.session.events if event.author == "user"][-1].content


@pytest.mark.parametrize("call_id", [None, "", "nope"])
async def test_an_answer_to_no_call_is_an_ordinary_message(call_id, paused_session):
    service, agent, _ = paused_session
    message = answer_to(NOBODY.model_copy(update={"id": call_id}), result=1)
    done = await send(agent, message, service=service)
    assert (done.error, done.texts, status(done)) == (None, [("a", "done")], "completed")
    assert said_by_user(done) == message
    assert len({event.invocation_id for event in done.session.events}) == 2
    assert "nope" not in str(agent.model.requests[-1].contents), "no model is shown a response without its call"


@pytest.mark.parametrize("call_id", [None, "nope"])
async def test_it_begins_a_session_too_and_its_text_is_read(call_id):
    agent, service = LlmAgent(name="a", model=ScriptedLlm(script=["hello"])), InMemorySessionService()
    message = answer_to(NOBODY.model_copy(update={"id": call_id}), result=1)
    message.parts.append(types.Part(text="hi"))
    done = await send(agent, message, service=service)
    assert (done.error, done.texts) == (None, [("a", "hello")])
    assert [[part.text for part in content.parts] for content in agent.model.requests[0].contents] == [["hi"]]


async def test_it_goes_to_the_agent_whose_turn_it_is():
    child = LlmAgent(name="child", model=ScriptedLlm(script=["here", "still here"]))
    root = LlmAgent(name="root", model=ScriptedLlm(script=[[call("transfer_to_agent", agent_name="child")]]))
    root.sub_agents = [child]
    service = InMemorySessionService()
    await send(root, "go", service=service)
    assert (await send(root, answer_to(NOBODY, result=1), service=service)).texts == [("child", "still here")]


async def test_an_unknown_call_is_refused_where_a_certain_run_is_to_go_on_and_nothing_is_stored(paused_session):
    service, agent, paused = paused_session
    going_on = paused.session.events[-1].invocation_id
    refused = await send(agent, answer_to(NOBODY, result=1), service=service, invocation_id=going_on)
    assert isinstance(refused.error, AnswerError)
    assert f"There is no call 'nope' in this session. Calls that wait for an answer: {waiting(paused)[0].id}" in str(
        refused.error
    )
    assert refused.log == paused.log
    assert status(await send(agent, answer_to(*waiting(paused), result=1), service=service)) == "completed"


async def test_an_unknown_call_beside_one_that_waits_is_refused(paused_session):
    service, agent, paused = paused_session
    both = answer_to(*waiting(paused), types.FunctionCall(id="nope", name="ask"), result=1)
    refused = await send(agent, both, service=service)
    assert isinstance(refused.error, AnswerError)
    assert "'nope' is no call that waits" in str(refused.error)
    assert refused.log == paused.log


async def test_a_call_is_answered_once(paused_session):
    service, agent, paused = paused_session
    answer, going_on = answer_to(*waiting(paused), result=1), paused.session.events[-1].invocation_id
    await send(agent, answer, service=service, invocation_id=going_on)
    again = await send(agent, answer, service=service, invocation_id=going_on)
    assert isinstance(again.error, AnswerError)
    assert "of ask was answered already" in str(again.error)
    assert (await send(agent, answer, service=service)).texts == [("a", "more")]


async def test_a_new_message_gives_up_what_was_waited_for(paused_session):
    service, agent, paused = paused_session
    assert (await send(agent, "something else", service=service)).texts == [("a", "done")]
    late, going_on = answer_to(*waiting(paused), result=1), paused.session.events[-1].invocation_id
    refused = await send(agent, late, service=service, invocation_id=going_on)
    assert isinstance(refused.error, AnswerError)
    assert "a later message began something new" in str(refused.error)
    assert (await send(agent, late, service=service)).texts == [("a", "more")]


async def test_a_run_that_failed_waits_no_more():
    tree = ParallelAgent(name="p", sub_agents=[asker("a"), Actor(name="b", lines=[_once_a_has_asked, ValueError("no")])])
    service = InMemorySessionService()
    failed = await send(tree, "go", service=service)
    assert status(failed) == "failed"
    going_on = failed.session.events[-1].invocation_id
    late = await send(tree, answer_to(*waiting(failed), result=1), service=service, invocation_id=going_on)
    assert "has ended (failed)" in str(late.error)


@pytest.mark.parametrize("later", [True, False])
async def test_a_call_that_no_run_paused_for_is_answered_to_who_made_it(later):
    question = types.FunctionCall(id="c-1", name="where", args={})
    said = types.Content(role="model", parts=[types.Part(function_call=question)])
    asks = Event(author="client", content=said, long_running_tool_ids={"c-1"} if later else None)

    def speak(ctx: Any) -> Any:
        return "thanks" if ctx.session.events[-1].get_function_responses() else asks

    tree = SequentialAgent(name="all", sub_agents=[Actor(name="x", lines=["x"]), Actor(name="client", lines=[speak])])
    service = InMemorySessionService()
    assert status(await send(tree, "go", service=service)) == "completed"
    done = await send(tree, answer_to(question, place="here"), service=service)
    assert done.texts == [("client", "thanks")]
    assert len({event.invocation_id for event in done.session.events}) == 2
    again = await send(tree, answer_to(question, place="there"), service=service)
    assert (again.error, again.texts[0]) == (None, ("x", "x")), "an answer that nobody waits for begins at the root"


async def test_an_answer_to_a_call_that_no_run_paused_for_may_name_its_run():
    question = types.FunctionCall(id="c-1", name="where", args={})
    asks = Event(author="a", content=types.Content(role="model", parts=[types.Part(function_call=question)]))
    service = InMemorySessionService()
    await send(Actor(name="a", lines=[asks]), "go", service=service)
    runner = Runner(app_name=APP, agent=Actor(name="a", lines=["ok"]), session_service=service)
    answer = {"user_id": USER, "session_id": "s", "new_message": answer_to(question, place="here")}
    events = [event async for event in runner.run_async(**answer, invocation_id="e-mine")]
    assert [event.invocation_id for event in events] == ["e-mine"]


async def test_a_session_that_is_being_run_takes_no_answer():
    service, agent = InMemorySessionService(), asker("a")
    paused = await send(agent, "go", service=service)
    async with service.claim(paused.session, "other"):
        refused = await send(agent, answer_to(*waiting(paused), result=1), service=service)
    assert isinstance(refused.error, RunInProgressError)


# -- over a restart


async def test_a_pause_survives_the_process(tmp_path: Path):
    def tree() -> BaseAgent:
        inner = LoopAgent(name="loop", max_iterations=2, sub_agents=[Asker(name="b"), Actor(name="c", lines=["c"])])
        return SequentialAgent(
            name="all",
            sub_agents=[ParallelAgent(name="p", sub_agents=[Asker(name="a"), inner]), Actor(name="end", lines=["end"])],
        )

    file = tmp_path / "sessions.db"
    service = SqliteSessionService(file)
    said = [await send(tree(), "go", service=service)]
    while calls := waiting(said[-1]):
        assert status(said[-1]) == "paused"
        await service.close()
        service = SqliteSessionService(file)
        assert await service.recover() == 0
        said.append(await send(tree(), answer_to(calls[-1], result="yes"), service=service))
    await service.close()
    assert len(said) == 4
    assert said[-1].texts[-1] == ("end", "end")
    assert sorted(text for one in said for _, text in one.texts) == ["a is done", "b is done", "b is done", "c", "c", "end"]
    assert [one.records("run_finished")[-1]["calls"] for one in said] == [2, 4, 5, 6]


# -- the law: pauses change nothing about the work


class Asker(LlmAgent):
    """Asks once in each turn, and says that it is done."""

    def __init__(self, pauses: Callable[[str, int], str] = lambda name, number: "ask", **more: Any) -> None:
        def ask(tool_context: ToolContext) -> str | None:
            """Asks a person."""
            return None if pauses(self.name, _number(tool_context)) == "ask" else "yes"

        def pay(tool_context: ToolContext) -> str:
            """Pays."""
            return "yes"

        def must_ask(tool_context: ToolContext) -> bool:
            return pauses(self.name, _number(tool_context)) == "confirm"

        tools = [LongRunningFunctionTool(ask), FunctionTool(pay, require_confirmation=must_ask)]
        super().__init__(model=AskingLlm(), tools=tools, **more)


def _number(tool_context: ToolContext) -> int:
    """Which turn of its agent this is, found in what is stored."""
    mine = (event for event in tool_context.session.events if event.author == tool_context.agent_name)
    return sum(bool(event.get_function_calls()) and not event.actions.requested_tool_confirmations for event in mine)


class AskingLlm(BaseLlm):
    """Calls both tools, then says what they answered."""

    model: str = "asking"

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        assert llm_request.config.labels is not None
        name = llm_request.config.labels["adk_agent_name"]
        parts = (llm_request.contents[-1].parts or []) if llm_request.contents else []
        answers = [part.function_response.response for part in parts if part.function_response]
        if not answers:
            called = [types.Part(function_call=types.FunctionCall(name=tool, args={})) for tool in ("ask", "pay")]
            yield LlmResponse(content=types.Content(role="model", parts=called), stop_reason="tool_use")
            return
        assert [answer["result"] for answer in answers] == ["yes", "yes"]
        yield LlmResponse(
            content=types.Content(role="model", parts=[types.Part(text=f"{name} is done")]), stop_reason="end_turn"
        )


class HandingLlm(BaseLlm):
    """Hands over to the first agent that it may."""

    model: str = "handing"

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        [name, *_] = llm_request.tools_dict["transfer_to_agent"].agent_names
        said = types.Part(function_call=types.FunctionCall(name="transfer_to_agent", args={"agent_name": name}))
        yield LlmResponse(content=types.Content(role="model", parts=[said]), stop_reason="tool_use")


Shape = tuple[Any, ...]


def shapes() -> st.SearchStrategy[Shape]:
    leaf = st.one_of(
        st.tuples(st.just("ask"), st.sampled_from(["default", "none"])), st.just(("say",)), st.just(("escalate",))
    )
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.tuples(st.just("sequence"), st.lists(inner, min_size=1, max_size=3)),
            st.tuples(st.just("loop"), st.lists(inner, min_size=1, max_size=2), st.integers(1, 3)),
            st.tuples(st.just("parallel"), st.lists(inner, min_size=1, max_size=3)),
            st.tuples(st.just("route"), st.lists(inner, min_size=2, max_size=2), st.integers(0, 1)),
            st.tuples(st.just("hand over"), st.lists(inner, min_size=1, max_size=1)),
        ),
        max_leaves=7,
    )


def built(shape: Shape, pauses: Callable[[str, int], str], name: str = "t") -> BaseAgent:
    """The tree of a shape; names say where an agent is."""
    match shape:
        case ("ask", contents):
            return Asker(pauses, name=name, include_contents=contents)
        case ("say",):
            return Actor(name=name, lines=[f"{name} speaks"])
        case ("escalate",):
            return SequentialAgent(name=name, sub_agents=[Actor(name=f"{name}_e", lines=[_escalate_at_second])])
        case (kind, inner, *more):
            children = [built(child, pauses, f"{name}_{place}") for place, child in enumerate(inner)]
            return AROUND[kind](name, children, *more)
    raise AssertionError(shape)


AROUND: dict[str, Callable[..., BaseAgent]] = {
    "sequence": lambda name, children: SequentialAgent(name=name, sub_agents=children),
    "loop": lambda name, children, most: LoopAgent(name=name, sub_agents=children, max_iterations=most),
    "parallel": lambda name, children: ParallelAgent(name=name, sub_agents=children),
    "route": lambda name, children, place: RoutedAgent(
        name=name, agents=children, router=lambda agents, context: list(agents)[place]
    ),
    "hand over": lambda name, children: LlmAgent(name=name, sub_agents=children, model=HandingLlm()),
}


def _escalate_at_second(ctx: Any) -> Event:
    """Escalates in every second turn of its agent, counted in what is stored."""
    number = sum(event.author == ctx.agent.name for event in ctx.session.events)
    text = types.Content(role="model", parts=[types.Part(text=f"turn {number}")])
    return Event(author=ctx.agent.name, content=text, actions=EventActions(escalate=number % 2 == 1))


def work(one: Play) -> dict[str | None, list[tuple[str, str]]]:
    """Who said what, branch by branch: in which order branches take turns is nobody's matter."""
    said: dict[str | None, list[tuple[str, str]]] = defaultdict(list)
    for event in one.session.events:
        if event.text and event.author != "user":
            said[event.branch].append((event.author, event.text))
    return dict(said)


def passes(one: Play) -> list[tuple[str, str | None, int]]:
    return sorted((r["agent"], r.get("branch") or "", r["iteration"]) for r in one.records("loop_iteration"))


async def check_that_pauses_change_nothing(
    shape: Shape, salt: int, data: st.DataObject, open_service: Callable[[], Any]
) -> None:
    def pauses(name: str, number: int) -> str:
        return ("ask", "confirm", "")[zlib.crc32(f"{name}/{number}/{salt}".encode()) % 3]

    at_once = await play(built(shape, lambda name, number: ""))
    assert at_once.error is None
    service = open_service()
    one = await send(built(shape, pauses), "go", service=service)
    while calls := waiting(one):
        assert (one.error, status(one)) == (None, "paused")
        await service.close()
        service = open_service()
        chosen = data.draw(st.lists(st.sampled_from(calls), min_size=1, unique_by=lambda call: call.id), label="answered")
        parts = [
            part
            for call in chosen
            for part in answer_to(call, **({"confirmed": True} if is_question(call) else {"result": "yes"})).parts or ()
        ]
        one = await send(built(shape, pauses), types.Content(role="user", parts=parts), service=service)
    await service.close()
    assert (one.error, status(one)) == (None, "completed")
    assert work(one) == work(at_once)
    assert passes(one) == passes(at_once)
    assert one.records("run_finished")[-1]["calls"] == at_once.records("run_finished")[-1]["calls"]
    assert len({event.invocation_id for event in one.session.events}) == 1


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(shape=shapes(), salt=st.integers(0, 1000), data=st.data())
def test_pauses_change_nothing_about_the_work(shape, salt, data):
    service = InMemorySessionService()
    asyncio.run(check_that_pauses_change_nothing(shape, salt, data, lambda: service))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(shape=shapes(), salt=st.integers(0, 1000), data=st.data())
def test_pauses_change_nothing_over_restarts_on_a_file(shape, salt, data):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sessions.db"
        asyncio.run(check_that_pauses_change_nothing(shape, salt, data, lambda: SqliteSessionService(file)))


def test_the_synchronous_runner_pauses_too():
    agent, service = asker("a"), InMemorySessionService()
    asyncio.run(service.create_session(app_name=APP, user_id=USER, session_id="s"))
    runner = Runner(app_name=APP, agent=agent, session_service=service)
    [asked] = runner.run(user_id=USER, session_id="s", new_message=user("go"))
    [done] = runner.run(user_id=USER, session_id="s", new_message=answer_to(*asked.get_function_calls(), result=1))
    assert done.text == "a is done"
