"""How many files and sockets this process may have open: the system's default is too low for a class."""

from __future__ import annotations

import sys
from contextlib import suppress

WANTED = 8192
"""Descriptors for about a thousand tabs; some systems refuse an unlimited number."""


def allow_many() -> None:
    """Raises the soft limit of descriptors as far as the hard limit allows; 256 of macOS are 47 tabs."""
    if sys.platform == "win32":  # there is no such limit
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # a system with a lower limit of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
