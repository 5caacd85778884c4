"""`Heartbeat`: a short job that a thread does again and again on a connection of its own, whatever others wait for."""

from __future__ import annotations

import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable

from agents.storage.tables.connection import Connection


class Beating(ABC):
    """A connection of its own, for one thread."""

    @abstractmethod
    def do(self, job: Callable[[Connection], object]) -> None:
        """Does the job in a transaction, or, if the database cannot be used now, nothing."""

    @abstractmethod
    def close(self) -> None:
        """Closes the connection, if it is open."""


class Heartbeat:
    """Does the job every few seconds between `start` and `pause`; a job that fails is done at the next beat.

    The thread starts with the first `start` and ends with `close`, or when the heartbeat is garbage-collected.

    Args:
        connection: What it uses.
        seconds: Between two beats.
        job: What to do, in a write transaction. It must not refer to the heartbeat.
    """

    def __init__(self, connection: Beating, seconds: float, job: Callable[[Connection], object]) -> None:
        self._wanted, self._closed = threading.Event(), threading.Event()
        self._work = (connection, seconds, job, self._wanted, self._closed)
        self._thread: threading.Thread | None = None
        weakref.finalize(self, _end, self._wanted, self._closed)

    def start(self) -> None:
        """Beats from now on, first after the seconds between two beats."""
        if self._thread is None:
            self._thread = threading.Thread(target=_beat, args=self._work, name="sessions-heartbeat", daemon=True)
            self._thread.start()
        self._wanted.set()

    def pause(self) -> None:
        """Beats no more until `start`."""
        self._wanted.clear()

    def close(self) -> None:
        """Ends the thread; a beat that waits for the file is waited for."""
        _end(self._wanted, self._closed)
        if self._thread is not None:
            self._thread.join()


def _end(wanted: threading.Event, closed: threading.Event) -> None:
    closed.set()
    wanted.set()


def _beat(
    connection: Beating,
    seconds: float,
    job: Callable[[Connection], object],
    wanted: threading.Event,
    closed: threading.Event,
) -> None:
    while not (wanted.wait() and closed.wait(seconds)):
        if wanted.is_set():
            connection.do(job)
    connection.close()
