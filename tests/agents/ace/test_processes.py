"""One playbook, many processes that change it, and processes that are killed while they do."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
from collections import Counter
from contextlib import closing
from multiprocessing.connection import Connection, wait
from pathlib import Path

from agents.ace import DeltaBatch, Playbook, PlaybookStore
from agents.event import Event, EventActions
from agents.storage.sessions import SqliteSessionService
from tests.processes import CLEAN

WRITERS, DELTAS = 16, 200
PATIENCE = 60.0
NAMES = {"app_name": "app", "user_id": "user"}


def batch_of(writer: int, number: int) -> DeltaBatch:
    """Most deltas tag the bullet that all share and one that a few share; each fifth adds one of the writer's own."""
    operations = [
        {"type": "TAG", "bullet_id": "seeds-00001", "tag": "helpful"},
        {"type": "TAG", "bullet_id": f"seeds-{writer % 4 + 2:05d}", "tag": "harmful"},
    ]
    if number % 5 == 0:
        operations[1] = {"type": "ADD", "section": f"of {writer % 3}", "content": f"{writer}: {number}"}
    return DeltaBatch(operations=operations, by=f"writer {writer}")


def seeded(path: Path) -> None:
    """Five bullets that are there from the start."""
    with PlaybookStore(path, "app") as store:
        store.commit(DeltaBatch(operations=[{"type": "ADD", "section": "seeds", "content": f"{n}"} for n in range(5)]))


def write_through_a_store(path: Path, writer: int, gate) -> None:
    """In another process: commits by itself."""
    with PlaybookStore(path, "app", busy_timeout=PATIENCE) as store:
        gate.wait()
        for number in range(DELTAS):
            store.commit(batch_of(writer, number))


def write_through_sessions(path: Path, writer: int, gate) -> None:
    """In another process: commits with events, half of them of a session of its own, half of one that others use too."""

    async def work():
        service = SqliteSessionService(path, busy_timeout=PATIENCE)
        mine = await service.create_session(**NAMES, session_id=f"s{writer}")
        theirs = await service.get_session(**NAMES, session_id="shared")
        gate.wait()
        for number in range(DELTAS):
            session = (mine, theirs)[number % 2]
            delta = {"app:playbook": batch_of(writer, number).model_dump(mode="json")}
            await service.append_event(session, Event(author="x", actions=EventActions(state_delta=delta)))
            recorded = session.events[-1].actions.state_delta["app:playbook"]
            assert len(recorded["applied"]) == 2, recorded["rejected"]
            assert session.state["app:playbook"].revision >= recorded["revision"]
        await service.close()

    asyncio.run(work())


