"""Runs as adapters use them: followed to their end or pause, answered, stopped, and left by their client."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from agents import EVENT_KIND
from agents.access import OWNER, TokenScope
from agents.errors import NotPermittedError
from agents.runs import Partial
from tests.ui.stage import finish
from ui.api import followed_run
from ui.api.followed_run import RunEnd, follow, start

pytestmark = pytest.mark.anyio


async def all_of(manager, run):
    async with aclosing(follow(manager, run)) as news:
        return [item async for item in news]


async def test_a_run_is_followed_to_its_end(manager):
    run = await start(manager, "iterative_writing", "a lighthouse")
    found = await all_of(manager, run)
    assert isinstance(found[-1], RunEnd)
    assert (found[-1].record.status, found[-1].waiting) == ("completed", ())
    assert found[-1].record.calls > 1
    stored = [item.seq for item in found if not isinstance(item, Partial | RunEnd)]
    assert stored == sorted(set(stored))
    assert [item.kind for item in found if not isinstance(item, Partial | RunEnd)].count(EVENT_KIND) >= 3


async def test_the_next_message_is_followed_alone(manager):
    first = await start(manager, "iterative_writing", "a lighthouse")
    await all_of(manager, first)
    second = await start(manager, "iterative_writing", "a harbour", session_id=first.session_id)
    found = await all_of(manager, second)
    events = [item.event() for item in found if not isinstance(item, Partial | RunEnd) and item.kind == EVENT_KIND]
    assert {event.invocation_id for event in events} == {second.invocation_id}


async def test_a_pause_says_what_waits_and_the_answer_is_followed_on(stages):
    run = await start(stages, "asking", "pay 500")
    [*_, end] = await all_of(stages, run)
    assert end.record.status == "paused"
    [call] = end.waiting
    assert await followed_run.waiting(stages, "asking", run.session_id) == (call,)
    resumed = await followed_run.answer(stages, call, {"confirmed": True})
    [*_, end] = await all_of(stages, resumed)
    assert (end.record.status, end.waiting) == ("completed", ())
    assert await followed_run.waiting(stages, "asking", run.session_id) == ()


async def left(manager, pipeline):
    """Begins to follow a run and leaves it."""
    run = await start(manager, pipeline, "go")
    async with aclosing(follow(manager, run)) as news:
        async for _ in news:
            break
    await asyncio.to_thread(finish, manager, pipeline, run.session_id)
    return manager.sessions.find(pipeline, run.session_id).status


@pytest.mark.parametrize(("stops", "status"), [(False, "completed"), (True, "stopped")])
async def test_a_run_that_its_client_left_goes_on_or_stops_as_the_setting_says(manager, stops, status, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "400")
    manager.models.change(stops_with_client=stops)
    assert await left(manager, "iterative_writing") == status


async def test_a_token_without_the_scope_starts_nothing(manager):
    made, _ = manager.tokens.make(OWNER, "reader", {TokenScope.READ})
    with pytest.raises(NotPermittedError, match="lacks the scope run"):
        await start(manager.as_user(made.user), "iterative_writing", "a lighthouse")
    assert manager.sessions.page(limit=0).found == 0


async def test_sessions_of_a_token_are_the_owners(manager):
    made, _ = manager.tokens.make(OWNER, "runner", {TokenScope.RUN})
    run = await start(manager.as_user(made.user), "iterative_writing", "a lighthouse")
    await all_of(manager, run)
    assert manager.sessions.find("iterative_writing", run.session_id).user_id == OWNER.id
