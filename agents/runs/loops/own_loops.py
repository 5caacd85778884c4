"""Runs of users' packages, each in an event loop and a thread of its own, watched from the loop of the runs.

A package's loop is used again by its next run, so that what the package keeps in it (HTTP clients, locks) works on. Runs
of a package at the same time have loops of their own.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, NamedTuple

from agents.runs.loops.blocked_code import blocked_code
from agents.runs.loops.loop_thread import LoopTask, LoopThread
from agents.runs.loops.thread_end import end_thread

LOOK_SECONDS = 1.0
"""Seconds between two questions to a loop whether it responds."""

BLOCKED_LOOKS = 5
"""Questions without an answer after which a loop counts as blocked. Not seconds: on a slow machine they come late, too."""

TELL_LOOKS = 10
"""Questions without an answer between two notices, after the first one."""

RESPOND_SECONDS = 0.7
"""How long a loop may take to respond, once its run is stopped."""

ENDING_SECONDS = 4.0
"""How long a run that responds may take to end, once it is stopped."""

RETRY_SECONDS = 0.2
"""Seconds between two attempts to end a thread; after `TOLD` of them one is made every `RARELY_SECONDS`."""

TOLD, RARELY_SECONDS = 25, 5.0

_log = logging.getLogger(__name__)


class OwnRun(NamedTuple):
    """A run, as `OwnLoops` needs it.

    Attributes:
        pipeline: The pipeline's name.
        folder: Where its code is.
        drive: Runs it, in the loop that it is called in.
        revoke: Ends it in the log, and refuses what it stores later.
        tell: Called with a sentence when it does not respond, and with "" when it does again.
    """

    pipeline: str
    folder: Path
    drive: Callable[[], Coroutine[Any, Any, None]]
    revoke: Callable[[], Awaitable[object]]
    tell: Callable[[str], None]


class OwnLoops:
    """The loops and threads. Used in the loop of the runs."""

    def __init__(self) -> None:
        self._idle: dict[str, LoopThread] = {}
        self._left: set[LoopThread] = set()
        """Threads whose run was stopped, and that have not ended."""
        self._ending: asyncio.Task[None] | None = None

    async def run(self, run: OwnRun) -> None:
        """Runs it to its end. Cancelled, it stops the run: within a second, whatever the run's code does."""
        loop = await self._take(run.pipeline)
        task = LoopTask(loop, run.drive)
        try:
            await _watched(run, task)
        except asyncio.CancelledError:
            task.cancel()
            if not await _has_ended(task):
                self._leave(loop)
                await run.revoke()
                raise
            if loop.tools.busy:  # a tool that blocks its thread
                self._leave(loop)
            else:
                self._give_back(run.pipeline, loop)
            raise
        self._give_back(run.pipeline, loop)

    async def close(self, *, within: float) -> bool:
        """Ends all threads; False if some are left. They do not keep the process from exiting."""
        self._left.update(self._idle.values())
        self._idle.clear()
        for loop in self._left:
            loop.end()
        await asyncio.to_thread(_join, self._left, within)
        return not any(loop.is_alive for loop in self._left)

    async def _take(self, pipeline: str) -> LoopThread:
        loop = self._idle.pop(pipeline, None)
        if loop is None:
            return LoopThread(f"playground-run {pipeline}")
        try:
            responds = await LoopTask(loop, _nothing).ends_within(RESPOND_SECONDS)
        except asyncio.CancelledError:
            self._give_back(pipeline, loop)
            raise
        if responds:
            return loop
        self._leave(loop)  # a task that an earlier run began blocks it
        return LoopThread(f"playground-run {pipeline}")

    def _give_back(self, pipeline: str, loop: LoopThread) -> None:
        if loop.tools.busy or self._idle.setdefault(pipeline, loop) is not loop:
            loop.end()

    def _leave(self, loop: LoopThread) -> None:
        """Ends a thread as soon as that is possible."""
        loop.end()
        self._left.add(loop)
        if self._ending is None or self._ending.done():
            self._ending = asyncio.create_task(self._end_left(), name="end the threads of stopped runs")

    async def _end_left(self) -> None:
        tries = 0
        while True:
            await asyncio.sleep(RETRY_SECONDS if tries < TOLD else RARELY_SECONDS)
            self._left = {loop for loop in self._left if loop.is_alive}
            if not self._left:
                return
            for loop in self._left:
                for ident in loop.idents:
                    end_thread(ident)
            if (tries := tries + 1) == TOLD:
                _log.warning(
                    "%d thread(s) of stopped runs still work, because code in them waits outside of Python or catches every "
                    "exception: %s. What they do is not stored. They end when that code returns, or with the playground.",
                    len(self._left),
                    ", ".join(sorted(loop.name for loop in self._left)),
                )


def _join(loops: set[LoopThread], timeout: float) -> None:
    """Waits for the ends of threads, for all of them together at most so long."""
    deadline = time.monotonic() + timeout
    for loop in list(loops):
        loop.close(timeout=max(0.0, deadline - time.monotonic()))


async def _watched(run: OwnRun, task: LoopTask) -> None:
    """Waits for the end of a run; tells when its loop does not respond, and when it does again."""
    question, silent = LoopTask(task.thread, _nothing), 0
    while not await task.ends_within(LOOK_SECONDS):
        if question.has_ended:
            question = LoopTask(task.thread, _nothing)
            if silent >= BLOCKED_LOOKS:
                run.tell("")
            silent = 0
            continue
        silent += 1
        if silent == BLOCKED_LOOKS or silent % TELL_LOOKS == 0:
            _tell(run, task.thread.ident, silent)


def _tell(run: OwnRun, ident: int, silent: int) -> None:
    """Tells what a run does that has not answered so many questions, and logs its stack, once."""
    if (found := blocked_code(ident, run.folder)) is None:
        return
    who = f"Agent {found.agent}" if found.agent else "A task of this pipeline"
    notice = f"{who} has not responded for {silent * LOOK_SECONDS:.0f} s. It is in {found.place}. Stop ends it."
    if silent == BLOCKED_LOOKS:
        _log.warning("%s Pipeline %s:\n%s", notice, run.pipeline, found.stack)
    run.tell(notice)


async def _has_ended(task: LoopTask) -> bool:
    """Whether a run that was told to stop has ended. It is given time as long as its loop responds."""
    deadline = asyncio.get_running_loop().time() + ENDING_SECONDS
    while asyncio.get_running_loop().time() < deadline:
        question = LoopTask(task.thread, _nothing)
        if await task.ends_within(RESPOND_SECONDS):
            return True
        if not question.has_ended:
            return False
    return False


async def _nothing() -> None:
    """Ends as soon as the loop that it is run in responds."""
