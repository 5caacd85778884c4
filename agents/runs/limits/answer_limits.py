"""The time limit of a user who answers as a model: the usual model answers what they do not answer in time."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

from agents.errors import DatabaseError, PlaygroundError, RunInProgressError, SessionNotFoundError
from agents.event import REQUEST_ANSWER
from agents.runs.pending_calls import read_pending
from agents.runs.values import PendingCall, Run, SessionKey
from agents.session import BaseSessionService
from agents.session_list import SessionFilter

AGAIN_SECONDS = 5.0
"""Pause before another try where the session is being run."""

LOOK_SECONDS = 60.0
"""Seconds between two looks for sessions that paused at another server, which may be gone when their time is over."""

_PAGE = 100
_log = logging.getLogger(__name__)


class AnswerLimits:
    """Watches paused sessions. A `RunListener`; its methods are called in the event loop of runs.

    Where several servers watch a session, one of them is first, and the others find the call answered.

    Args:
        service: Where sessions are.
        pass_on: Has the usual model answer a call in the session of a user id, for callers in another thread.
    """

    def __init__(self, service: BaseSessionService, pass_on: Callable[[PendingCall, str], object]) -> None:
        self._service, self._pass_on = service, pass_on
        self._tasks: set[asyncio.Task[None]] = set()
        self._looked: dict[SessionKey, float] = {}

    def ended(self, run: Run) -> None:
        """Watches the session of a run that has ended or paused."""
        self._begin(run.key)

    def close(self) -> None:
        """Watches no more. Called outside of the event loop, while the sessions can still be read."""
        for task in list(self._tasks):
            task.get_loop().call_soon_threadsafe(task.cancel)

    async def watch_all(self) -> None:
        """Watches all sessions that have paused, and those that pause at other servers later."""
        await self._look()
        self._hold(asyncio.create_task(self._look_again(), name="sessions that paused at other servers"))

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            with suppress(DatabaseError):
                await self._look()

    async def _look(self) -> None:
        """Watches the paused sessions that have changed since the last look."""
        before: int | None = None
        looked: dict[SessionKey, float] = {}
        while True:
            page = await self._service.page(SessionFilter(statuses=frozenset({"paused"})), limit=_PAGE, before=before)
            for row in page.rows:
                key = SessionKey(row.app_name, row.id, row.user_id)
                looked[key] = row.updated_at
                if self._looked.get(key) != row.updated_at:
                    self._begin(key)
            if (before := page.next) is None:
                self._looked = looked
                return

    def _begin(self, key: SessionKey) -> None:
        self._hold(asyncio.get_running_loop().create_task(self._watch(key), name="limit of an answer"))

    def _hold(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self, key: SessionKey) -> None:
        try:
            row = await self._service.summary(**key.name)
            if row is not None and row.status == "paused":
                calls = await read_pending(self._service, key)
                limited = [(call, due) for call in calls if (due := _due(call)) is not None]
                if limited:
                    await self._wait(*min(limited, key=lambda each: each[1]), key.user_id)
        except (DatabaseError, SessionNotFoundError):
            return  # it is gone, or is watched again after the next start

    async def _wait(self, call: PendingCall, due: float, user_id: str) -> None:
        """Waits for the first call that is due; the run that then begins has the session watched again when it ends."""
        await asyncio.sleep(max(0.0, due - time.time()))
        while True:
            try:
                await asyncio.to_thread(self._pass_on, call, user_id)
            except RunInProgressError:
                await asyncio.sleep(AGAIN_SECONDS)
            except PlaygroundError as error:  # it was answered in time, above all
                _log.debug("A call that was due was not passed on: %s", error)
                return
            else:
                return


def _due(call: PendingCall) -> float | None:
    """When a call is to be passed on, in seconds since the epoch; None for no limit."""
    seconds = call.args.get("seconds") if call.tool == REQUEST_ANSWER else None
    return call.asked_at + seconds if isinstance(seconds, int | float) else None
