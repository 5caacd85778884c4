"""What is done with a database of many sessions, by this project alone: they are searched, as a user types."""

from __future__ import annotations

import asyncio
import gc
import time
from pathlib import Path

from google.genai import types

from agents import Event, SqliteSessionService
from agents.access import OWNER
from agents.runs import RunManager
from tests.benchmarks.playbooks import sentences

PIPELINE = "iterative_writing"
EVENTS = 3
"""Of each session."""
SEARCHES = ("t", "to", "tot", "total", "total in", "total inv", "total invoice", "効率的", "nowhere at all")
"""What is typed, letter by letter; words that few sessions have; words that none has."""


class ManySessions:
    """A database with many sessions.

    Args:
        path: The file, not there yet.
        count: How many.
    """

    def __init__(self, path: Path, count: int) -> None:
        self._path = path
        self._count = count
        self._manager: RunManager | None = None

    async def search(self) -> float:
        """Searches once for each of `SEARCHES`; returns the seconds of one."""
        if self._manager is None:
            await write_sessions(self._path, self._count)
            self._manager = RunManager(database=self._path)
        return await asyncio.to_thread(self._searched, self._manager)

    def _searched(self, manager: RunManager) -> float:
        while manager.collection.search("total").unread:
            pass
        gc.collect()
        started = time.perf_counter()
        found = [len(manager.collection.search(text).sessions) for text in SEARCHES]
        taken = (time.perf_counter() - started) / len(SEARCHES)
        assert 0 < found[3] < self._count, found
        assert found[-2:] == [1, 0], found
        return taken

    def close(self) -> None:
        """Closes the file."""
        if self._manager is not None:
            self._manager.close()


async def write_sessions(path: Path, count: int) -> None:
    """Writes so many sessions of a few events each."""
    service = SqliteSessionService(path)
    texts = sentences(count * EVENTS)
    authors = ("user", "CriticAgent", "RefinerAgent")
    for number in range(count):
        session = await service.create_session(app_name=PIPELINE, user_id=OWNER.id, session_id=f"s-{number}")
        said = texts[number * EVENTS : (number + 1) * EVENTS]
        if number == 0:
            said[0] = "効率的なタスク管理について教えてください"
        events = [
            Event(author=a, invocation_id="e", content=types.UserContent(t)) for a, t in zip(authors, said, strict=True)
        ]
        await service.append(session, events)
    await service.close()
