"""Identifies a process by its id and start time, because ids are reused; tells whether it still runs, and what it holds."""

from __future__ import annotations

import os
import platform
import uuid
from functools import cache
from pathlib import Path

_SAME_START = 1.0
"""Seconds by which two readings of one process's start may differ: clocks are adjusted."""


def this_process() -> tuple[int, float]:
    """The id and the start of this process."""
    import psutil  # slow to load, and rarely needed

    return os.getpid(), psutil.Process().create_time()


@cache
def this_host() -> str:
    """Names what shares process ids with this process: a machine since it was started, or a container on it."""
    try:
        started = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{started}/{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:  # not Linux
        return f"{platform.node()}/{uuid.getnode():x}"


def memory_of(pid: int) -> int:
    """Bytes of memory that a process holds; 0 if it has ended."""
    import psutil

    try:
        return psutil.Process(pid).memory_info().rss
    except psutil.Error:
        return 0


def is_running(pid: int, started: float) -> bool:
    """Whether the process with that id and start still runs."""
    import psutil

    try:
        process = psutil.Process(pid)
        return process.status() != psutil.STATUS_ZOMBIE and abs(process.create_time() - started) <= _SAME_START
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True  # another user's, but it runs
