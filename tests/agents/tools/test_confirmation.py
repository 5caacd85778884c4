"""Tools that a person must confirm: asked, answered, run or not."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import types
from inline_snapshot import snapshot

from agents import (
    BaseAgent,
    FunctionTool,
    InMemorySessionService,
    InvocationContext,
    LlmAgent,
    LoopAgent,
    Session,
    ToolConfirmation,
    ToolContext,
)
from agents.errors import AnswerError
from agents.models.scripted import ScriptedLlm, call
from agents.runtime.confirmation import REQUEST_CONFIRMATION
from tests.agents.pausing_stage import answer_to, is_question, send, status, waiting
from tests.agents.stage import Play

pytestmark = pytest.mark.anyio


class Till:
    """Pays, and remembers what it paid."""

    def __init__(self) -> None:
        self.paid: list[tuple[int, str]] = []

    def pay(self, amount: int, to: str = "Ada") -> dict[str, int]:
        """Pays."""
        self.paid.append((amount, to))
        return {"paid": amount}


@pytest.fixture
def till() -> Till:
    return Till()


def payer(*script: Any, tools: list[Any], **more: Any) -> LlmAgent:
    return LlmAgent(name="payer", model=ScriptedLlm(script=script), tools=tools, **more)


def careful(till: Till, needed: Any = True) -> FunctionTool:
    return FunctionTool(till.pay, require_confirmation=needed)


async def ask(agent: BaseAgent, service: Any) -> tuple[Play, types.FunctionCall]:
    paused = await send(agent, "go", service=service)
    assert (paused.error, status(paused)) == (None, "paused")
    [question] = waiting(paused)
    return paused, question


# -- asked


async def test_a_person_is_asked_with_a_call_of_its_own_and_the_tool_is_not_run(till):
    agent, service = payer([call("pay", amount=500)], tools=[careful(till)]), InMemorySessionService()
    paused, question = await ask(agent, service)
    original = paused.events[0].get_function_calls()[0]
    assert question.id.startswith("adk-")
    assert question.id != original.id
    assert (question.name, question.args) == (
        REQUEST_CONFIRMATION,
        {
            "originalFunctionCall": {"id": original.id, "name": "pay", "args": {"amount": 500}},
            "toolConfirmation": {"hint": "pay is to be called. May it?", "confirmed": False},
        },
    )
    asking = paused.events[-1]
    assert (asking.author, asking.long_running_tool_ids, len(paused.events)) == ("payer", {question.id}, 2)
    assert asking.actions.requested_tool_confirmations == {
        original.id: ToolConfirmation(hint="pay is to be called. May it?")
    }
    assert till.paid == []


@pytest.mark.parametrize(
    ("needed", "asked"),
    [
        (False, False),
        (lambda amount: amount > 100, False),
        (lambda amount: amount > 10, True),
        (lambda amount, to: to == "Ada" and amount == 50, True),
        (lambda **args: args == {"amount": 50, "to": "Ada"}, True),
        (lambda amount, tool_context: tool_context.state["limit"] < amount, True),
        (lambda to, by="nobody": by == "nobody", True),
        (lambda: True, True),
    ],
)
async def test_a_function_may_decide_from_the_checked_arguments(till, needed, asked):
    agent = payer([call("pay", amount="50")], "done", tools=[careful(till, needed)])
    agent.before_agent_callback = lambda callback_context: callback_context.state.update(limit=10)
    done = await send(agent, "go", service=InMemorySessionService())
    assert (done.error, status(done)) == (None, "paused" if asked else "completed")
    assert till.paid == ([] if asked else [(50, "Ada")])


async def test_an_async_function_may_decide_too(till):
    async def needed(amount: int) -> bool:
        return amount == 50

    assert (
        status(
            await send(
                payer([call("pay", amount=50)], tools=[careful(till, needed)]), "go", service=InMemorySessionService()
            )
        )
        == "paused"
    )


async def test_wrong_arguments_are_the_models_to_mend_and_nobody_is_asked(till):
    agent = payer([call("pay", amount="much")], "sorry", tools=[careful(till)])
    done = await send(agent, "go", service=InMemorySessionService())
    assert status(done) == "completed"
    assert "wrong arguments" in done.events[1].get_function_responses()[0].response["error"]


async def test_a_decision_that_fails_is_an_error_and_the_tool_is_not_run(till):
    def needed(amount: int) -> bool:
        raise ValueError("no idea")

    agent = payer([call("pay", amount=5)], "sorry", tools=[careful(till, needed)])
    done = await send(agent, "go", service=InMemorySessionService())
    assert done.events[1].get_function_responses()[0].response == {"error": "ValueError: no idea"}
    assert till.paid == []


async def test_calls_beside_it_are_run_and_each_that_needs_it_is_asked_about(till):
    def look() -> str:
        """Looks."""
        return "seen"

    calls = [call("pay", amount=1), call("look"), call("pay", amount=2)]
    agent, service = payer(calls, "done", tools=[careful(till), look]), InMemorySessionService()
    paused = await send(agent, "go", service=service)
    assert [response.name for response in paused.events[1].get_function_responses()] == ["look"]
    first, second = waiting(paused)
    again = await send(agent, answer_to(second, confirmed=True), service=service)
    assert (again.events[0].get_function_responses()[0].response, status(again)) == ({"paid": 2}, "paused")
    done = await send(agent, answer_to(first, confirmed=False), service=service)
    assert (done.texts, till.paid) == ([("payer", "done")], [(2, "Ada")])
    sent = [part.function_response for part in agent.model.requests[-1].contents[-1].parts]
    assert [response.name for response in sent] == ["pay", "look", "pay"]


# -- answered


async def test_yes_runs_the_call_and_the_model_is_told_its_result_and_of_no_question(till):
    agent, service = (
        payer([call("pay", amount=500)], "paid", tools=[careful(till)], output_key="said"),
        InMemorySessionService(),
    )
    _, question = await ask(agent, service)
    done = await send(agent, answer_to(question, confirmed=True), service=service)
    assert (till.paid, done.texts, done.state["said"]) == ([(500, "Ada")], [("payer", "paid")], "paid")
    assert done.events[0].get_function_responses()[0].response == {"paid": 500}
    names = [
        held.name
        for request in agent.model.requests
        for content in request.contents
        for part in content.parts
        if (held := part.function_call or part.function_response)
    ]
    assert names == ["pay", "pay"]
    assert done.records("tool_started")[-1]["confirmed"] is True


async def test_changed_arguments_are_what_is_run_and_the_log_says_so(till):
    agent, service = payer([call("pay", amount=500)], "paid", tools=[careful(till)]), InMemorySessionService()
    _, question = await ask(agent, service)
    done = await send(agent, answer_to(question, confirmed=True, args={"amount": 20, "to": "Bob"}), service=service)
    assert till.paid == [(20, "Bob")]
    [response] = done.events[0].get_function_responses()
    assert done.events[0].custom_metadata == {"edited_args": {response.id: {"amount": 20, "to": "Bob"}}}
    assert done.records("tool_started")[-1]["edited_args"] == {"amount": 20, "to": "Bob"}
    [original] = next(event for event in done.session.events if event.get_function_calls()).get_function_calls()
    assert original.args == {"amount": 500}


async def test_changed_arguments_are_checked(till):
    agent, service = payer([call("pay", amount=500)], "sorry", tools=[careful(till)]), InMemorySessionService()
    _, question = await ask(agent, service)
    done = await send(agent, answer_to(question, confirmed=True, args={"amount": "a lot"}), service=service)
    assert "wrong arguments" in done.events[0].get_function_responses()[0].response["error"]
    assert till.paid == []


async def test_no_is_told_to_the_model_with_the_reason_and_it_thinks_again(till):
    agent, service = payer([call("pay", amount=500)], "I see", tools=[careful(till)]), InMemorySessionService()
    _, question = await ask(agent, service)
    done = await send(agent, answer_to(question, confirmed=False, reason="too much", args={"amount": 1}), service=service)
    [response] = done.events[0].get_function_responses()
    assert response.response == snapshot(
        {"error": "The call of pay was rejected by the person who was asked to confirm it: too much"}
    )
    assert (done.texts, till.paid) == ([("payer", "I see")], [])
    assert done.records("tool_finished")[-1]["error"] == response.response["error"]


@pytest.mark.parametrize(
    "response",
    [{}, {"confirmed": "yes"}, {"confirmed": None}, {"result": True}, {"confirmed": True, "args": [1]}, {"response": "{"}],
)
async def test_what_is_no_answer_is_refused_and_the_question_stays(till, response):
    agent, service = payer([call("pay", amount=500)], "paid", tools=[careful(till)]), InMemorySessionService()
    paused, question = await ask(agent, service)
    refused = await send(agent, answer_to(question, **response), service=service)
    assert isinstance(refused.error, AnswerError)
    assert '{"confirmed": true} or {"confirmed": false}' in str(refused.error)
    assert refused.log == paused.log
    assert till.paid == []


async def test_the_answer_may_be_wrapped_as_adks_own_page_does(till):
    agent, service = payer([call("pay", amount=500)], "paid", tools=[careful(till)]), InMemorySessionService()
    _, question = await ask(agent, service)
    await send(agent, answer_to(question, response='{"confirmed": true}'), service=service)
    assert till.paid == [(500, "Ada")]


async def test_the_original_call_takes_no_answer_itself(till):
    agent, service = payer([call("pay", amount=500)], "paid", tools=[careful(till)]), InMemorySessionService()
    paused, question = await ask(agent, service)
    assert is_question(question)
    going_on = paused.events[0].invocation_id
    answer = answer_to(paused.events[0].get_function_calls()[0], paid=500)
    refused = await send(agent, answer, service=service, invocation_id=going_on)
    assert isinstance(refused.error, AnswerError)
    assert f"which is asked for with another call: {question.id}" in str(refused.error)


async def test_it_is_asked_in_every_pass_of_a_loop(till):
    agent = payer([call("pay", amount=1)], "one", [call("pay", amount=2)], "two", tools=[careful(till)])
    loop, service = LoopAgent(name="loop", max_iterations=2, sub_agents=[agent]), InMemorySessionService()
    one = await send(loop, "go", service=service)
    while calls := waiting(one):
        one = await send(loop, answer_to(*calls, confirmed=True), service=service)
    assert (status(one), till.paid) == ("completed", [(1, "Ada"), (2, "Ada")])


async def test_callbacks_around_the_tool_are_called_when_it_is_run(till):
    seen: list[str] = []
    agent = payer(
        [call("pay", amount=5)],
        "paid",
        tools=[careful(till)],
        before_tool_callback=lambda tool, args, tool_context: seen.append(f"before {args['amount']}"),
        after_tool_callback=lambda tool, args, tool_context, tool_response: seen.append(f"after {tool_response}"),
    )
    service = InMemorySessionService()
    _, question = await ask(agent, service)
    await send(agent, answer_to(question, confirmed=True, args={"amount": 6}), service=service)
    assert seen == ["before 5", "before 6", "after {'paid': 6}"]


# -- a tool that asks by itself


def leave(days: int, tool_context: ToolContext) -> dict[str, Any]:
    """Asks for leave."""
    said = tool_context.tool_confirmation
    if said is None:
        tool_context.state["asked"] = days
        tool_context.request_confirmation(hint="May they go?", payload={"days": days})
        return {"status": "somebody is asked"}
    return {"granted": said.payload["days"], "hint": said.hint}


async def test_a_tool_may_ask_by_itself_and_is_called_again_with_the_answer():
    agent, service = payer([call("leave", days=9)], "enjoy", tools=[leave]), InMemorySessionService()
    paused, question = await ask(agent, service)
    assert question.args["toolConfirmation"] == {"hint": "May they go?", "confirmed": False, "payload": {"days": 9}}
    assert paused.state["asked"] == 9
    done = await send(agent, answer_to(question, confirmed=True, payload={"days": 3}), service=service)
    assert done.events[0].get_function_responses()[0].response == {"granted": 3, "hint": "May they go?"}
    assert done.texts == [("payer", "enjoy")]


async def test_the_payload_stays_as_it_was_offered_where_nobody_changes_it():
    agent, service = payer([call("leave", days=9)], "enjoy", tools=[leave]), InMemorySessionService()
    _, question = await ask(agent, service)
    done = await send(agent, answer_to(question, confirmed=True), service=service)
    assert done.events[0].get_function_responses()[0].response["granted"] == 9


async def test_who_says_no_to_a_tool_that_asked_by_itself_is_not_overheard():
    agent, service = payer([call("leave", days=9)], "a pity", tools=[leave]), InMemorySessionService()
    _, question = await ask(agent, service)
    done = await send(agent, answer_to(question, confirmed=False), service=service)
    assert "was rejected" in done.events[0].get_function_responses()[0].response["error"]


async def test_a_tool_may_ask_twice():
    def sign(tool_context: ToolContext) -> str:
        """Signs."""
        said = tool_context.tool_confirmation
        if said is None or said.hint == "first":
            tool_context.request_confirmation(hint="first" if said is None else "second")
        return "signed"

    agent, service = payer([call("sign")], "done", tools=[sign]), InMemorySessionService()
    _, question = await ask(agent, service)
    again = await send(agent, answer_to(question, confirmed=True), service=service)
    [second] = waiting(again)
    assert second.args["toolConfirmation"]["hint"] == "second"
    done = await send(agent, answer_to(second, confirmed=True), service=service)
    assert (done.events[0].get_function_responses()[0].response, done.texts) == ({"result": "signed"}, [("payer", "done")])


@pytest.mark.parametrize("payload", [object(), float("nan"), {1, 2}])
async def test_a_payload_that_cannot_be_kept_is_the_tools_error(payload):
    def bad(tool_context: ToolContext) -> None:
        """Asks badly."""
        tool_context.request_confirmation(payload=payload)

    done = await send(payer([call("bad")], "sorry", tools=[bad]), "go", service=InMemorySessionService())
    assert "payload of a confirmation cannot be kept" in done.events[1].get_function_responses()[0].response["error"]
    assert status(done) == "completed"


@pytest.mark.parametrize(("confirmed", "result"), [(True, {"paid": 5}), (False, {"error": "The call of pay was rejected."})])
async def test_the_tool_itself_heeds_what_was_said(till, confirmed, result):
    session = Session(id="s", app_name="app", user_id="u")
    context = InvocationContext(
        invocation_id="i", agent=LlmAgent(name="a"), session=session, session_service=InMemorySessionService()
    )
    said = ToolConfirmation(confirmed=confirmed)
    tool_context = ToolContext(context, function_call_id="c", tool_confirmation=said)
    assert await careful(till).run_async(args={"amount": 5}, tool_context=tool_context) == result
    assert till.paid == ([(5, "Ada")] if confirmed else [])


def test_a_confirmation_reads_as_adks_does():
    assert ToolConfirmation.model_validate({"confirmed": True}) == ToolConfirmation(confirmed=True)
    assert (ToolConfirmation().hint, ToolConfirmation().confirmed, ToolConfirmation().payload) == ("", False, None)


# -- asked in a callback


@pytest.mark.parametrize("returned", [None, {"error": "ask first"}])
async def test_what_a_callback_asks_is_asked_before_the_tool_runs_and_the_tool_runs_once(till, returned):
    def check(tool, args, tool_context):
        if tool_context.tool_confirmation is None:
            tool_context.request_confirmation(hint="Really?", payload={"most": 10})
            return returned
        return None

    agent = payer([call("pay", amount=5)], "done", tools=[till.pay], before_tool_callback=check)
    service = InMemorySessionService()
    _, question = await ask(agent, service)
    assert question.args["toolConfirmation"] == {"hint": "Really?", "confirmed": False, "payload": {"most": 10}}
    assert till.paid == []
    done = await send(agent, answer_to(question, confirmed=True), service=service)
    assert (done.error, status(done), till.paid) == (None, "completed", [(5, "Ada")])


async def test_a_callback_that_asks_the_same_each_time_is_answered_once(till):
    agent = payer(
        [call("pay", amount=5)],
        "done",
        tools=[till.pay],
        before_tool_callback=lambda tool, args, tool_context: tool_context.request_confirmation(hint="Really?"),
    )
    service = InMemorySessionService()
    _, question = await ask(agent, service)
    done = await send(agent, answer_to(question, confirmed=True), service=service)
    assert (status(done), till.paid) == ("completed", [(5, "Ada")])


async def test_of_two_calls_only_the_one_that_a_callback_asks_about_waits(till):
    def check(tool, args, tool_context):
        if args["amount"] > 10 and tool_context.tool_confirmation is None:
            tool_context.request_confirmation(hint="Much.")

    agent = payer([call("pay", amount=5), call("pay", amount=50)], "done", tools=[till.pay], before_tool_callback=check)
    service = InMemorySessionService()
    _, question = await ask(agent, service)
    assert till.paid == [(5, "Ada")]
    done = await send(agent, answer_to(question, confirmed=True), service=service)
    assert (status(done), till.paid) == ("completed", [(5, "Ada"), (50, "Ada")])


async def test_a_question_after_the_tool_is_an_error_and_the_tool_does_not_run_again(till):
    def check(tool, args, tool_context, tool_response):
        tool_context.request_confirmation(hint="Was that right?")

    agent = payer([call("pay", amount=5)], tools=[till.pay], after_tool_callback=check)
    done = await send(agent, "go", service=InMemorySessionService())
    assert "before_tool_callback" in str(done.error)
    assert till.paid == [(5, "Ada")]


async def test_the_payload_of_a_rejection_reaches_the_model(till):
    def check(tool, args, tool_context):
        tool_context.request_confirmation(hint="Really?", payload={"most": 10})

    agent = payer([call("pay", amount=50)], "done", tools=[till.pay], before_tool_callback=check)
    service = InMemorySessionService()
    _, question = await ask(agent, service)
    done = await send(agent, answer_to(question, confirmed=False, payload={"most": 3}), service=service)
    [response] = [r for event in done.events for r in event.get_function_responses() if r.name == "pay"]
    assert response.response["payload"] == {"most": 3}
    assert till.paid == []
