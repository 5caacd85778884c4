"""Several processes on one database, and processes that die."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from agents.errors import RunEndedError, RunInProgressError
from agents.log import TraceRecord
from agents.session import Leases
from tests.agents.storage.conftest import S1, delta, said, service_at
from tests.agents.storage.postgres_server import new_database
from tests.processes import CLEAN

SPAWN = multiprocessing.get_context("spawn")
"""Processes that are children of the test's own."""


def append_some(place: Path | str, name: str, count: int, gate) -> None:
    """In another process: opens the database at the same moment as the others and appends."""

    async def work():
        service = service_at(place, wait=60)
        gate.wait()
        session = await service.get_session(**S1)
        for n in range(count):
            await service.append_event(session, delta(**{name: n, "last": name, f"app__{name}": n}))
        assert len(session.events) >= count
        await service.close()

    asyncio.run(work())


def append_for_ever(place: Path | str, acknowledged) -> None:
    """In another process: claims the session and appends until it is killed, telling each `seq` once it is in_tables."""

    async def work():
        service = service_at(place)
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
async def test_many_processes_append_to_one_session(place):
    writers, each = (4, 50) if isinstance(place, Path) else (16, 200)
    service = service_at(place)
    await service.create_session(**S1)
    gate = CLEAN.Barrier(writers)
    names = [f"p{n}" for n in range(writers)]
    processes = [CLEAN.Process(target=append_some, args=(place, name, each, gate)) for name in names]
    for process in processes:
        process.start()
    for process in processes:
        await asyncio.to_thread(process.join)
    assert [process.exitcode for process in processes] == [0] * writers
    session = await service.get_session(**S1)
    assert [event.seq for event in session.events] == [*range(2, writers * each + 2)]
    for name in names:
        assert [d[name] for event in session.events if name in (d := event.actions.state_delta)] == list(range(each))
    last = session.events[-1].actions.state_delta["last"]
    ends = each - 1
    assert session.state == {**dict.fromkeys(names, ends), **{f"app:{name}": ends for name in names}, "last": last}
    assert (await service.summaries())[0].events == writers * each
    await service.close()


@pytest.fixture(params=["sqlite", "postgres"])
def empty_place(request, tmp_path):
    if request.param == "sqlite":
        yield tmp_path / "test.db"
    else:
        with new_database(request.getfixturevalue("postgres_server"), empty=True) as address:
            yield address


