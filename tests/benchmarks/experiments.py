"""What is done with the log of a long session, by this project alone: it is read and looked at, forked, made a page."""

from __future__ import annotations

import gc
import time
from dataclasses import replace
from pathlib import Path

from agents import SqliteSessionService
from agents.access import OWNER
from agents.forks import Forks
from agents.history import Timeline
from agents.log import EVENT_KIND, LogEntry
from agents.pipelines.catalog import Catalog
from agents.sharing import Sharing
from tests.benchmarks.long_session import PIPELINE, write_long_session
from ui.sharing.page import session_page

MOST_BYTES = 2_000_000
"""Most bytes of the page of a session."""
PAGE_EVENTS = 1000
"""Events of the session whose page is written."""
MOMENTS = 50
"""How many moments are asked for, spread evenly over the log."""


class LongSession:
    """A database with one long session.

    Args:
        path: The file, not there yet.
        events: How many the session has.
    """

    def __init__(self, path: Path, events: int) -> None:
        write_long_session(path, events)
        self._id = f"long-{events}"
        self._service = SqliteSessionService(path)
        root = Catalog().get(PIPELINE).root_agent
        assert root is not None
        self._forks = Forks(self._service, root, app_name=PIPELINE, user_id=OWNER.id)

    async def do(self, job: str) -> float:
        """Does one thing; returns the seconds that it took, for one."""
        log = await self._service.read_log(app_name=PIPELINE, user_id=OWNER.id, session_id=self._id)
        gc.collect()
        match job:
            case "timeline":
                started = time.perf_counter()
                Timeline(await self._service.read_log(app_name=PIPELINE, user_id=OWNER.id, session_id=self._id))
                return time.perf_counter() - started
            case "moment":
                return _moments(Timeline(log), log)
            case "fork":
                started = time.perf_counter()
                await self._forks.fork(self._id, at=log[-1].seq)
                return time.perf_counter() - started
            case "page":
                return await self._page()
            case _:
                raise ValueError(job)

    async def _page(self) -> float:
        """A session of `PAGE_EVENTS` events as a page: the beginning of the long one."""
        name = {"app_name": PIPELINE, "user_id": OWNER.id, "session_id": self._id}
        file = await Sharing(self._service).export_session(**name)
        events = [entry.seq for entry in file.entries if entry.kind == EVENT_KIND]
        beginning = replace(file, entries=file.entries[: events[:PAGE_EVENTS][-1]])
        gc.collect()
        started = time.perf_counter()
        page = session_page(beginning, tree=None)
        taken = time.perf_counter() - started
        assert len(page.encode()) <= MOST_BYTES, len(page)
        return taken

    async def close(self) -> None:
        """Closes the file."""
        await self._service.close()


def _moments(timeline: Timeline, log: list[LogEntry]) -> float:
    started = time.perf_counter()
    for number in range(MOMENTS):
        timeline.at(log[len(log) * number // MOMENTS].seq)
    return (time.perf_counter() - started) / MOMENTS
