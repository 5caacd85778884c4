"""The workers of a server: which of them does a run, and when a run is ended from outside.

A worker does one run at a time, so what a run's code does to its process delays and ends no other run. Workers live on
between runs: a package is imported once in each, and what its code leaves behind is there for the next run.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import NamedTuple

from agents.access import OWNER
from agents.errors import PlaygroundError, RunLimitExceededError
from agents.runs.workers.limits import RunLimits
from agents.runs.workers.orders import Ended, News, RunOrder, WorkPlace
from agents.runs.workers.process_tree import ProcessTree
from agents.runs.workers.worker_process import Died, WorkerProcess

MOST_WORKERS = 8
"""Worker processes at once."""

KEPT_WORKERS = 4
"""Worker processes that are kept when they have nothing to do: of a user each, those that worked last."""

TURN_SECONDS = 20.0
"""How long a run may wait for a worker. Shorter than the time in which a run has to begin."""

LOOK_SECONDS = 1.0
"""Seconds between two looks at a worker."""

SILENT_LOOKS = 5
"""Looks without news, which a worker sends several times a second, after which it counts as frozen."""

RESPOND_SECONDS = 1.5
"""How long a worker may be silent, once its run is to stop."""

STOP_SECONDS = 4.0
"""How long a worker that responds may take to stop its run."""

TIME_GRACE = 15.0
"""Seconds beyond a run's own limit of time, which the worker itself keeps unless its code does not let it."""

MEMORY_SHARE = 0.9
"""The share of its memory with which a worker is ended: at all of it, any of its threads might fail."""

FROZEN = (
    "The process of this run does not respond: code in C keeps Python's lock, such as a regular expression or the power of "
    "large numbers. Other runs go on. Stop ends it."
)

_log = logging.getLogger(__name__)


class WorkerRun(NamedTuple):
    """A run, as `Workers` need it.

    Attributes:
        order: What to do.
        seconds: Most seconds that it may take; None for no limit.
        hear: Called with each piece of news.
        tell: Called with a sentence when its worker does not respond, and with "" when it does again.
        end: Ends it in the log, with the fields that say how; False if it had ended. See `BaseSessionService.revoke`.
    """

    order: RunOrder
    seconds: float | None
    hear: Callable[[News], None]
    tell: Callable[[str], None]
    end: Callable[[Mapping[str, str]], Awaitable[object]]


class Workers:
    """The worker processes. Used in one loop.

    Attributes:
        place: Where they work.
        waiting: How many runs wait for one.

    Args:
        place: Where they work.
    """

    def __init__(self, place: WorkPlace) -> None:
        self.place = place
        self._turns = asyncio.Semaphore(MOST_WORKERS)
        self._idle: list[WorkerProcess] = []
        self.waiting = 0

    async def run(self, run: WorkerRun) -> Ended:
        """Lets a worker do a run, to its end. Cancelled, it stops the run: within seconds, whatever the run's code does.

        Raises:
            PlaygroundError: No worker is free, or the worker was ended; the log says so, too.
        """
        async with self._turn():
            worker = await self._take(run.order)
            try:
                ended = await _done(worker, run, self.place.limits)
            except BaseException:
                await worker.end()
                raise
            if ended.is_last:
                await worker.end()
            else:
                self._idle.append(worker)
                if len(self._idle) > KEPT_WORKERS:
                    await self._idle.pop(0).end()
            return ended

    async def close(self) -> None:
        """Ends the workers that have nothing to do; all others are ended with their runs."""
        while self._idle:
            await self._idle.pop().end()

    @asynccontextmanager
    async def _turn(self) -> AsyncGenerator[None, None]:
        self.waiting += 1
        try:
            async with asyncio.timeout(TURN_SECONDS):
                await self._turns.acquire()
        except TimeoutError:
            raise PlaygroundError(
                f"{MOST_WORKERS} runs of users' packages are at work, the most at once, and none of them ended within "
                f"{TURN_SECONDS:g} s. Send the message again when one has ended."
            ) from None
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self._turns.release()

    async def _take(self, order: RunOrder) -> WorkerProcess:
        """A worker of the user's; if possible the one that ran the session last, else one that has the package."""
        for worker in [worker for worker in self._idle if not worker.responds(within=RESPOND_SECONDS)]:
            self._idle.remove(worker)
            await worker.end()  # also one that was left something that keeps Python's lock
        wanted = order.pipeline, order.session_id
        if own := [worker for worker in self._idle if worker.user_id == order.user_id]:
            worker = max(own, key=lambda worker: (worker.last == wanted, worker.last[0] == wanted[0]))
            self._idle.remove(worker)
            return worker
        try:
            guarded = () if order.user_id == OWNER.id else self.place.guarded
            return await WorkerProcess.start(replace(self.place, guarded=guarded), order.user_id)
        except OSError as error:
            raise PlaygroundError(
                f"No worker process can be started for this run ({error.strerror}). The machine may be short of memory or "
                "of processes: stop other runs, then send the message again."
            ) from error


