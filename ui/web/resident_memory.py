"""Returns memory that Python has freed to the system; the C library would keep it."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Returns freed memory. Takes some milliseconds, without the GIL. Does nothing unless the C library is glibc."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
