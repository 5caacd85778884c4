"""Ends the server's process in time, even if threads still run.

A tool, a model or a user package may block a thread forever, and Python waits for threads at exit. No data is lost:
entries of a session are durable once they are appended.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

SECONDS = 4.0
"""Time for an orderly end, so that the process is gone 5 s after the first signal."""


class Shutdown:
    """Ends the process some seconds after the first signal, and at once at the second.

    Args:
        seconds: Time for an orderly end.
        leave: Ends the process with an exit code, without waiting for anything.
    """

    def __init__(self, *, seconds: float = SECONDS, leave: Callable[[int], object] = os._exit) -> None:
        self._seconds = seconds
        self._leave = leave
        self._timer: threading.Timer | None = None

    def signal(self, number: int) -> None:
        """Handles a termination signal; called in a signal handler."""
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