async def _done(worker: WorkerProcess, run: WorkerRun, limits: RunLimits) -> Ended:
    """Lets a worker do a run, and ends both where they go beyond a limit or are to stop."""
    worker.begin(run.order, run.hear)
    try:
        ended = await _watched(worker, run, limits)
    except asyncio.CancelledError:
        if not await _has_stopped(worker):
            await worker.end()
            await run.end({"status": "stopped", "error_message": "It did not respond, so its process was ended."})
        raise
    if isinstance(ended, Ended):
        if ended.is_last or not await run.end(_UNTRUE):
            return ended
        await worker.end()
        raise PlaygroundError(_UNTRUE["error_message"])
    await worker.end()
    await run.end(ended)
    raise PlaygroundError(ended["error_message"])


async def _watched(worker: WorkerProcess, run: WorkerRun, limits: RunLimits) -> Ended | dict[str, str]:
    """Waits for the end of a run. If it is to be ended from outside: what its log then says."""
    begun = asyncio.get_running_loop().time()
    heard, silent = 0, 0
    while (ended := await worker.ended(within=LOOK_SECONDS)) is None:
        if not worker.heard:  # it is still being started
            begun = asyncio.get_running_loop().time()
        if run.seconds is not None and asyncio.get_running_loop().time() > begun + run.seconds + TIME_GRACE:
            return _limited(f"it took more than the {run.seconds:,g} seconds of max_seconds, and its code went on")
        if over := _beyond(worker.tree, limits):
            return _limited(over)
        if not worker.tree.is_alive:
            await worker.end()  # it has died, and what it started keeps its pipe open
        if worker.heard != heard:
            if silent >= SILENT_LOOKS:
                run.tell("")
            heard, silent = worker.heard, 0
        elif heard:  # else it is still being started
            silent += 1
        if silent == SILENT_LOOKS:
            run.tell(FROZEN)
            _log.warning("%s Pipeline %s; the stacks of worker %d follow.", FROZEN, run.order.pipeline, worker.pid)
            worker.show_stacks()
    return ended if isinstance(ended, Ended) else _died(ended)


def _beyond(tree: ProcessTree, limits: RunLimits) -> str:
    """What a worker and all that it has started use beyond the limits; "" for nothing."""
    tree.look()
    used = tree.memory()
    if used > limits.memory * MEMORY_SHARE:
        may = f"and may hold {limits.memory / 1024**3:.1f} GB"
        return f"its process held {used / 1024**3:.1f} GB of memory with all that it started, {may}"
    if tree.started > limits.processes:
        return f"its code started {tree.started:,} processes, and may have {limits.processes:,} at once"
    return ""


_UNTRUE = {
    "status": "failed",
    "error_code": "WORKER_ERROR",
    "error_message": "This run was ended: its process said that it had ended, and its log had no end.",
}


def _limited(why: str) -> dict[str, str]:
    return {
        "status": "failed",
        "error_code": RunLimitExceededError.code,
        "error_message": f"This run was ended: {why}.",
    }


def _died(died: Died) -> dict[str, str]:
    return {
        "status": "interrupted",
        "error_code": "INTERRUPTED",
        "error_message": f"The worker process that ran this ended before the run did ({died.how}). All that it had appended "
        "is kept. Run it again from the last message.",
    }


async def _has_stopped(worker: WorkerProcess) -> bool:
    """Whether a run that was told to stop has ended. It is given time as long as its worker responds."""
    heard = worker.heard
    worker.stop()
    if await worker.ended(within=RESPOND_SECONDS) is not None:
        return True
    return worker.heard != heard and await worker.ended(within=STOP_SECONDS - RESPOND_SECONDS) is not None