def test_sixteen_processes_lose_nothing(tmp_path):
    path = tmp_path / "p.db"
    seeded(path)
    asyncio.run(_make_session(path))
    gate = CLEAN.Barrier(WRITERS, timeout=PATIENCE)
    ways = (write_through_a_store, write_through_sessions)
    processes = [CLEAN.Process(target=ways[n % 2], args=(path, n, gate), daemon=True) for n in range(WRITERS)]
    _run(processes)
    with PlaybookStore(path, "app") as store:
        playbook, history = store.playbook(), store.history()
        points = store.growth()
    commits = WRITERS * DELTAS
    assert [record.revision for record in history] == list(range(commits + 1, 0, -1))
    assert [record.rejected for record in history if record.rejected] == []
    by = Counter(record.by for record in history)
    assert by == {"curator": 1, **{f"writer {n}": DELTAS for n in range(WRITERS)}}
    added = {f"{writer}: {number}" for writer in range(WRITERS) for number in range(0, DELTAS, 5)}
    assert len({bullet.id for bullet in playbook.bullets}) == len(playbook) == 5 + len(added)
    assert {bullet.content for bullet in playbook.bullets[5:]} == added
    assert playbook.get("seeds-00001").helpful == commits
    assert [playbook.get(f"seeds-{n:05d}").harmful for n in range(1, 6)] == [0] + [commits * 4 // 5 // 4] * 4
    assert (points[-1].bullets, points[-1].tokens) == (len(playbook), Playbook(playbook.bullets).tokens)
    asyncio.run(_check_sessions(path, playbook))
    assert _is_whole(path)


async def _make_session(path: Path) -> None:
    service = SqliteSessionService(path)
    await service.create_session(**NAMES, session_id="shared")
    await service.close()


async def _check_sessions(path: Path, playbook: Playbook) -> None:
    """Each event's delta is that of the record which names it, and all of them are there."""
    service = SqliteSessionService(path)
    with PlaybookStore(path, "app") as store:
        records = {(record.session_id, record.seq): record for record in store.history() if record.seq}
    sessions = (await service.list_sessions(**NAMES)).sessions
    assert len(sessions) == WRITERS // 2 + 1
    for listed in sessions:
        session = await service.get_session(**NAMES, session_id=listed.id)
        assert session.state["app:playbook"].to_json() == playbook.to_json()
        for event in session.events:
            record = records.pop((session.id, event.seq))
            assert event.actions.state_delta["app:playbook"]["revision"] == record.revision
            assert event.actions.state_delta["app:playbook"]["applied"] == record.applied
    assert records == {}
    await service.close()


def write_until_killed(path: Path, writer: int, told: Connection) -> None:
    """In another process: commits for ever, and tells of each commit once it is stored."""
    number = 0
    if writer % 2:
        with PlaybookStore(path, "app", busy_timeout=PATIENCE) as store:
            while True:
                commit = store.commit(batch_of(writer, number))
                told.send((number, commit.revision, [change.get("bullet_id") for change in commit.applied]))
                number += 1

    async def work(number: int):
        service = SqliteSessionService(path, busy_timeout=PATIENCE)
        session = await service.create_session(**NAMES, session_id=f"k{writer}-{os.getpid()}")
        while True:
            delta = {"app:playbook": batch_of(writer, number).model_dump(mode="json")}
            event = await service.append_event(session, Event(author="x", actions=EventActions(state_delta=delta)))
            recorded = event.actions.state_delta["app:playbook"]
            told.send((number, recorded["revision"], [change.get("bullet_id") for change in recorded["applied"]]))
            number += 1

    asyncio.run(work(0))


def test_killed_processes_lose_nothing_that_was_acknowledged(tmp_path):
    path = tmp_path / "p.db"
    seeded(path)
    chance = random.Random(7)
    told: dict[int, list] = {}
    for first in (0, 6):  # the second six find what the first left behind
        told |= _kill_at_random(path, range(first, first + 6), chance)
    assert _is_whole(path)
    with PlaybookStore(path, "app") as store:
        history, playbook = store.history()[::-1], store.playbook()
        next_commit = store.commit(DeltaBatch(operations=[{"type": "ADD", "section": "seeds", "content": "after"}]))
    assert [record.revision for record in history] == list(range(1, len(history) + 1))
    stored = {record.revision: record for record in history}
    for writer, acknowledged in told.items():
        mine = [record.revision for record in history if record.by == f"writer {writer}"]
        assert [revision for _, revision, _ in acknowledged] == mine[: len(acknowledged)]
        assert len(mine) - len(acknowledged) in (0, 1)  # one may have been stored and not told
        for number, revision, ids in acknowledged:
            assert [change.get("bullet_id") for change in stored[revision].applied] == ids
            assert number == mine.index(revision)
    assert playbook.get("seeds-00001").helpful == len(history) - 1
    added = [change["bullet_id"] for record in history for change in record.applied if change["type"] == "ADD"]
    assert [bullet.id for bullet in playbook.bullets] == added
    assert next_commit.applied[0]["bullet_id"] == f"seeds-{len(added) + 1:05d}"
    with closing(sqlite3.connect(path)) as conn:
        events = conn.execute("SELECT count(*) FROM log WHERE kind = 'event'").fetchone()[0]
    assert events == sum(1 for record in history if record.seq)


def _kill_at_random(path: Path, writers: range, chance: random.Random) -> dict[int, list]:
    """Lets writers write, kills each with SIGKILL at some moment of its work, and returns what they told of by then."""
    pipes = {writer: CLEAN.Pipe(duplex=False) for writer in writers}
    processes = {
        writer: CLEAN.Process(target=write_until_killed, args=(path, writer, ours), daemon=True)
        for writer, (_, ours) in pipes.items()
    }
    last = {writer: chance.randint(5, 60) for writer in writers}
    told: dict[int, list] = {writer: [] for writer in writers}
    for process in processes.values():
        process.start()
    for _, ours in pipes.values():
        ours.close()
    theirs = {pipe: writer for writer, (pipe, _) in pipes.items()}
    while theirs:
        for pipe in wait(list(theirs), timeout=PATIENCE):
            writer = theirs[pipe]
            try:
                told[writer].append(pipe.recv())
            except EOFError:
                del theirs[pipe]
                pipe.close()
            else:
                if len(told[writer]) == last[writer]:
                    processes[writer].kill()
    for process in processes.values():
        process.join(PATIENCE)
    assert [process.exitcode for process in processes.values()] == [-9] * len(processes)
    return told


def _run(processes) -> None:
    for process in processes:
        process.start()
    try:
        for process in processes:
            process.join(PATIENCE)
        assert [process.exitcode for process in processes] == [0] * len(processes)
    finally:
        for process in processes:
            process.kill()


def _is_whole(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as conn:
        return conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
