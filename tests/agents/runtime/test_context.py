"""Contexts: one invocation, seen with more or less power."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import (
    CallbackContext,
    Event,
    EventActions,
    InMemoryArtifactService,
    InMemorySessionService,
    InvocationContext,
    LlmAgent,
    ReadonlyContext,
    RunConfig,
    Session,
    ToolConfirmation,
    ToolContext,
)
from agents.errors import ArtifactError, NoArtifactServiceError, StateValueError, ToolError
from agents.runtime.position import Frame, Position
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


# -- pausing


def test_a_pause_is_its_own_contexts_until_its_agent_ends():
    context = invocation()
    child = context.for_agent(Actor(name="b"))
    child.pause()
    assert (child.paused, context.paused, child.for_agent(Actor(name="c")).paused) == (True, False, False)


@pytest.mark.parametrize(("branch", "may"), [(None, True), ("p.a", True), ("a:123abc", False), ("p.a.t:123abc.q.b", False)])
def test_nothing_pauses_where_an_agent_was_called_as_a_tool(branch, may):
    assert invocation(branch=branch).may_pause is may
    assert ToolContext(invocation(branch=branch)).may_pause is may


def test_in_a_run_that_goes_on_each_paused_agent_finds_its_position_once():
    a, b = Frame("a", "p.a", is_paused=True), Frame("b", "p.b", is_paused=True, thinks=2)
    parallel = Frame("p", is_paused=True, children=(a, Frame("c", "p.c"), b))
    stood = Position("i", parallel, calls=4, tokens=(5, 6))
    context = invocation(resume_from=stood)
    assert (context.llm_calls, context.tokens, context.position) == (4, (5, 6), None)
    assert context.for_agent(Actor(name="other")).position is None
    below = context.for_agent(Actor(name="p"))
    assert below.position is parallel
    in_b = below.model_copy(update={"branch": "p.b"})
    assert in_b.position is parallel
    assert in_b.for_agent(Actor(name="a")).position is None
    assert in_b.for_agent(Actor(name="b")).position is b
    assert in_b.for_agent(Actor(name="b")).position is None
    assert below.model_copy(update={"branch": "p.a"}).for_agent(Actor(name="a")).position is a


# -- a confirmation


def test_a_tool_context_asks_about_its_call():
    view = ToolContext(invocation(), function_call_id="c-1")
    assert view.tool_confirmation is None
    view.request_confirmation(hint="Sure?", payload={"n": 1})
    assert view.actions.requested_tool_confirmations == {
        "c-1": ToolConfirmation(hint="Sure?", confirmed=False, payload={"n": 1})
    }
    said = ToolConfirmation(confirmed=True)
    assert ToolContext(invocation(), function_call_id="c-1", tool_confirmation=said).tool_confirmation is said


def test_without_a_call_there_is_nothing_to_ask_about():
    with pytest.raises(ToolError, match="needs the id of a call"):
        ToolContext(invocation()).request_confirmation()


# -- artifacts


@pytest.mark.anyio
async def test_files_are_saved_versioned_and_told_of_by_the_event():
    service, actions = InMemoryArtifactService(), EventActions()
    view = CallbackContext(invocation(artifact_service=service), actions)
    first, second = types.Part(text="one"), types.Part.from_bytes(data=b"two", mime_type="image/png")
    assert [await view.save_artifact("notes.txt", first), await view.save_artifact("notes.txt", second)] == [0, 1]
    assert await view.save_artifact("user:logo.png", second) == 0
    assert actions.artifact_delta == {"notes.txt": 1, "user:logo.png": 0}
    assert [await view.load_artifact("notes.txt"), await view.load_artifact("notes.txt", 0)] == [second, first]
    assert await view.load_artifact("notes.txt", version=7) is None
    assert await view.list_artifacts() == ["notes.txt", "user:logo.png"]
    assert await service.load_artifact(app_name="app", user_id="u", session_id="s", filename="notes.txt") == second


@pytest.mark.anyio
async def test_what_cannot_be_kept_leaves_no_trace_in_the_event():
    view = ToolContext(invocation(artifact_service=InMemoryArtifactService()))
    with pytest.raises(ArtifactError):
        await view.save_artifact("../x", types.Part(text="one"))
    assert view.actions.artifact_delta == {}


@pytest.mark.anyio
@pytest.mark.parametrize("use", ["save", "load", "list"])
async def test_without_a_service_it_is_said_how_to_get_one(use):
    view = CallbackContext(invocation())
    calls = {
        "save": lambda: view.save_artifact("x", types.Part(text="")),
        "load": lambda: view.load_artifact("x"),
        "list": view.list_artifacts,
    }
    with pytest.raises(NoArtifactServiceError, match=r"Runner\(…, artifact_service=InMemoryArtifactService\(\)\)") as raised:
        await calls[use]()
    assert isinstance(raised.value, ValueError)
