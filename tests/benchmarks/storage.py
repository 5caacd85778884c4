"""What is done to a session in a SQLite file: appending one event at a time, reading the newest.

Wall time, since a disk is waited for and not computed. Each side has the durability that it comes with: ours a write-
ahead log that survives a killed process, google-adk's a rollback journal that is also forced to the disk each time.
"""

from __future__ import annotations

import gc
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.benchmarks.sides import Side, said
from tests.benchmarks.workloads import APP, USER

ANSWER = "The water stands at one and a half metres and falls. " * 4


class Store:
    """A database file of one side with one session in it.

    Args:
        side: Whose.
        path: The file, not there yet.
    """

    def __init__(self, side: Side, path: Path) -> None:
        self._side = side
        self._path = path
        self._service = side.SqliteSessionService(str(path))
        self._session: Any = None

    async def fill(self, events: int) -> None:
        """Creates the session with so many events in it."""
        self._session = await self._service.create_session(app_name=APP, user_id=USER, session_id="filled")
        if events:
            await self._side.fill(self._service, self._path, self._session, events)

    async def append(self, count: int) -> float:
        """Appends so many events, one by one; returns the seconds that it took."""
        events = [said(self._side, "writer", f"{number}: {ANSWER}") for number in range(count)]
        gc.collect()
        started = time.perf_counter()
        for event in events:
            await self._service.append_event(self._session, event)
        return time.perf_counter() - started

    async def read_last(self, count: int, *, times: int = 1) -> float:
        """Reads the newest `count` events so many times; returns the seconds that it took.

        Raises:
            AssertionError: The session came without them.
        """
        newest = self._side.GetSessionConfig(num_recent_events=count)
        gc.collect()
        started = time.perf_counter()
        for _ in range(times):
            session = await self._service.get_session(app_name=APP, user_id=USER, session_id="filled", config=newest)
            assert session is not None
            assert len(session.events) == count, len(session.events)
        return time.perf_counter() - started

    async def events(self) -> list[Any]:
        """All events of the session, as they are stored."""
        session = await self._service.get_session(app_name=APP, user_id=USER, session_id="filled")
        return session.events

    async def close(self) -> None:
        """Closes the file."""
        with suppress(AttributeError):
            await self._service.close()
