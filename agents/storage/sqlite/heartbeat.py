"""`Heartbeat`: a short job that a thread does again and again on a connection of its own, whatever others wait for."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from agents.errors import DatabaseError
from agents.storage.sqlite.database import Connection, transaction


class Heartbeat:
    """Does the job every few seconds between `start` and `pause`; a job that fails is done at the next beat.

    The thread starts with the first `start` and ends with `close`, or when the heartbeat is garbage-collected.

    Args:
        path: The file.
        seconds: Between two beats; also how long a beat waits for other processes that write.
        job: What to do, in a write transaction. It must not refer to the heartbeat.
    """

    def __init__(self, path: Path, seconds: float, job: Callable[[sqlite3.Connection], object]) -> None:
        self._wanted, self._closed = threading.Event(), threading.Event()
        self._work = (path, seconds, job, self._wanted, self._closed)
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
    path: Path,
    seconds: float,
    job: Callable[[sqlite3.Connection], object],
    wanted: threading.Event,
    closed: threading.Event,
) -> None:
    connection = Connection(path, seconds, checkpoints=False, takes_another=True)
    while not (wanted.wait() and closed.wait(seconds)):
        if wanted.is_set():
            with suppress(sqlite3.Error, DatabaseError), transaction(connection.get()) as conn:
                job(conn)
    connection.close()
