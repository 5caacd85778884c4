"""Ends the server's process in time, even if threads still run.

A tool, a model or a user package may block a thread forever, and Python waits for threads at exit. No data is lost:
entries of a session are durable once they are appended.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable

LOOK_SECONDS = 0.2
"""Seconds between two looks whether runs have ended."""
SECONDS = 4.0
"""Time for an orderly end, so that the process is gone 5 s after the first signal."""


class Shutdown:
    """Ends the process some seconds after the first signal, and at once at the second.

    SIGTERM may leave time before that: the server answers on, and says that it is not ready, until its runs have ended.

    Args:
        seconds: Time for an orderly end.
        leave: Ends the process with an exit code, without waiting for anything.
        drain: Seconds that runs may go on after SIGTERM; 0 for none.
        drained: Called several times a second after SIGTERM; whether nothing is left to wait for.
    """

    def __init__(
        self,
        *,
        seconds: float = SECONDS,
        leave: Callable[[int], object] = os._exit,
        drain: float = 0.0,
        drained: Callable[[], bool] = lambda: True,
    ) -> None:
        self._seconds = seconds
        self._leave = leave
        self._drain, self._drained = drain, drained
        self._timer: threading.Timer | None = None

    def signal(self, number: int, end: Callable[[], object]) -> None:
        """Handles a termination signal; called in a signal handler.

        Args:
            number: The signal's number.
            end: Begins the server's orderly end.
        """
        if self._drain and number == signal.SIGTERM:
            wait, self._drain = self._drain, 0.0
            threading.Thread(target=self._wait, args=(wait, number, end), name="playground-drain", daemon=True).start()
            return
        self._begin(number)
        end()

    def _wait(self, seconds: float, number: int, end: Callable[[], object]) -> None:
        until = time.monotonic() + seconds
        while not self._drained() and time.monotonic() < until and self._timer is None:
            time.sleep(LOOK_SECONDS)
        if self._timer is None:  # else another signal has ended the wait
            self._begin(number)
            end()

    def _begin(self, number: int) -> None:
        if self._timer is not None:
            self._leave(128 + number)
            return
        self._timer = threading.Timer(self._seconds, self._late, (128 + number,))
        self._timer.name = "playground-shutdown"
        self._timer.daemon = True
        self._timer.start()

    def done(self) -> None:
        """Ends the process after the server's orderly end, without waiting for threads."""
        left = [thread for thread in threading.enumerate() if thread not in {threading.current_thread(), self._timer}]
        if left:
            sys.stdout.flush()
            sys.stderr.flush()
            self._leave(0)

    def _late(self, code: int) -> None:
        print(
            f"\n  Ended without an orderly shutdown, which took longer than {self._seconds:g} s: a tool, a model or a "
            "package still runs. What was stored is kept; runs that had not ended will be shown as interrupted.\n",
            file=sys.stderr,
            flush=True,
        )
        self._leave(code)
