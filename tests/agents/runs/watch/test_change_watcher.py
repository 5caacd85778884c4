"""What a subscriber of all sessions is told: at once, then once after any number of changes."""

from __future__ import annotations

import asyncio

import pytest

from agents.access import OWNER
from agents.runs.values import LostRun, SessionKey
from agents.runs.watch import watch as watching_module
from agents.runs.watch.change_watcher import ChangeWatcher
from agents.runs.watch.watch import Watching
from agents.storage.sessions.memory import InMemorySessionService
from tests.agents.runs.stage import soon

pytestmark = pytest.mark.anyio
NAME = {"app_name": "stage", "user_id": OWNER.id, "session_id": "s"}


@pytest.fixture
def service():
    return InMemorySessionService()


@pytest.fixture
async def watching(service):
    watching = Watching(service)
    yield watching
    watching.close()


@pytest.fixture
async def watcher(watching):
    """A subscriber that has read the list once."""
    watcher = ChangeWatcher()
    watching.enter(watcher)
    assert await soon(watcher.next())
    return watcher


async def settled(waiting: asyncio.Future) -> bool:
    """Whether it has ended, after everything that is under way had its turn."""
    for _ in range(5):
        await asyncio.sleep(0)
    return waiting.done()


async def test_each_kind_of_change_is_told(service, watcher):
    for change in (
        lambda: service.create_session(**NAME),
        lambda: service.rename_session(**NAME, title="tea"),
        lambda: service.delete_session(**NAME),
        lambda: service.restore_session(**NAME),
    ):
        waiting = asyncio.ensure_future(watcher.next())
        assert not await settled(waiting)
        await change()
        assert await soon(waiting)


async def test_the_sessions_that_changed_are_named(service, watcher):
    await service.create_session(**NAME)
    await service.create_session(**{**NAME, "session_id": "t"})
    seen = set()
    while len(seen) < 2:
        changes = await soon(watcher.next())
        assert not changes.everything
        seen |= changes.keys
    assert seen == {SessionKey("stage", "s", OWNER.id), SessionKey("stage", "t", OWNER.id)}


async def test_many_changes_between_two_calls_are_one(service, watcher):
    await service.create_session(**NAME)
    for number in range(20):
        await service.rename_session(**NAME, title=f"tea {number}")
    told = 0
    waiting = asyncio.ensure_future(watcher.next())
    while await settled(waiting):
        told += 1
        waiting = asyncio.ensure_future(watcher.next())
    waiting.cancel()
    assert told == 1


async def test_sessions_of_others_are_no_news(service, watcher):
    await service.create_session(app_name="stage", user_id="somebody", session_id="s")
    waiting = asyncio.ensure_future(watcher.next())
    assert not await settled(waiting)
    waiting.cancel()


async def test_a_run_whose_end_could_not_be_stored_is_a_change(watching, watcher):
    watching.lose(SessionKey("stage", "s", OWNER.id), LostRun("i", "It is gone."))
    assert await soon(watcher.next())


async def test_what_other_processes_wrote_is_found_by_the_change_mark(service, watching, monkeypatch):
    monkeypatch.setattr(watching_module, "POLL_SECONDS", 0.01)
    watcher = ChangeWatcher()
    watching.enter(watcher)
    await soon(watcher.next())
    monkeypatch.setattr(service, "change_mark", lambda: 41)
    assert (await soon(watcher.next())).everything


async def test_closing_ends_a_wait_and_all_that_follow(watching, watcher):
    waiting = asyncio.ensure_future(watcher.next())
    await asyncio.sleep(0)
    watching.close()
    assert not await soon(waiting)
    assert not await soon(watcher.next())


async def test_nothing_is_polled_and_nothing_rings_once_nobody_watches(watching, watcher):
    watching.leave(watcher)
    await asyncio.sleep(0)
    assert [task for task in asyncio.all_tasks() if task.get_name() == "watch other processes"] == []
    assert watching._all.unused
