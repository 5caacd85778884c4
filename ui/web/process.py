"""The server's process: its limit of descriptors, its memory, and where it stands still in C, which no thread can say."""

from __future__ import annotations

import ctypes
import faulthandler
import logging
import sys
import threading
import time
from contextlib import suppress

FROZEN_SECONDS = 10.0
"""How long no thread can run before the stacks are written. A busy machine takes fractions of a second."""

_log = logging.getLogger(__name__)
WANTED = 8192
"""Descriptors for about a thousand tabs; some systems refuse an unlimited number."""


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
                "power of large numbers. The stacks above, after the word Timeout, show which. Run such a pipeline by "
                "`playground run`: in a process of its own it holds up nobody, and this server shows its session.",
                late,
            )


def allow_many_descriptors() -> None:
    """Raises the soft limit of descriptors as far as the hard limit allows; 256 of macOS are 47 tabs."""
    if sys.platform == "win32":  # there is no such limit
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # a system with a lower limit of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def give_back_memory() -> None:
    """Returns freed memory. Takes some milliseconds, without the GIL. Does nothing unless the C library is glibc."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
