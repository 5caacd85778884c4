"""The limits of a run: what counts, and what a run says that reached one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import pytest
from google.genai import types

from agents import BaseAgent, Event, EventActions, InvocationContext, LlmAgent, LoopAgent, RunConfig
from agents.errors import RunLimitExceededError
from agents.models.scripted import ScriptedLlm
from agents.pipeline import Card
from agents.runner import Runner
from agents.runtime.run_config import DeadlineError, RunTimer, TimeLimit
from agents.storage.artifacts.memory import InMemoryArtifactService
from agents.storage.sessions.memory import InMemorySessionService
from agents.tools.agent_tool import AgentTool
from tests.agents.stage import Actor, play, say, user

pytestmark = pytest.mark.anyio


class Endless(BaseAgent):
    """Yields what `make` makes, for ever."""

    make: Any

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        while True:
            yield self.make()


FILE = types.FunctionResponsePart.from_bytes(data=b"x" * 1000, mime_type="a/b")


def of_parts(*parts: types.Part) -> Event:
    return Event(author="a", content=types.Content(parts=list(parts)))


async def ended(agent: BaseAgent, **limits: Any) -> tuple[str, int]:
    """What the last event of a run says that must reach a limit, and how many events are stored."""
    played = await play(agent, config=RunConfig(**limits))
    assert isinstance(played.error, RunLimitExceededError)
    last = played.session.events[-1]
    assert (last.error_code, last.error_message) == (played.error.code, str(played.error))
    [limit] = limits
    assert f"RunConfig({limit}=" in last.error_message
    assert played.log[-1][1]["status"] == "failed"
    return last.error_message, len(played.session.events)


async def test_events_without_an_end():
    said, stored = await ended(Endless(name="a", make=lambda: say("a", "x")), max_events=10)
    assert "ended after 10 events" in said
    assert stored == 10 + 1  # the user's message is one of them, and the error comes after them


async def test_empty_events_count():
    await ended(LoopAgent(name="l", sub_agents=[Actor(name="a", lines=[lambda _: Event(author="a")])]), max_events=50)


@pytest.mark.parametrize(
    "make",
    [
        lambda: say("a", "x" * 1000),
        lambda: say("a", "x" * 1000, partial=True),
        lambda: Event(author="a", partial=True),
        lambda: Event(author="a", actions=EventActions(state_delta={"k": "x" * 1000})),
        lambda: of_parts(types.Part.from_bytes(data=b"x" * 1000, mime_type="a/b")),
        lambda: of_parts(types.Part.from_function_call(name="x" * 1000, args={})),
        lambda: of_parts(types.Part.from_function_call(name="t", args={"k": ["x" * 1000]})),
        lambda: of_parts(types.Part.from_function_response(name="t", response={"k": ["x" * 1000]})),
        lambda: of_parts(types.Part.from_function_response(name="t", response={}, parts=[FILE])),
    ],
    ids=[
        "text",
        "streamed text",
        "empty pieces",
        "state",
        "data",
        "name of a call",
        "arguments of a call",
        "response",
        "file of a response",
    ],
)
async def test_bytes_of_all_kinds_count(make):
    said, stored = await ended(Endless(name="a", make=make), max_bytes=10_000)
    assert "where 10,000 are allowed" in said
    assert stored <= 12


async def test_files_count():
    async def save(ctx: InvocationContext) -> None:
        from agents import CallbackContext

        while True:
            await CallbackContext(ctx).save_artifact("f", types.Part.from_bytes(data=b"x" * 1000, mime_type="a/b"))

    sessions = InMemorySessionService()
    agent, files = Actor(name="a", lines=[save]), InMemoryArtifactService()
    runner = Runner(app_name="a", agent=agent, session_service=sessions, artifact_service=files)
    await sessions.create_session(app_name="a", user_id="u", session_id="s")
    with pytest.raises(RunLimitExceededError, match="max_bytes"):
        async for _ in runner.run_async(
            user_id="u", session_id="s", new_message=user("go"), run_config=RunConfig(max_bytes=9000)
        ):
            pass


async def test_time_ends_a_run_that_waits():
    async def wait(_: InvocationContext) -> None:
        await asyncio.Event().wait()

    said, _ = await ended(Actor(name="a", lines=["x", wait]), max_seconds=0.01)
    assert "ended after 0.01 seconds" in said


async def test_time_ends_a_run_that_never_waits():
    said, _ = await ended(Endless(name="a", make=lambda: say("a", "x")), max_seconds=0.01)
    assert "max_seconds" in said


async def test_an_agent_that_is_used_as_a_tool_has_the_limits_of_the_run():
    inner = Endless(name="inner", make=lambda: say("inner", "x"))
    model = ScriptedLlm(script=[[types.FunctionCall(name="inner", args={"request": "go"})]])
    await ended(LlmAgent(name="outer", model=model, tools=[AgentTool(inner)]), max_events=20)


async def test_a_run_within_its_limits_ends_as_ever():
    played = await play(Actor(name="a", lines=["x", "y"]), config=RunConfig(max_events=3, max_bytes=2000, max_seconds=60))
    assert played.error is None


async def test_without_limits():
    lines = ["x" * 1000] * 20
    played = await play(Actor(name="a", lines=lines), config=RunConfig(max_events=0, max_bytes=0, max_seconds=0))
    assert played.error is None


async def test_a_card_sets_the_limits_of_its_pipeline():
    card = Card(title="", pattern="", summary="", lesson="", samples=(), ends_when="", max_events=7, max_seconds=1.5)
    assert card.limits == {"max_events": 7, "max_seconds": 1.5}


# -- waiting in time

PIECE = "piece"


async def pieces(count, then=None):
    for _ in range(count):
        yield PIECE
    if then is not None:
        await then()


async def for_ever():
    await asyncio.Event().wait()


async def next_in(limit, items):
    with limit:
        return await anext(items, None)


async def in_time(items, seconds):
    timer = RunTimer(seconds)
    limit = TimeLimit(timer, seconds, is_of_each=True)
    try:
        while (item := await next_in(limit, items)) is not None:
            yield item
    finally:
        limit.close()
        timer.close()


async def take(into, responses):
    async for response in responses:
        into.append(response)


@pytest.mark.parametrize("said", [0, 1, 3])
async def test_a_wait_that_takes_too_long_ends_however_much_came_before(said):
    got: list[str] = []
    with pytest.raises(DeadlineError):
        await take(got, in_time(pieces(said, for_ever), 0.01))
    assert len(got) == said


async def test_the_consumer_may_be_slow():
    got = []
    async for piece in in_time(pieces(3), 0.01):
        await asyncio.sleep(0.03)  # three times the silence that is allowed
        got.append(piece)
    assert len(got) == 3


async def test_without_a_limit_a_wait_may_be_long():
    released = asyncio.Event()
    asyncio.get_running_loop().call_later(0.02, released.set)
    assert [piece async for piece in in_time(pieces(1, released.wait), None)] == [PIECE]


async def test_a_cancellation_from_outside_is_not_taken_for_the_end_of_the_time():
    begun = asyncio.Event()

    async def listen():
        async with aclosing(in_time(pieces(1, for_ever), 60)) as responses:
            async for _ in responses:
                begun.set()

    task = asyncio.create_task(listen())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_the_task_can_go_on_after_the_end_of_the_time():
    with pytest.raises(DeadlineError):
        await take([], in_time(pieces(0, for_ever), 0.01))
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    await asyncio.sleep(0)


async def test_a_generators_own_timeout_stays_what_it_is():
    async def late():
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        await take([], in_time(pieces(1, late), 60))


async def test_one_timer_serves_limits_that_end_at_different_times():
    timer = RunTimer(60, 0.01)
    outer = TimeLimit(timer, 60)

    async def inner():
        limit = TimeLimit(timer, 0.01, is_of_each=True)
        with pytest.raises(DeadlineError):
            await next_in(limit, pieces(0, for_ever))
        limit.close()
        yield PIECE

    assert await next_in(outer, inner()) == PIECE
    timer.close()


async def test_the_time_of_all_items_does_not_begin_anew():
    timer = RunTimer(0)
    limit = TimeLimit(timer, 0)
    with pytest.raises(DeadlineError):
        await next_in(limit, pieces(1))
    timer.close()
