"""Reads a file that the user named: a regular one, and not more of it than is allowed."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a FIFO without a writer would be waited for


def open_given(path: Path) -> BinaryIO:
    """Opens a regular file to be read.

    Raises:
        OSError: It is not there, may not be read, or is a folder, a device or a pipe; `strerror` says it.
    """
    number = os.open(path, os.O_RDONLY | _AT_ONCE)
    mode = os.fstat(number).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(number, "rb")
    os.close(number)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "It is a device or a pipe, not a file", str(path))


def read_given(path: Path, *, most: int) -> bytes:
    """The content of a regular file.

    Raises:
        OSError: As for `open_given`; or it is larger.
    """
    with open_given(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"It is larger than {most:,} bytes", str(path))
    return content
