"""Ends a thread that runs a user's code and does not end by itself."""

from __future__ import annotations

import ctypes
import logging
import os
import queue
import sys
import threading
import weakref
from pathlib import Path
from types import FrameType

import agents

_RUNTIME = f"{Path(agents.__file__).parent}{os.sep}"
_LOCKING = frozenset(module.__file__ for module in (logging, queue, threading, weakref))


class ThreadEnded(BaseException):
    """Raised in a thread whose run was stopped, wherever its code is."""


def end_thread(ident: int) -> None:
    """Raises `ThreadEnded` in a thread as soon as it runs Python code again; not while it may hold a lock of the process.

    Code in C, such as `time.sleep`, is not interrupted; code that catches the exception goes on. Call it again then.

    Args:
        ident: The thread's `ident`; nothing is done if it has ended.
    """
    frame = frame_of(ident)
    if frame is not None and not _may_hold_lock(frame):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(ThreadEnded))


def frame_of(ident: int) -> FrameType | None:
    """The innermost frame of a thread; None if it has ended."""
    return sys._current_frames().get(ident)  # pyright: ignore[reportPrivateUsage]  documented so


def _may_hold_lock(frame: FrameType) -> bool:
    """Whether the code at work is the runtime's, a logger's or an importer's, which share locks with other threads."""
    name = frame.f_code.co_filename
    return name in _LOCKING or name.startswith((_RUNTIME, "<frozen "))
