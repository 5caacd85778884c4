from __future__ import annotations

import asyncio
import threading

import pytest

from agents.storage.sessions import SqliteSessionService
from agents.storage.tables.worker import NotNowError, Worker, WorkerClosedError
from tests.agents.storage.conftest import S1, delta

pytestmark = pytest.mark.anyio


@pytest.fixture
def worker():
    worker = Worker("test")
    yield worker
    worker.close()


async def test_jobs_run_in_order_in_one_other_thread(worker):
    threads, order = set(), []

    def job(n):
        threads.add(threading.get_ident())
        order.append(n)
        return n

    assert await asyncio.gather(*(worker.run(lambda n=n: job(n)) for n in range(20))) == list(range(20))
    assert order == list(range(20))
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_then_runs_in_the_callers_thread_before_the_caller_goes_on(worker):
    seen = []
    await worker.run(lambda: 1, lambda result: seen.append((result, threading.get_ident())))
    assert seen == [(1, threading.get_ident())]


async def test_then_keeps_the_order_of_the_jobs_however_long_they_take(worker):
    go, told = threading.Event(), []
    slow = asyncio.create_task(worker.run(lambda: go.wait(10), lambda _: told.append("slow")))
    await asyncio.sleep(0)
    quick = asyncio.create_task(worker.run(lambda: None, lambda _: told.append("quick")))
    await asyncio.sleep(0)
    go.set()
    await asyncio.gather(slow, quick)
    assert told == ["slow", "quick"]


async def test_errors_come_back(worker):
    with pytest.raises(ZeroDivisionError):
        await worker.run(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        await worker.run(lambda: 1, lambda result: result / 0)


async def test_a_cancelled_caller_learns_of_it_when_the_job_is_done(worker):
    started, go = threading.Event(), threading.Event()
    done = []

    def job():
        started.set()
        go.wait(10)
        return "done"

    task = asyncio.create_task(worker.run(job, done.append))
    await asyncio.to_thread(started.wait)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    task.cancel()  # impatient callers too
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done == ["done"]


async def test_a_cancelled_caller_of_a_failing_job_is_cancelled(worker):
    started, go = threading.Event(), threading.Event()

    def job():
        started.set()
        go.wait(10)
        raise ZeroDivisionError

    task = asyncio.create_task(worker.run(job))
    await asyncio.to_thread(started.wait)
    task.cancel()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_closed_worker_takes_no_job():
    worker = Worker("test")
    worker.close()
    with pytest.raises(WorkerClosedError):
        await worker.run(lambda: 1)
    with pytest.raises(WorkerClosedError):
        await worker.run(lambda: 1, brief=lambda: 2)
    with pytest.raises(WorkerClosedError):
        worker.run_here(lambda: 1)
    worker.soon(lambda: pytest.fail("it is closed"))


async def test_a_job_of_another_thread_is_done_there_after_the_one_under_way(worker):
    began, go, done = threading.Event(), threading.Event(), []
    worker.soon(lambda: (began.set(), done.append(go.wait(10))))
    await asyncio.to_thread(began.wait)
    here = asyncio.create_task(asyncio.to_thread(worker.run_here, lambda: (threading.current_thread(), list(done))))
    while worker.pending < 2:
        await asyncio.sleep(0)
    go.set()
    thread, done_before = await here
    assert thread is not worker._thread
    assert done_before == [True]
    assert worker.pending == 0


async def test_a_brief_job_is_done_here_when_nothing_else_is_under_way(worker):
    told = []
    assert await worker.run(lambda: "there", told.append, brief=lambda: "here") == "here"
    assert await worker.run(lambda: "there", told.append) == "there"
    assert await worker.run(lambda: "there", told.append, brief=lambda: "here") == "here"
    assert told == ["here", "there", "here"]


async def test_a_brief_job_comes_after_those_that_were_given_before(worker):
    go, told = threading.Event(), []
    slow = asyncio.create_task(worker.run(lambda: go.wait(10), lambda _: told.append("slow")))
    await asyncio.sleep(0)
    quick = asyncio.create_task(worker.run(lambda: "there", told.append, brief=lambda: "here"))
    await asyncio.sleep(0)
    go.set()
    await asyncio.gather(slow, quick)
    assert told == ["slow", "there"]


async def test_a_job_that_nobody_waits_for_comes_before_a_brief_one(worker):
    go, done = threading.Event(), []
    worker.soon(lambda: done.append(go.wait(10)))
    task = asyncio.create_task(worker.run(lambda: "there", brief=lambda: "here"))
    await asyncio.sleep(0)
    go.set()
    assert await task == "there"
    assert done == [True]


async def test_a_brief_job_that_would_have_to_wait_is_left_to_the_thread(worker):
    def not_now():
        raise NotNowError

    told = []
    assert await worker.run(lambda: "there", told.append, brief=not_now) == "there"
    assert told == ["there"]


async def test_an_error_of_a_brief_job_comes_back_and_the_next_one_is_done(worker):
    with pytest.raises(ZeroDivisionError):
        await worker.run(lambda: "there", brief=lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        await worker.run(lambda: "there", lambda result: result / 0, brief=lambda: 1)
    assert await worker.run(lambda: "there", brief=lambda: "here") == "here"
    assert await worker.run(lambda: "there") == "there"


def test_a_loop_that_ended_meanwhile_harms_nothing(worker):
    go = threading.Event()
    loop = asyncio.new_event_loop()

    async def begin():
        task = asyncio.ensure_future(worker.run(lambda: go.wait(10)))
        await asyncio.sleep(0)
        return task

    task = loop.run_until_complete(begin())
    task._log_destroy_pending = False  # it is abandoned on purpose
    loop.close()
    go.set()
    assert asyncio.run(worker.run(lambda: "goes on")) == "goes on"


async def test_a_cancelled_append_happened_and_the_session_knows(sqlite: SqliteSessionService):
    session = await sqlite.create_session(**S1)
    for n in range(30):
        task = asyncio.create_task(sqlite.append_event(session, delta(n=n, temp__t=n)))
        for _ in range(n % 4):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        read = await sqlite.get_session(**S1)
        assert read.events == session.events
        assert read.state == {key: value for key, value in session.state.items() if key != "temp:t"}
        assert read.last_seq == session.last_seq
    assert 0 < len(session.events) < 30