@pytest.mark.anyio
async def test_four_processes_make_one_database(empty_place):
    gate = CLEAN.Barrier(4)
    processes = [CLEAN.Process(target=make_database, args=(empty_place, n, gate)) for n in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        await asyncio.to_thread(process.join)
    assert [process.exitcode for process in processes] == [0] * 4
    service = service_at(empty_place)
    assert {row.id for row in await service.summaries()} == {"s0", "s1", "s2", "s3"}
    await service.close()


def make_database(place: Path | str, n: int, gate) -> None:
    """In another process: opens a database that is not made yet."""

    async def work():
        service = service_at(place, wait=60)
        gate.wait()
        await service.create_session(app_name="app", user_id="user", session_id=f"s{n}")
        await service.close()

    asyncio.run(work())


@pytest.mark.anyio
async def test_a_killed_process_loses_nothing_and_its_run_is_recovered(place):
    service = service_at(place)
    session = await service.create_session(**S1)
    theirs, ours = SPAWN.Pipe(duplex=False)
    process = SPAWN.Process(target=append_for_ever, args=(place, ours))
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


async def rewrite_claim(service, **values) -> None:
    def job(conn) -> None:
        for column, value in values.items():
            conn.execute(f"UPDATE runs SET {column} = ?", (value,))

    await service._database.write(job, lambda _: [])


@pytest.mark.anyio
async def test_a_process_id_that_was_used_again_is_another_process(in_tables):
    session = await in_tables.create_session(**S1)
    claim = in_tables.claim(session, "i1")
    await claim.__aenter__()
    await in_tables.append(session, [TraceRecord("run_started", "i1")])
    parent = os.getppid()
    await rewrite_claim(in_tables, pid=parent, process_started=psutil.Process(parent).create_time())
    with pytest.raises(RunInProgressError, match=f"in process {parent}"):
        async with in_tables.claim(session, "i2"):
            pass
    await rewrite_claim(in_tables, process_started=psutil.Process(parent).create_time() - 1000)
    async with in_tables.claim(session, "i3"):
        assert (await in_tables.summaries())[0].status == "interrupted"
    await claim.__aexit__(None, None, None)


@pytest.mark.anyio
async def test_two_services_of_one_process_respect_each_other(in_tables, place):
    session = await in_tables.create_session(**S1)
    other = service_at(place)
    async with in_tables.claim(session, "i1"):
        with pytest.raises(RunInProgressError, match="in this process"):
            async with other.claim(session, "i2"):
                pass
    async with other.claim(session, "i3"):
        pass
    await other.close()


@pytest.mark.anyio
async def test_the_run_of_another_service_is_ended_by_its_id_alone(in_tables, place):
    session = await in_tables.create_session(**S1)
    other = service_at(place)
    async with in_tables.claim(session, "i1"):
        await in_tables.append(session, [TraceRecord("run_started", "i1", "root")])
        assert not await other.revoke(**S1)
        assert not await other.revoke(**S1, invocation_id="i2")
        assert await other.revoke(**S1, invocation_id="i1")
        with pytest.raises(RunEndedError):
            await in_tables.append_event(session, delta(late=1))
    assert [entry.kind for entry in await other.read_log(**S1)] == ["session_created", "run_started", "run_finished"]
    await other.close()


@pytest.mark.anyio
async def test_a_late_release_leaves_anothers_claim_alone(in_tables):
    session = await in_tables.create_session(**S1)
    first = in_tables.claim(session, "i1")
    await first.__aenter__()
    await rewrite_claim(in_tables, process_started=0.0)  # as if its process were gone
    async with in_tables.claim(session, "i2"):
        await first.__aexit__(None, None, None)
        with pytest.raises(RunInProgressError, match="i2"):
            async with in_tables.claim(session, "i3"):
                pass


LEASE = 0.6


def append_once_more(place: Path | str, pipe) -> None:
    """In another process: begins a run, and appends to it once it is told to; tells how that ended."""

    async def work():
        service = service_at(place, leases=Leases(LEASE))
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
async def test_a_process_that_stood_still_past_its_lease_stores_nothing_more(place):
    service = service_at(place)
    session = await service.create_session(**S1)
    pipe, theirs = CLEAN.Pipe()
    process = CLEAN.Process(target=append_once_more, args=(place, theirs), daemon=True)
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
async def test_a_process_that_lives_renews_its_lease(place):
    service, other = service_at(place, leases=Leases(0.3)), service_at(place)
    session = await service.create_session(**S1)
    async with service.claim(session, "i1"):
        ends = await expiry_in(other)
        async with asyncio.timeout(10):
            while await expiry_in(other) < ends + 0.3:  # the lease was over by then
                time.sleep(0.01)  # the event loop is blocked, too
        with pytest.raises(RunInProgressError):
            async with other.claim(session, "i2"):
                pass
    await service.close()
    await other.close()


async def expiry_in(service) -> float:
    return await service._database.read(lambda conn: conn.execute("SELECT expires FROM runs").fetchone()[0])


@pytest.mark.anyio
async def test_each_claim_of_a_session_has_a_higher_epoch(in_tables):
    session = await in_tables.create_session(**S1)
    epochs = []
    for number in range(3):
        async with in_tables.claim(session, f"i{number}"):
            epochs.append(session.claim.epoch)
    assert epochs == [1, 2, 3]


@pytest.mark.anyio
async def test_a_run_on_another_host_lives_as_long_as_its_lease(postgres):
    """Whether its process runs cannot be asked: only the database's time counts."""
    service, other = service_at(postgres), service_at(postgres)
    session = await service.create_session(**S1)
    async with service.claim(session, "i1"):
        await service.append(session, [TraceRecord("run_started", "i1", "root")])
        await rewrite_claim(service, owner="elsewhere:1", process_started=0.0)  # of no process here
        assert await other.recover() == 0
        with pytest.raises(RunInProgressError):
            async with other.claim(session, "i2"):
                pass
        await rewrite_claim(service, expires=0.0)
        assert await other.recover() == 1
        assert (await other.summaries())[0].status == "interrupted"
        with pytest.raises(RunEndedError, match="another process has taken the session over"):
            await service.append_event(session, said("late"))
    await service.close()
    await other.close()


@pytest.mark.anyio
async def test_a_run_whose_lease_is_over_is_ended_on_the_same_host_too(postgres):
    """As on another one: it stands still, and nobody waits for it."""
    service, other = service_at(postgres), service_at(postgres)
    session = await service.create_session(**S1)
    async with service.claim(session, "i1"):
        await service.append(session, [TraceRecord("run_started", "i1", "root")])
        await rewrite_claim(service, expires=0.0)
        assert await service.recover() == 0  # it is its own, and goes on
        assert await other.recover() == 1
    await service.close()
    await other.close()
