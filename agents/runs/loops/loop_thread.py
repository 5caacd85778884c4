"""The one bridge between threads: an asyncio loop in a thread of its own, called from other threads and loops."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import Any, TypeVar

from agents.errors import PlaygroundError
from agents.models.connections import close_connections
from agents.runs.loops.thread_end import ThreadEnded

T = TypeVar("T")

_log = logging.getLogger(__name__)


class LoopClosedError(PlaygroundError):
    """The loop was closed before, or while, it was called."""

    def __init__(self) -> None:
        super().__init__("This RunManager is closed. Make a new one to run pipelines.")


class ToolThreads(ThreadPoolExecutor):
    """The threads of a loop for functions that are not asynchronous.

    Attributes:
        busy: The `ident`s of those that work now. May be read in any thread.
    """

    def __init__(self, name: str) -> None:
        super().__init__(thread_name_prefix=name)
        self.busy: set[int] = set()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """See `Executor`."""
        return super().submit(self._work, fn, *args, **kwargs)

    def _work(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
        ident = threading.get_ident()
        self.busy.add(ident)
        try:
            return function(*args, **kwargs)
        finally:
            self.busy.discard(ident)


class LoopThread:
    """An event loop that lives in a daemon thread until it is closed. What it runs is in the `Scope` that it is made in.

    Attributes:
        name: The thread's name.
        tools: The threads of its tools.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.tools = ToolThreads(f"{name} tool")
        self._lock = threading.Lock()
        self._closed = False
        self._ready = threading.Event()
        self._context = copy_context()
        self._thread = threading.Thread(target=self._context.copy().run, args=(self._work,), name=name, daemon=True)
        self._thread.start()
        self._ready.wait()

    def _work(self) -> None:
        with suppress(ThreadEnded):
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_default_executor(self.tools)
        self._end = asyncio.Event()
        self._ready.set()
        await self._end.wait()
        await close_connections()

    @property
    def ident(self) -> int:
        """The thread's `ident`."""
        return self._thread.ident or 0

    @property
    def idents(self) -> list[int]:
        """Those of the thread and of the threads of its tools that work now."""
        return [self.ident, *self.tools.busy]

    @property
    def is_alive(self) -> bool:
        """Whether the thread has not ended."""
        return self._thread.is_alive()

    def call(self, function: Callable[..., Coroutine[Any, Any, T]], /, *args: Any, **kwargs: Any) -> T:
        """Runs a coroutine function in the loop and waits for its result. Call it from any other thread.

        Raises:
            LoopClosedError: The loop is closed.
        """
        self._check_caller(function)
        try:
            return self._submit(function, *args, **kwargs).result()
        except concurrent.futures.CancelledError:
            raise LoopClosedError from None

    def read_here(self, function: Callable[..., Coroutine[Any, Any, T]], /, *args: Any, **kwargs: Any) -> T:
        """Runs a coroutine function that only reads: in the caller's thread if it waits for no loop, else as `call`.

        The way into the loop and back takes two changes of threads, and each waits for all who compute.

        Raises:
            LoopClosedError: The loop is closed.
        """
        self._check_caller(function)
        if self._closed:
            raise LoopClosedError
        reading = function(*args, **kwargs)
        try:
            reading.send(None)
        except StopIteration as done:
            return done.value
        reading.close()
        return self.call(function, *args, **kwargs)

    async def await_in_loop(self, function: Callable[..., Coroutine[Any, Any, T]], /, *args: Any, **kwargs: Any) -> T:
        """Runs a coroutine function in the loop for a caller in any loop; cancelling the caller cancels it.

        Raises:
            LoopClosedError: The loop is closed.
        """
        try:
            return await asyncio.wrap_future(self._submit(function, *args, **kwargs))
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if self._closed and caller is not None and not caller.cancelling():
                raise LoopClosedError from None
            raise

    def post(self, function: Callable[..., object], /, *args: Any) -> None:
        """Schedules a function in the loop, in the order of the calls; does nothing once the loop is closed."""
        with self._lock:
            if not self._closed:
                self._loop.call_soon_threadsafe(function, *args)

    def end(self) -> None:
        """Ends the loop and its thread, without waiting for it; tasks in it are cancelled."""
        with self._lock:
            if not self._closed:
                self._closed = True
                with suppress(RuntimeError):  # it was ended from outside
                    self._loop.call_soon_threadsafe(self._end.set)

    def close(self, *, timeout: float) -> bool:
        """The same, and waits for it. False if the thread does not end in time."""
        self.end()
        self._thread.join(timeout)
        if self._thread.is_alive():
            _log.warning("Thread %r did not end within %g s: a tool or a model blocks it.", self._thread.name, timeout)
        return not self._thread.is_alive()

    def _check_caller(self, function: Callable[..., object]) -> None:
        if threading.current_thread() is self._thread:
            raise RuntimeError(f"{function.__qualname__} was called from its own loop, where it would wait forever.")

    def _submit(
        self, function: Callable[..., Coroutine[Any, Any, T]], /, *args: Any, **kwargs: Any
    ) -> concurrent.futures.Future[T]:
        with self._lock:  # the loop cannot close between the check and the call
            if self._closed:
                raise LoopClosedError
            return self._context.copy().run(asyncio.run_coroutine_threadsafe, function(*args, **kwargs), self._loop)


def call_in_own_loop(name: str, function: Callable[..., Coroutine[Any, Any, T]], /, *args: Any) -> T:
    """Runs a coroutine function in a loop and a thread made for it, and waits for its result."""
    thread = LoopThread(name)
    try:
        return thread.call(function, *args)
    finally:
        thread.end()


class LoopTask:
    """A task in another loop, for a task that waits for its end in this one. Made in the loop that waits.

    Attributes:
        thread: The other loop.
    """

    def __init__(self, thread: LoopThread, function: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.thread = thread
        self._here = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        thread.post(self._begin, function)

    @property
    def has_ended(self) -> bool:
        """Whether it has."""
        return self._ended.is_set()

    def cancel(self) -> None:
        """Cancels the task, as soon as its loop responds."""
        self.thread.post(lambda: self._task and self._task.cancel())

    async def ends_within(self, seconds: float) -> bool:
        """Waits for its end, at most so long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)
        return self.has_ended

    def _begin(self, function: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._task = asyncio.create_task(function())
        self._task.add_done_callback(self._tell)

    def _tell(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            task.exception()  # read, so that it is not reported as lost
        with suppress(RuntimeError):  # nobody waits any more
            self._here.call_soon_threadsafe(self._ended.set)
