"""Several services on one PostgreSQL database: each hears what the others change, and all agree with SQLite."""

from __future__ import annotations

import asyncio
import random
import threading

import psycopg
import pytest

from agents.storage.postgres import watch
from agents.storage.postgres.watch import Watch
from tests.agents.storage.conftest import NAMES, S1, delta, said, service_at

pytestmark = pytest.mark.anyio
WORDS = [
    "lamp",
    "Lamp",
    "lantern",
    "灯台守",
    "灯台",
    "ﾗﾝﾌﾟ",
    "ランプ",
    "100%",
    "a_b",
    "a\\b",
    "ß",
    "STRASSE",
    "é",
    "x",
    "\0odd",
    "tea",
]


class Heard:
    """What a listener is told; `until` waits for it."""

    def __init__(self) -> None:
        self.changes: list[tuple] = []
        self._more = threading.Event()

    def __call__(self, *change) -> None:
        self.changes.append(change)
        self._more.set()

    async def until(self, *change) -> None:
        while change not in self.changes:
            assert await asyncio.to_thread(self._more.wait, 20), self.changes
            self._more.clear()


@pytest.fixture
async def two(postgres, anyio_backend):
    services = service_at(postgres), service_at(postgres)
    yield services
    for service in services:
        await service.close()


async def test_a_change_is_heard_by_the_other_service_and_by_its_own_once(two):
    one, other = two
    ours, theirs = Heard(), Heard()
    one.add_listener(ours)
    other.add_listener(theirs)
    session = await one.create_session(**S1)
    await theirs.until("app", "user", "s1", 1)
    await one.append_event(session, said("x"))
    await theirs.until("app", "user", "s1", 2)
    assert ours.changes == [("app", "user", "s1", 1), ("app", "user", "s1", 2)]
    assert other.change_mark() > 0
    assert [event.text for event in (await other.get_session(**S1)).events] == ["x"]


async def until_marked(service, mark: int) -> None:
    async with asyncio.timeout(20):
        while service.change_mark() == mark:
            await asyncio.sleep(0.005)


async def test_the_mark_differs_after_a_change_that_nobody_told(two, monkeypatch):
    one, other = two
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.05)
    other.change_mark()
    await until_marked(other, 0)
    monkeypatch.setattr(Watch, "tell", lambda *_: None)  # as if that server had died before it could
    mark = other.change_mark()
    await one.create_session(**S1)
    await until_marked(other, mark)


async def test_a_listener_goes_on_after_its_connection_was_lost(two, postgres, monkeypatch):
    one, other = two
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.05)
    heard = Heard()
    other.add_listener(heard)
    session = await one.create_session(**S1)
    await heard.until("app", "user", "s1", 1)
    mark = other.change_mark()
    with psycopg.connect(postgres, autocommit=True) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query LIKE '%entries'"
        )
    await until_marked(other, mark)
    while not heard.changes[1:]:
        await one.append_event(session, said("x"))
        await asyncio.sleep(0.05)


def test_many_changes_are_told_in_notices_that_postgresql_takes():
    listening = Watch(None, lambda *_: None)
    names = [("app" * 60, "灯" * 250, f"s{number}") for number in range(60)]
    notices = [*listening._notices(dict.fromkeys(names, 7))]
    assert 1 < len(notices) < 30
    assert all(len(notice.encode()) < 8000 for notice in notices)
    found: list[tuple] = []
    other = Watch(None, lambda *change: found.append(change))
    for notice in notices:
        other._take(notice)
    for notice in ("", "7", "[]", '["me", 7]', '["me", ["app"]]', "[" * 5000):
        other._take(notice)  # anybody may send one
    assert found == [(*name, 7) for name in names]


async def test_a_search_finds_what_sqlites_finds(postgres, tmp_path):
    chance = random.Random(7)
    services = service_at(postgres), service_at(tmp_path / "test.db")
    for number in range(40):
        texts = [" ".join(chance.choices(WORDS, k=4)) for _ in range(3)]
        name = {**NAMES, "session_id": f"s{number}"}
        tag = chance.choice(WORDS)
        for service in services:
            session = await service.create_session(**name, state={chance.choice(["k", "k2"]): 1})
            await service.append(session, [said(text, author="user") for text in texts])
            await service.collection.tag(**name, add=[tag])
    queries = [*WORDS, *(" ".join(chance.sample(WORDS, 2)) for _ in range(60)), "", "nothing", "%", "_", "\\", "s1"]
    for query in queries:
        asked = {"user_id": "user", "text": query}
        one, other = [await service.collection.search(**asked) for service in services]
        assert one == other, query
        keys = one.sessions[:5]
        said_ones = [await service.collection.excerpts(**asked, sessions=keys) for service in services]
        assert said_ones[0] == said_ones[1], query
    for service in services:
        await service.close()


async def test_threads_with_event_loops_of_their_own_share_a_service(postgres):
    service = service_at(postgres)
    shared = await service.create_session(**S1)
    names = [{**NAMES, "session_id": f"t{number}"} for number in range(6)]

    def work(name) -> None:
        async def append_all() -> None:
            session = await service.create_session(**name)
            common = await service.get_session(**S1)
            for number in range(20):
                await asyncio.gather(
                    service.append_event(session, delta(n=number)),
                    service.append_event(session, delta(m=number)),
                    service.append_event(common, delta(**{name["session_id"]: number})),
                )
            assert [event.seq for event in session.events] == list(range(2, 42))

        asyncio.run(append_all())

    await asyncio.gather(*(asyncio.to_thread(work, name) for name in names))
    read = await service.get_session(**S1)
    assert [event.seq for event in read.events] == list(range(2, 122))
    assert read.state == {name["session_id"]: 19 for name in names}
    await service.append_event(shared, said("end"))
    assert len(shared.events) == 121
    await service.close()


async def test_a_caller_without_an_event_loop_reads_and_writes(postgres):
    service = service_at(postgres)

    def drive(call):
        with pytest.raises(StopIteration) as done:
            call.send(None)
        return done.value.value

    def work():
        drive(service.create_session(**S1))
        return drive(service.get_session(**S1))

    assert (await asyncio.to_thread(work)).id == "s1"
    await service.close()
