"""Says where the server stands still when code in C keeps Python's lock, so that no thread can say it."""

from __future__ import annotations

import faulthandler
import logging
import sys
import threading
import time
from contextlib import suppress

FROZEN_SECONDS = 10.0
"""How long no thread can run before the stacks are written. A busy machine takes fractions of a second."""

_log = logging.getLogger(__name__)


def watch(after: float = FROZEN_SECONDS) -> None:
    """Starts the watch of this process, which does not keep it from ending.

    The stacks of all threads go to standard error while the server stands still: the code may never return. They hold
    names of files and functions, no values.

    Args:
        after: Seconds without a thread that runs.
    """
    with suppress(AttributeError, OSError, ValueError):  # a program without a console has no standard error
        sys.stderr.fileno()
        threading.Thread(target=_watch, args=(after,), name="playground-frozen", daemon=True).start()


def _watch(after: float) -> None:
    pulse = after / 4
    while True:
        faulthandler.dump_traceback_later(after)  # puts off the last one; its own thread needs no lock
        before = time.monotonic()
        time.sleep(pulse)
        if (late := time.monotonic() - before) > after:
            _log.warning(
                "The whole server stood still for %.0f s: code in C kept Python's lock, such as a regular expression or the "
                "power of large numbers. The stacks above, after the word Timeout, show which. Start the server with "
                "--isolate, or run such a pipeline by `playground run`: in a process of its own it holds up nobody, and "
                "this server shows its session.",
                late,
            )
