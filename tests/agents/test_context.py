"""Contexts: one invocation, seen with more or less power."""

from __future__ import annotations

import pytest

from agents import (
    CallbackContext,
    Event,
    EventActions,
    InMemorySessionService,
    InvocationContext,
    LlmAgent,
    ReadonlyContext,
    RunConfig,
    Session,
    ToolContext,
)
from agents.errors import StateValueError
from tests.agents.stage import Actor, user


def invocation(**more) -> InvocationContext:
    session = Session(id="s", app_name="app", user_id="u", state={"k": 1, "list": []})
    return InvocationContext(
        invocation_id="i", agent=LlmAgent(name="a"), session=session, session_service=InMemorySessionService(), **more
    )


def test_a_copy_is_of_the_same_invocation():
    context = invocation(branch="p", user_content=user("hi"))
    copy = context.model_copy(update={"branch": "p.a"})
    child = copy.for_agent(Actor(name="b"))
    assert (context.branch, copy.branch, child.branch, child.agent.name, copy.agent.name) == ("p", "p.a", "p.a", "b", "a")
    assert (child.session, child.user_content, child.app_name, child.user_id) == (context.session, user("hi"), "app", "u")
    child.end_invocation = True
    child.count_llm_call()
    child.count_tokens(sent=2, received=1)
    assert (context.end_invocation, context.llm_calls, context.tokens) == (True, 1, (2, 1))


def test_a_readonly_context_changes_nothing():
    view = ReadonlyContext(invocation(user_content=user("hi"), run_config=RunConfig(max_llm_calls=3)))
    assert (view.agent_name, view.invocation_id, view.user_id, view.user_content) == ("a", "i", "u", user("hi"))
    assert (view.state["k"], view.run_config.max_llm_calls, view.session.id) == (1, 3, "s")
    with pytest.raises(TypeError):
        view.state["k"] = 2  # type: ignore[index]


def test_a_callback_context_writes_live_state_and_its_events_delta():
    context, actions = invocation(), EventActions()
    view = CallbackContext(context, actions)
    view.state["k"] = 2
    view.state["list"].append("x")
    view.state.collect_edits()
    assert context.session.state == {"k": 2, "list": ["x"]}
    assert actions.state_delta == {"k": 2, "list": ["x"]}
    assert view.actions is actions
    with pytest.raises(StateValueError, match="'bad'"):
        view.state["bad"] = object()


def test_a_tool_context_knows_its_call():
    view = ToolContext(invocation(), function_call_id="c-1")
    view.actions.escalate = True
    assert (view.function_call_id, view.actions.escalate, view.state["k"]) == ("c-1", True, 1)
    assert ToolContext(invocation()).actions.escalate is None


@pytest.mark.anyio
async def test_records_are_stored_together_and_stay_pending_when_that_fails():
    service = InMemorySessionService()
    session = await service.create_session(app_name="app", user_id="u", session_id="s")
    context = InvocationContext(invocation_id="i", agent=Actor(name="a"), session=session, session_service=service)
    context.record("one", x=1)
    context.record("two", agent="other")
    context.refer_to("hash", "text")
    with pytest.raises(StateValueError):
        await context.store(Event(author="a", actions=EventActions(state_delta={"k": object()})))
    context.record("three")
    await context.flush()
    await context.flush()
    log = await service.read_log(app_name="app", user_id="u", session_id="s")
    assert [(entry.kind, entry.fields()["agent"]) for entry in log[1:]] == [("one", "a"), ("two", "other"), ("three", "a")]
    assert await service.read_texts(["hash"]) == {"hash": "text"}


def test_an_event_is_signed_where_it_is_not():
    context = invocation(branch="p.a")
    event = context.sign(Event())
    assert (event.author, event.invocation_id, event.branch) == ("a", "i", "p.a")
    signed = context.sign(Event(author="x", invocation_id="y", branch="z"))
    assert (signed.author, signed.invocation_id, signed.branch) == ("x", "y", "z")


def test_an_escalation_is_taken_once():
    context = invocation()
    event = Event(actions=EventActions(escalate=True))
    assert context.escalates(event)
    assert (context.handle_escalation(event), context.handle_escalation(event), context.escalates(event)) == (
        True,
        False,
        False,
    )
    assert not context.handle_escalation(Event())


def test_a_failure_belongs_to_the_innermost_agent_that_it_ended():
    context = invocation()
    inner = context.for_agent(Actor(name="inner")).model_copy(update={"branch": "p.inner"})
    error, other = ValueError("x"), ValueError("y")
    inner.note_failure(error)
    context.note_failure(error)
    assert context.place_of(error) == ("inner", "p.inner")
    assert context.place_of(other) == ("a", None)
    context.note_failure(other)
    assert context.place_of(other) == ("a", None)
