"""What runs in parallel give, in order of arrival, with one consumer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from agents.event import Event

End = TypeVar("End")
Sent = tuple[Event, "asyncio.Future[None]"]
"""An event, and what to set once it is taken."""


class Arrivals(Generic[End]):
    """Events of runs in parallel, and what a run returns when it ends. Close it in any case."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._come: deque[Sent | End | BaseException] = deque()
        self._awaited: asyncio.Future[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, run: Callable[[], Awaitable[End]]) -> None:
        """Starts a run in a task of its own. It gives its events to `send`."""
        task = self._loop.create_task(self._follow(run))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def send(self, event: Event) -> None:
        """Adds an event and waits until it is taken."""
        taken: asyncio.Future[None] = self._loop.create_future()
        self.note((event, taken))
        await taken

    def note(self, arrival: Sent | End | BaseException) -> None:
        """Adds an event with what to set when it is taken, the end of a run, or its error."""
        self._come.append(arrival)
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(None)

    async def get(self) -> Sent | End:
        """The next event, and what to set once it is taken: its run continues then. Or what a run has returned.

        Raises:
            BaseException: The error of a run.
        """
        while not self._come:
            self._awaited = self._loop.create_future()
            await self._awaited
        arrival = self._come.popleft()
        if isinstance(arrival, BaseException):
            raise arrival
        return arrival

    async def close(self) -> None:
        """Cancels the runs that have not ended."""
        if unfinished := [task for task in self._tasks if not task.done()]:
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*unfinished, return_exceptions=True)

    async def _follow(self, run: Callable[[], Awaitable[End]]) -> None:
        try:
            end = await run()
        except BaseException as error:
            self.note(error)  # raised where the events are taken
            if not isinstance(error, Exception):
                raise
        else:
            self.note(end)
