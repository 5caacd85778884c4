"""Appends to PostgreSQL beside SQLite, in the same run: `python -m tests.benchmarks.postgres`.

A server appends small events to its sessions, each by itself; another process shows all of them: it hears of each change and
reads what is new, as a viewer on another server does. The database is real and syncs its disk.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import multiprocessing
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from google.genai import types

from agents.event import Event, EventActions
from agents.session import BaseSessionService
from agents.storage.address import Database, PostgresAddress
from agents.storage.stores import open_store
from tests.agents.storage.postgres_server import embedded

APP, USER = "app", "user"
SPAWN = multiprocessing.get_context("spawn")


def event(number: int) -> Event:
    """One small event, with a change of state now and then."""
    content = types.Content(role="model", parts=[types.Part(text=f"{number} {time.time()} " + "word " * 40)])
    delta = {"count": number} if number % 4 == 0 else {}
    return Event(author="writer", invocation_id="i1", content=content, actions=EventActions(state_delta=delta))


async def append_all(service: BaseSessionService, sessions: int, each: int) -> float:
    """Appends to the sessions, all at once; returns the appends a second."""
    made = [await service.create_session(app_name=APP, user_id=USER, session_id=str(uuid.uuid4())) for _ in range(sessions)]

    async def one(number: int) -> None:
        for count in range(each):
            await service.append_event(made[number], event(count))

    started = time.perf_counter()
    await asyncio.gather(*(one(number) for number in range(sessions)))
    return sessions * each / (time.perf_counter() - started)


def view(database: Database, viewers: int, pipe) -> None:
    """In another process: viewers of all sessions; tells the seconds from the making of an event to its being read."""

    async def work() -> list[float]:
        store = open_store(database)
        await store.sessions.open()
        read: dict[str, int] = {}
        changed: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def hear(app: str, user: str, session_id: str, last_seq: int) -> None:
            loop.call_soon_threadsafe(changed.put_nowait, (session_id, last_seq))

        store.sessions.add_listener(hear)
        store.sessions.change_mark()
        pipe.send(None)
        lags: list[float] = []
        while not pipe.poll():
            try:
                session_id, _ = await asyncio.wait_for(changed.get(), 0.1)
            except TimeoutError:
                continue
            name = {"app_name": APP, "user_id": USER, "session_id": session_id}
            for _ in range(viewers):
                entries = await store.sessions.read_log(**name, after=read.get(session_id, 0))
            for entry in entries:
                if entry.kind == "event":
                    lags.append(time.time() - float(entry.event().text.split()[1]))
                read[session_id] = entry.seq
        await store.close()
        return lags

    pipe.send(asyncio.run(work()))


@contextlib.contextmanager
def watched(database: Database, viewers: int) -> Iterator[list[float]]:
    """Another process that views; its lags are there at the end."""
    lags: list[float] = []
    ours, theirs = SPAWN.Pipe()
    process = SPAWN.Process(target=view, args=(database, viewers, theirs), daemon=True)
    process.start()
    ours.recv()
    yield lags
    time.sleep(1.5)  # the last notices
    ours.send(None)
    lags.extend(ours.recv())
    process.join()


async def measure(database: Database, each: int) -> list[tuple[str, float]]:
    """Appends a second of one session, and of sixteen at once."""
    store = open_store(database)
    await store.sessions.open()
    await append_all(store.sessions, 4, 50)  # it is warm
    found = [("one session", await append_all(store.sessions, 1, each))]
    found.append(("16 sessions at once", await append_all(store.sessions, 16, each // 8)))
    await store.close()
    return found


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--appends", type=int, default=3000)
    parser.add_argument("--viewers", type=int, default=3, help="of each session, in another process")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        server = embedded().get_server(Path(folder, "data"), cleanup_mode="delete")
        postgres, sqlite = PostgresAddress(server.get_uri()), Path(folder, "playground.db")
        beside = dict(asyncio.run(measure(sqlite, args.appends)))
        rows = [("alone", *row) for row in asyncio.run(measure(postgres, args.appends))]
        with watched(postgres, args.viewers) as lags:
            rows += [("with viewers", *row) for row in asyncio.run(measure(postgres, args.appends))]
        for how, what, speed in rows:
            ratio = speed / beside[what]
            print(f"{how:14}{what:22}{speed:8.0f} appends/s   SQLite alone {beside[what]:8.0f}   ×{ratio:.2f}")
        if lags:
            ends = [1000 * seconds for seconds in statistics.quantiles(lags, n=20)]
            print(f"made → read in another process: median {ends[9]:.0f} ms, 95 % {ends[18]:.0f} ms; {len(lags)} read")
        server.cleanup()


if __name__ == "__main__":
    main()
