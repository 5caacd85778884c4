"""What is not stored yet: several agents at once tell one log."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.event import Event
from agents.log import TraceRecord
from agents.runtime.pending_log import PendingLog
from agents.session import Session
from agents.storage.sessions import InMemorySessionService
from tests.agents.stage import APP, USER, say

pytestmark = pytest.mark.anyio


class Slow(InMemorySessionService):
    """Stores in the order in which it was asked, as every service does, and takes its time.

    Args:
        turns: How many turns of the event loop each append takes.
        failing: Which appends fail, counted from 0.
    """

    def __init__(self, turns: Sequence[int] = (), failing: Sequence[int] = ()) -> None:
        super().__init__()
        self._turns = [*turns]
        self._failing = failing
        self._appends = 0
        self._queue = asyncio.Lock()

    async def append(self, session: Session, entries: Sequence[Any], *, texts: Any = None) -> list[int]:
        number, self._appends = self._appends, self._appends + 1
        async with self._queue:
            for _ in range(self._turns[number % len(self._turns)] if self._turns else 0):
                await asyncio.sleep(0)
            if number in self._failing:
                raise OSError("no disk")
            return await super().append(session, entries, texts=texts)


async def pending_log(service: InMemorySessionService) -> PendingLog:
    session = await service.create_session(app_name=APP, user_id=USER, session_id="s")
    return PendingLog(session, service)


async def stored(service: InMemorySessionService) -> list[str]:
    """Names of the records and texts of the events, as they are in the log."""
    entries = await service.read_log(app_name=APP, user_id=USER, session_id="s")
    return [e.event().text if e.kind == "event" else e.fields()["agent"] for e in entries if e.kind != "session_created"]


def noted(name: str) -> TraceRecord:
    return TraceRecord("noted", agent=name)


steps = st.lists(st.sampled_from(["record", "event", "flush", "soon", "wait"]), max_size=8)


@given(st.lists(steps, min_size=1, max_size=4), st.lists(st.integers(0, 3), min_size=1, max_size=6))
@settings(max_examples=100, deadline=None)
def test_all_is_stored_once_and_each_agents_part_in_its_order(plans, turns):
    async def work() -> tuple[list[list[str]], list[str]]:
        service = Slow(turns)
        log = await pending_log(service)
        told = await asyncio.gather(*(tell(service, log, f"a{i}", plan) for i, plan in enumerate(plans)))
        await log.store()
        return told, await stored(service)

    async def tell(service: Slow, log: PendingLog, name: str, plan: list[str]) -> list[str]:
        told: list[str] = []
        for n, step in enumerate(plan):
            entry = f"{name}.{n}"
            if step == "record":
                log.records.append(noted(entry))
                told.append(entry)
            elif step == "event":
                await log.store(say(name, entry))
                told.append(entry)
            elif step == "flush":
                await log.flush()
                assert set(told) <= set(await stored(service))
            elif step == "soon":
                log.flush_soon()
            else:
                await asyncio.sleep(0)
        return told

    told, found = asyncio.run(work())
    assert sorted(found) == sorted(entry for entries in told for entry in entries)
    for i, entries in enumerate(told):
        assert [entry for entry in found if entry.startswith(f"a{i}.")] == entries


async def test_a_store_that_fails_keeps_the_records_of_all_for_the_next():
    service = Slow(failing=[0])
    log = await pending_log(service)
    log.records.append(noted("a"))
    log.records.append(noted("b"))
    with pytest.raises(OSError, match="no disk"):
        await log.store(say("a", "lost"))
    log.records.append(noted("c"))
    await log.store(say("b", "kept"))
    assert await stored(service) == ["a", "b", "c", "kept"]


async def test_what_failed_in_the_background_is_raised_by_whoever_stores_next_and_by_nobody_later():
    service = Slow(failing=[0])
    log = await pending_log(service)
    log.records.append(noted("a"))
    log.flush_soon()
    await asyncio.sleep(0)
    with pytest.raises(OSError, match="no disk"):
        await log.store(say("a", "lost"))
    await log.store(say("b", "kept"))
    assert await stored(service) == ["a", "kept"]


async def test_who_is_cancelled_while_others_store_takes_nothing_along():
    service = Slow(turns=[3])
    log = await pending_log(service)
    log.records.append(noted("a"))
    log.flush_soon()
    await asyncio.sleep(0)
    log.records.append(noted("b"))
    waiting = asyncio.create_task(log.store(Event(author="b")))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await log.store(say("c", "kept"))
    assert await stored(service) == ["a", "b", "kept"]


async def test_a_flush_waits_for_its_records_when_somebody_else_is_storing_them():
    """A tool must not begin before the log says so, also when another agent's event took the record along."""
    service = Slow(turns=[5])
    log = await pending_log(service)
    log.records.append(noted("a"))
    other = asyncio.create_task(log.store(say("b", "event")))
    await asyncio.sleep(0)
    await log.flush()
    assert await stored(service) == ["a", "event"]
    assert other.done()


async def test_a_flush_stores_its_records_when_somebody_else_failed_to():
    service = Slow(turns=[5], failing=[0])
    log = await pending_log(service)
    log.records.append(noted("a"))
    other = asyncio.create_task(log.store(say("b", "lost")))
    await asyncio.sleep(0)
    await log.flush()
    assert await stored(service) == ["a"]
    with pytest.raises(OSError, match="no disk"):
        await other


async def test_of_two_who_flush_one_may_be_cancelled():
    service = Slow(turns=[5])
    log = await pending_log(service)
    log.records.append(noted("a"))
    tasks = [asyncio.create_task(work) for work in (log.store(say("b", "event")), log.flush(), log.flush())]
    await asyncio.sleep(0)
    tasks[1].cancel()
    await tasks[2]
    assert await stored(service) == ["a", "event"]
    assert tasks[1].cancelled()
    await tasks[0]
