"""Several processes on one database file, and processes that die."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sqlite3
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from agents.errors import RunEndedError, RunInProgressError
from agents.log import TraceRecord
from agents.session import Leases
from agents.storage.sessions import SqliteSessionService
from tests.agents.storage.conftest import S1, delta, said, writing
from tests.processes import CLEAN

SPAWN = multiprocessing.get_context("spawn")
"""Processes that are children of the test's own."""


def append_some(path: Path, name: str, count: int, gate) -> None:
    """In another process: opens the file at the same moment as the others and appends."""

    async def work():
        service = SqliteSessionService(path, busy_timeout=60)
        gate.wait()
        session = await service.get_session(**S1)
        for n in range(count):
            await service.append_event(session, delta(**{name: n, "last": name, f"app__{name}": n}))
        assert len(session.events) >= count
        await service.close()

    asyncio.run(work())


def append_for_ever(path: Path, acknowledged) -> None:
    """In another process: claims the session and appends until it is killed, telling each `seq` once it is stored."""

    async def work():
        service = SqliteSessionService(path)
        session = await service.get_session(**S1)
        async with service.claim(session, "i1"):
            await service.append(session, [TraceRecord("run_started", "i1", "root")])
            while True:
                event = said("x" * 500)
                await service.append_event(session, event)
                acknowledged.send(event.seq)

    asyncio.run(work())


def rest_of(connection) -> list[int]:
    """What is still in a pipe whose other end is gone."""
    received = []
    with connection, suppress(EOFError):
        while True:
            received.append(connection.recv())
    return received


@pytest.mark.anyio
async def test_four_processes_append_to_one_session(tmp_path):
    path = tmp_path / "test.db"
    service = SqliteSessionService(path)
    await service.create_session(**S1)
    gate = CLEAN.Barrier(4)
    names = [f"p{n}" for n in range(4)]
    processes = [CLEAN.Process(target=append_some, args=(path, name, 50, gate)) for name in names]
    for process in processes:
        process.start()
    for process in processes:
        await asyncio.to_thread(process.join)
    assert [process.exitcode for process in processes] == [0] * 4
    session = await service.get_session(**S1)
    assert len(session.events) == 200
    assert len({event.seq for event in session.events}) == 200
    for name in names:
        assert [d[name] for event in session.events if name in (d := event.actions.state_delta)] == list(range(50))
    last = session.events[-1].actions.state_delta["last"]
    assert session.state == {**dict.fromkeys(names, 49), **{f"app:{name}": 49 for name in names}, "last": last}
    assert (await service.summaries())[0].events == 200
    await service.close()


