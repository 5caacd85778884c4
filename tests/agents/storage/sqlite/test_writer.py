"""Short appends that are done at once, and all that sends them to the thread."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents.storage.sessions import SqliteSessionService
from agents.storage.sessions.append import SHORT_CHARACTERS, SHORT_ENTRIES
from agents.storage.sqlite.writer import CHECKPOINT_EVERY
from tests.agents.storage.conftest import S1, delta, said
from tests.agents.storage.sessions.test_faults import locked

pytestmark = pytest.mark.anyio


class Where:
    """In which thread each commit of a service was made."""

    def __init__(self, service: SqliteSessionService) -> None:
        self.threads: list[int] = []
        service.add_listener(lambda *_: self.threads.append(threading.get_ident()))

    @property
    def here(self) -> list[bool]:
        """Of each commit, whether it was made in this thread; forgets them."""
        found = [thread == threading.get_ident() for thread in self.threads]
        self.threads.clear()
        return found


@pytest.fixture
def where(sqlite: SqliteSessionService) -> Where:
    return Where(sqlite)


@pytest.fixture
async def patient(tmp_path: Path, anyio_backend: str) -> AsyncIterator[SqliteSessionService]:
    service = SqliteSessionService(tmp_path / "test.db", busy_timeout=30)
    yield service
    await service.close()


async def test_a_short_append_is_made_where_it_was_asked_for(sqlite, where):
    session = await sqlite.create_session(**S1)
    for n in range(3):
        await sqlite.append_event(session, delta(n=n))
    assert where.here == [False, True, True, True]
    stored = await sqlite.get_session(**S1)
    assert (stored, stored.last_seq, stored.state) == (session, session.last_seq, {"n": 2})


@pytest.mark.parametrize(
    ("entries", "texts"),
    [
        pytest.param([said("x" * SHORT_CHARACTERS)], None, id="long"),
        pytest.param([said("x")] * (SHORT_ENTRIES + 1), None, id="many"),
        pytest.param([said("x")], {"hash": "text"}, id="with texts"),
    ],
)
async def test_a_long_append_is_left_to_the_thread(sqlite, where, entries, texts):
    session = await sqlite.create_session(**S1)
    await sqlite.append(session, [event.model_copy(deep=True) for event in entries], texts=texts)
    await sqlite.append_event(session, said("short"))
    assert where.here == [False, False, True]
    assert (await sqlite.get_session(**S1)).events == session.events


async def test_who_has_missed_something_reads_it_in_the_thread(sqlite, where):
    session = await sqlite.create_session(**S1)
    other = await sqlite.get_session(**S1)
    await sqlite.append_event(session, delta(a=1))
    await sqlite.append_event(other, delta(b=2))
    assert where.here == [False, True, False]
    assert other.state == {"a": 1, "b": 2}


async def test_a_lock_is_waited_for_in_the_thread_while_the_loop_goes_on(patient):
    session, where = await patient.create_session(**S1), Where(patient)
    with locked(patient.path):
        task = asyncio.create_task(patient.append_event(session, said("waits")))
        for _ in range(5):
            await asyncio.sleep(0)
        assert not task.done()
    await task
    await patient.append_event(session, said("short"))
    assert where.here == [False, True]
    assert [event.text for event in session.events] == ["waits", "short"]


async def test_appends_keep_their_order_whoever_makes_them(sqlite):
    session = await sqlite.create_session(**S1)
    texts = [str(n) + "x" * (SHORT_CHARACTERS * (n % 3 == 0)) for n in range(30)]
    await asyncio.gather(*(sqlite.append_event(session, said(text)) for text in texts))
    assert [event.text for event in session.events] == texts
    assert (await sqlite.get_session(**S1)).events == session.events


async def test_threads_with_loops_of_their_own_lose_nothing(sqlite):
    sessions = [await sqlite.create_session(**S1 | {"session_id": f"s{n}"}) for n in range(4)]

    def append_all(session):
        async def appending():
            for n in range(50):
                await sqlite.append_event(session, said(str(n)))

        asyncio.run(appending())

    await asyncio.gather(*(asyncio.to_thread(append_all, session) for session in sessions))
    for session in sessions:
        stored = await sqlite.get_session(app_name=session.app_name, user_id=session.user_id, session_id=session.id)
        assert [event.text for event in stored.events] == [str(n) for n in range(50)]


async def test_the_log_goes_into_the_file_now_and_then(sqlite):
    session = await sqlite.create_session(**S1)
    before = sqlite.path.stat().st_size
    for n in range(CHECKPOINT_EVERY):
        await sqlite.append_event(session, said(f"{n} {'x' * 1000}"))
    await sqlite.open()  # is done in the thread, after what was given to it before, and writes nothing
    assert sqlite.path.stat().st_size > before + CHECKPOINT_EVERY * 500


async def test_after_close_nothing_is_open(sqlite):
    session = await sqlite.create_session(**S1)
    await sqlite.append_event(session, said("x"))
    await sqlite.close()
    assert not sqlite.path.with_name("test.db-wal").exists(), "the last connection tidies up"
    with sqlite3.connect(sqlite.path) as conn:
        assert conn.execute("SELECT count(*) FROM log WHERE kind = 'event'").fetchone() == (1,)
    conn.close()
