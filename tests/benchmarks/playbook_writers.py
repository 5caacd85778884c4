"""Many processes that change one playbook at the same time, each in a session of its own: how fast, and what is left of it.

A delta counts as stored once the service has taken the event. A side that keeps the playbook as one value reads it again
before each delta, as a process must that is not alone.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.playbooks import KEEPING, SESSION, Book, carrying, stored
from tests.benchmarks.sides import Name, Side, load

PATIENCE = 600.0
START = 100
"""Bullets that are there before."""
_PRELOAD: dict[Name, list[str]] = {
    "ours": ["agents.storage.sessions.sqlite", "agents.ace.store.reducer", "google.genai.types"],
    "adk": ["google.adk.sessions.sqlite_session_service", "google.adk.runners", "google.adk.agents"],
}


@dataclass(frozen=True, slots=True)
class Written:
    """What writers came to.

    Attributes:
        seconds: Wall time, from the moment when all of them were ready.
        acknowledged: Deltas that the service took.
        kept: Those of them whose bullet is in the playbook afterwards.
        refused: Deltas that the service did not take, with an error.
    """

    seconds: float
    acknowledged: int
    kept: int
    refused: int


async def write_at_once(side: Side, path: Path, writers: int, deltas: int) -> dict[str, Any]:
    """Has so many processes write so many deltas each; a `Written` as JSON."""
    book = Book(side, path)
    await book.fill(START)
    await book.close()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOAD[side.name])
    gate, told = context.Barrier(writers + 1, timeout=PATIENCE), context.SimpleQueue()
    processes = [
        context.Process(target=_write, args=(side.name, path, writer, deltas, gate, told), daemon=True)
        for writer in range(writers)
    ]
    for process in processes:
        process.start()
    gate.wait()
    started = time.perf_counter()
    acknowledged = {text for _ in processes for text in told.get()}
    seconds = time.perf_counter() - started
    for process in processes:
        process.join()
    kept = acknowledged & await _contents(side, path)
    return asdict(Written(seconds, len(acknowledged), len(kept), writers * deltas - len(acknowledged)))


def _write(name: Name, path: Path, writer: int, deltas: int, gate: Any, told: Any) -> None:
    logging.disable(logging.WARNING)
    acknowledged: list[str] = []
    try:
        acknowledged = asyncio.run(_write_deltas(load(name), path, writer, deltas, gate))
    finally:
        told.put(acknowledged)


async def _write_deltas(side: Side, path: Path, writer: int, deltas: int, gate: Any) -> list[str]:
    more = {"busy_timeout": PATIENCE} if side.name == "ours" else {}
    service = side.SqliteSessionService(str(path), **more)
    no_events = side.GetSessionConfig(num_recent_events=0)
    name = {**SESSION, "session_id": f"writer-{writer}"}
    session = await service.create_session(**name)
    gate.wait()
    acknowledged: list[str] = []
    for number in range(deltas):
        text = f"{writer}: {number}"
        try:
            if side.name == "adk":
                session = await service.get_session(**name, config=no_events)
            value = KEEPING[side.name].delta(session, 1 + number % START, number, text)
            await service.append_event(session, carrying(side, value))
        except Exception:
            continue  # refused: a lock that was waited for too long, a session that is stale
        acknowledged.append(text)
    if side.name == "ours":
        await service.close()
    return acknowledged


async def _contents(side: Side, path: Path) -> set[str]:
    service = side.SqliteSessionService(str(path))
    found = await stored(service)
    if side.name == "ours":
        await service.close()
        return {bullet.content for bullet in found.bullets}
    return {bullet["content"] for bullet in found["bullets"].values()}