@pytest.mark.anyio
async def test_four_processes_make_one_database(tmp_path):
    gate = CLEAN.Barrier(4)
    processes = [CLEAN.Process(target=make_database, args=(tmp_path / "test.db", n, gate)) for n in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        await asyncio.to_thread(process.join)
    assert [process.exitcode for process in processes] == [0] * 4
    service = SqliteSessionService(tmp_path / "test.db")
    assert {row.id for row in await service.summaries()} == {"s0", "s1", "s2", "s3"}
    await service.close()


def make_database(path: Path, n: int, gate) -> None:
    """In another process: opens a file that is not there yet."""

    async def work():
        service = SqliteSessionService(path, busy_timeout=60)
        gate.wait()
        await service.create_session(app_name="app", user_id="user", session_id=f"s{n}")
        await service.close()

    asyncio.run(work())


@pytest.mark.anyio
async def test_a_killed_process_loses_nothing_and_its_run_is_recovered(tmp_path):
    path = tmp_path / "test.db"
    service = SqliteSessionService(path)
    session = await service.create_session(**S1)
    theirs, ours = SPAWN.Pipe(duplex=False)
    process = SPAWN.Process(target=append_for_ever, args=(path, ours))
    process.start()
    ours.close()
    seqs = [await asyncio.to_thread(theirs.recv) for _ in range(50)]
    with pytest.raises(RunInProgressError, match=rf"invocation i1, in process {process.pid}\)"):
        async with service.claim(session, "i2"):
            pass
    assert await service.recover() == 0
    process.kill()
    seqs += rest_of(theirs)
    while psutil.Process(process.pid).status() != psutil.STATUS_ZOMBIE:  # nobody has asked how it ended
        await asyncio.sleep(0.01)
    assert await service.recover() == 1
    assert await service.recover() == 0
    process.join()

    log = await service.read_log(**S1)
    stored = [entry.seq for entry in log if entry.kind == "event"]
    assert stored[: len(seqs)] == seqs
    assert len(stored) - len(seqs) in (0, 1)  # one may have been stored and not told
    last = log[-1].fields()
    assert (log[-1].kind, last["status"], last["invocation_id"]) == ("run_finished", "interrupted", "i1")
    async with service.claim(session, "i3"):
        await service.append_event(session, said("goes on"))
    assert len(session.events) == len(stored) + 1
    await service.close()


async def rewrite_claim(service: SqliteSessionService, **values) -> None:
    with writing(service)[0] as conn:
        for column, value in values.items():
            conn.execute(f"UPDATE runs SET {column} = ?", (value,))


@pytest.mark.anyio
async def test_a_process_id_that_was_used_again_is_another_process(sqlite):
    session = await sqlite.create_session(**S1)
    claim = sqlite.claim(session, "i1")
    await claim.__aenter__()
    await sqlite.append(session, [TraceRecord("run_started", "i1")])
    parent = os.getppid()
    await rewrite_claim(sqlite, pid=parent, process_started=psutil.Process(parent).create_time())
    with pytest.raises(RunInProgressError, match=f"in process {parent}"):
        async with sqlite.claim(session, "i2"):
            pass
    await rewrite_claim(sqlite, process_started=psutil.Process(parent).create_time() - 1000)
    async with sqlite.claim(session, "i3"):
        assert (await sqlite.summaries())[0].status == "interrupted"
    await claim.__aexit__(None, None, None)


@pytest.mark.anyio
async def test_two_services_of_one_process_respect_each_other(sqlite):
    session = await sqlite.create_session(**S1)
    other = SqliteSessionService(sqlite.path)
    async with sqlite.claim(session, "i1"):
        with pytest.raises(RunInProgressError, match="in this process"):
            async with other.claim(session, "i2"):
                pass
    async with other.claim(session, "i3"):
        pass
    await other.close()


@pytest.mark.anyio
async def test_the_run_of_another_service_is_ended_by_its_id_alone(sqlite):
    session = await sqlite.create_session(**S1)
    other = SqliteSessionService(sqlite.path)
    async with sqlite.claim(session, "i1"):
        await sqlite.append(session, [TraceRecord("run_started", "i1", "root")])
        assert not await other.revoke(**S1)
        assert not await other.revoke(**S1, invocation_id="i2")
        assert await other.revoke(**S1, invocation_id="i1")
        with pytest.raises(RunEndedError):
            await sqlite.append_event(session, delta(late=1))
    assert [entry.kind for entry in await other.read_log(**S1)] == ["session_created", "run_started", "run_finished"]
    await other.close()


@pytest.mark.anyio
async def test_a_late_release_leaves_anothers_claim_alone(sqlite):
    session = await sqlite.create_session(**S1)
    first = sqlite.claim(session, "i1")
    await first.__aenter__()
    await rewrite_claim(sqlite, process_started=0.0)  # as if its process were gone
    async with sqlite.claim(session, "i2"):
        await first.__aexit__(None, None, None)
        with pytest.raises(RunInProgressError, match="i2"):
            async with sqlite.claim(session, "i3"):
                pass


LEASE = 0.6


def append_once_more(path: Path, pipe) -> None:
    """In another process: begins a run, and appends to it once it is told to; tells how that ended."""

    async def work():
        service = SqliteSessionService(path, leases=Leases(LEASE))
        session = await service.get_session(**S1)
        async with service.claim(session, "stopped"):
            await service.append(session, [TraceRecord("run_started", "stopped"), said("before")])
            pipe.send(None)
            pipe.recv()
            try:
                await service.append(session, [said("late")])
            except RunEndedError as error:
                told = str(error)
                with pytest.raises(RunEndedError):
                    service.check_claim(session)
                pipe.send(told)
        await service.close()

    asyncio.run(work())


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no processes")
async def test_a_process_that_stood_still_past_its_lease_stores_nothing_more(tmp_path):
    service = SqliteSessionService(tmp_path / "p.db")
    session = await service.create_session(**S1)
    pipe, theirs = CLEAN.Pipe()
    process = CLEAN.Process(target=append_once_more, args=(service.path, theirs), daemon=True)
    process.start()
    theirs.close()
    await asyncio.to_thread(pipe.recv)
    os.kill(process.pid, signal.SIGSTOP)
    refused = 0
    while True:
        try:
            async with service.claim(session, "next"):
                await service.append(session, [TraceRecord("run_started", "next"), said("after")])
                break
        except RunInProgressError:
            refused += 1
            await asyncio.sleep(0.02)
    os.kill(process.pid, signal.SIGCONT)
    pipe.send(None)
    told = await asyncio.to_thread(pipe.recv)
    await asyncio.to_thread(process.join)
    assert refused
    assert "stood still too long, and another process has taken the session over" in told
    log = await service.read_log(**S1)
    assert [entry.kind for entry in log] == [
        *("session_created", "run_started", "event", "run_finished", "run_started", "event"),
    ]
    assert log[3].fields()["status"] == "interrupted"
    assert [event.text for event in (await service.get_session(**S1)).events] == ["before", "after"]
    await service.close()


@pytest.mark.anyio
async def test_a_process_that_lives_renews_its_lease(tmp_path):
    service = SqliteSessionService(tmp_path / "p.db", leases=Leases(0.3))
    session = await service.create_session(**S1)
    async with service.claim(session, "i1"):
        ends = expiry_in(service.path)
        async with asyncio.timeout(10):
            while expiry_in(service.path) < ends + 0.3:  # the lease was over by then
                time.sleep(0.01)  # the event loop is blocked, too
        with pytest.raises(RunInProgressError):
            async with SqliteSessionService(service.path).claim(session, "i2"):
                pass
    await service.close()


def expiry_in(path: Path) -> float:
    with sqlite3.connect(path) as conn:
        [(ends,)] = conn.execute("SELECT expires FROM runs")
    conn.close()
    return ends


@pytest.mark.anyio
async def test_each_claim_of_a_session_has_a_higher_epoch(sqlite):
    session = await sqlite.create_session(**S1)
    epochs = []
    for number in range(3):
        async with sqlite.claim(session, f"i{number}"):
            epochs.append(session.claim.epoch)
    assert epochs == [1, 2, 3]
