"""Gives memory that Python has freed back to the system, where the C library would keep it for later."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Takes some milliseconds, during which other threads run. Does nothing with a C library other than glibc."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
