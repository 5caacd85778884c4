"""The one bridge between threads: an asyncio loop in a thread of its own, called from other threads and loops."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from agents.errors import PlaygroundError

T = TypeVar("T")

_log = logging.getLogger(__name__)


class LoopClosedError(PlaygroundError):
    """The loop was closed before, or while, it was called."""

    def __init__(self) -> None:
        super().__init__("This RunManager is closed. Make a new one to run pipelines.")


class LoopThread:
    """An event loop that lives in a daemon thread until it is closed.

    Args:
        name: The thread's name.
    """

    def __init__(self, name: str) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()
        self._ready.wait()

    def _work(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        self._ready.set()
        await self._end.wait()

    def call(self, function: Callable[..., Coroutine[Any, Any, T]], /, *args: Any, **kwargs: Any) -> T:
        """Runs a coroutine function in the loop and waits for its result. Call it from any other thread.

        Raises:
            LoopClosedError: The loop is closed.
        """
        return self.call_within(None, function, *args, **kwargs)

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

    def call_within(
        self, seconds: float | None, function: Callable[..., Coroutine[Any, Any, T]], /, *args: Any, **kwargs: Any
    ) -> T:
        """As `call`, but waits at most so long; the function is run all the same, once nothing blocks the loop.

        Raises:
            LoopClosedError: The loop is closed.
            TimeoutError: There is no result yet.
        """
        self._check_caller(function)
        try:
            return self._submit(function, *args, **kwargs).result(seconds)
        except concurrent.futures.CancelledError:
            raise LoopClosedError from None

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

    def close(self, *, timeout: float) -> bool:
        """Ends the loop and its thread; tasks in it are cancelled. False if the thread does not end in time."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._loop.call_soon_threadsafe(self._end.set)
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
            return asyncio.run_coroutine_threadsafe(function(*args, **kwargs), self._loop)
