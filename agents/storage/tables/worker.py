"""A thread that runs blocking jobs one by one, in the order of their submission, for any number of event loops."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")


BRIEF = 0.0005
"""Seconds that a caller blocks for a job before it lets its event loop continue: most jobs take a fifth of that, and
waking through the loop would take as long again."""


class GiveUp:
    """Tells a job that waits for the database that its caller has given up."""

    __slots__ = ("wanted",)

    def __init__(self) -> None:
        self.wanted = False

    def now(self) -> None:
        """Ends the wait; the write fails unless its current attempt works."""
        self.wanted = True


class WorkerClosedError(RuntimeError):
    """A job was given to a worker that is closed."""


class NotNowError(Exception):
    """A brief job cannot run at once: it would have to wait, or is not brief after all. It has changed nothing."""


class Worker:
    """A thread with a queue: a third of a `ThreadPoolExecutor`'s cost, which counts at one job an event.

    The thread starts with the first job and ends with `close`, or when the worker is garbage-collected. It does not keep
    the process alive: callers that wait for a job do.

    Args:
        name: Of the thread.
        brief: See `BRIEF`.
    """

    def __init__(self, name: str, *, brief: float = BRIEF) -> None:
        self._name, self._brief = name, brief
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._turn = threading.Lock()  # held while a job runs, in the thread or in a caller's
        self._thread: threading.Thread | None = None
        self._closed = False
        self._given = 0  # jobs that are pending, but for brief ones
        self._waiting = 0  # callers that were not woken yet
        weakref.finalize(self, self._jobs.put, None)

    async def run(
        self,
        job: Callable[[], T],
        then: Callable[[T], None] | None = None,
        *,
        brief: Callable[[], T] | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> T:
        """Runs `job` in the thread and returns its result.

        A submitted job runs even if the caller is cancelled meanwhile: the cancellation is raised once the job's outcome
        is known. So the caller never has to guess whether it happened: if the job failed,
        its error is the cause of the `CancelledError`.

        Args:
            job: What to do, in the thread.
            then: Called with the result in the caller's event loop, in the order of the jobs, cancelled or not.
            brief: The same, to run at once in the caller's thread if no other job comes first: waking the thread and being
                woken costs more than a short job. It must not wait; if it would have to, it raises `NotNowError`, and
                `job` runs in the thread.
            cancelled: Called when the caller is cancelled, so that a job that waits for something can give up.

        Raises:
            WorkerClosedError: The worker is closed.
        """
        if brief is not None and self._takes_turn():
            try:
                result = brief()
                if then is not None:
                    then(result)
            except NotNowError:
                pass
            else:
                return result
            finally:
                self._turn.release()
        task = _Task(asyncio.get_running_loop(), partial(self._do, job), then)
        self._submit(task.work)
        if self._waiting or not task.ends_within(self._brief):  # earlier callers are woken first: the order is kept
            self._count_waiting(1)
            try:
                await task.finished(cancelled)
            finally:
                self._count_waiting(-1)
        return task.result()

    @property
    def pending(self) -> int:
        """How many jobs are not done."""
        return self._given

    def run_here(self, job: Callable[[], T]) -> T:
        """Runs `job` in the caller's thread, which may wait, once no other job runs.

        Raises:
            WorkerClosedError: The worker is closed.
        """
        with self._lock:
            self._check_open()
            self._given += 1
        return self._do(job)

    def soon(self, job: Callable[[], None]) -> None:
        """Submits `job`, which must not raise, without waiting for it. A closed worker does nothing."""
        with suppress(WorkerClosedError):
            self._submit(partial(self._do, job))

    def _takes_turn(self) -> bool:
        """Takes the thread's place, if it is idle and no caller waits to be woken."""
        with self._lock:
            is_idle = not (self._closed or self._given or self._waiting)
            return is_idle and self._turn.acquire(blocking=False)

    def _do(self, job: Callable[[], T]) -> T:
        try:
            with self._turn:
                return job()
        finally:
            with self._lock:
                self._given -= 1

    def _count_waiting(self, change: int) -> None:
        with self._lock:
            self._waiting += change

    def close(self) -> None:
        """Waits for the jobs given so far and ends the thread."""
        with self._lock:
            self._closed = True
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
        with self._turn:  # a brief job in another thread is over
            pass

    def _submit(self, job: Callable[[], None]) -> None:
        with self._lock:
            self._check_open()
            self._given += 1
            if self._thread is None:
                work = copy_context().run, (_do_all, self._jobs)  # in the scope of the workspace that it is for
                self._thread = threading.Thread(target=work[0], args=work[1], name=self._name, daemon=True)
                self._thread.start()
            self._jobs.put(job)

    def _check_open(self) -> None:
        if self._closed:
            raise WorkerClosedError


def _do_all(jobs: SimpleQueue[Callable[[], None] | None]) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job  # or what it holds would live until the next one


class _Task(Generic[T]):
    """A job on its way through the thread and back. Only `work` runs in the thread."""

    __slots__ = ("_bell", "_done", "_error", "_gate", "_job", "_loop", "_result", "_then", "_waiter", "_worked")

    _result: T

    def __init__(self, loop: asyncio.AbstractEventLoop, job: Callable[[], T], then: Callable[[T], None] | None) -> None:
        self._loop = loop
        self._job = job
        self._then = then
        self._bell = threading.Lock()
        self._bell.acquire()  # released when the job is done
        self._gate = threading.Lock()
        self._worked = False
        self._done = False
        self._error: BaseException | None = None
        self._waiter: asyncio.Future[None] | None = None

    def work(self) -> None:
        """Runs the job and wakes the loop."""
        try:
            self._result = self._job()
        except BaseException as error:  # noqa: BLE001  it belongs to the caller, not to the thread
            self._error = error
        with self._gate:
            self._worked = True
            is_awaited = self._waiter is not None
        self._bell.release()
        if is_awaited:
            with suppress(RuntimeError):  # the loop was closed: no caller waits
                self._loop.call_soon_threadsafe(self._settle)

    def ends_within(self, seconds: float) -> bool:
        """Blocks for at most so long; whether the job's outcome is known then."""
        if self._bell.acquire(timeout=seconds):
            self._settle()
        return self._done

    def _settle(self) -> None:
        try:
            if self._error is None and self._then is not None:
                self._then(self._result)
        except BaseException as error:  # noqa: BLE001  it belongs to the caller, not to the loop
            self._error = error
        self._done = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def finished(self, when_cancelled: Callable[[], None] | None) -> None:
        """Waits for the outcome, also when cancelled meanwhile; the cancellation is raised then."""
        cancelled: asyncio.CancelledError | None = None
        while not self._done:
            with self._gate:
                is_first = self._waiter is None
                self._waiter = self._loop.create_future()  # a cancelled caller takes it along: a new one each time
                if is_first and self._worked:  # done before the caller awaited it
                    self._loop.call_soon(self._settle)
            try:
                await self._waiter
            except asyncio.CancelledError as error:
                if cancelled is None and when_cancelled is not None:
                    when_cancelled()
                cancelled = error
        if cancelled is not None:
            raise cancelled from self._error

    def result(self) -> T:
        """The outcome of the job."""
        if self._error is not None:
            raise self._error
        return self._result
