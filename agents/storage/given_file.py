"""Reads a file that the user named: a regular one, not more of it than is allowed, and its text in any usual encoding."""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a FIFO without a writer would be waited for
WESTERN = "cp1252"
"""What Windows programs write in Western Europe and America. In it nearly any bytes are some text."""

_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_WORD = re.compile(rb"[A-Za-z\x80-\xff]{2,}")
_FAR_LETTER = re.compile(rb"[\x80-\xff]")


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


def decoded(content: bytes) -> str:
    """Text in UTF-8, in UTF-16 with a byte order mark, or else in Windows-1252.

    Raises:
        UnicodeDecodeError: It is none of them.
    """
    encoding = next((encoding for bom, encoding in _BOMS.items() if content.startswith(bom)), "utf-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        if encoding != "utf-8" or not may_be_western(content):
            raise
        return content.decode(WESTERN)


def may_be_western(content: bytes) -> bool:
    """Whether bytes that are no UTF-8 read as text in Windows-1252.

    They do not where a byte stands for no character there, or where the letters of words beyond ASCII are not a minority:
    such words are Cyrillic, Greek, Chinese, Japanese or Korean in an older encoding.
    """
    try:
        content.decode(WESTERN)
    except UnicodeDecodeError:
        return False
    words = [word for word in _WORD.findall(content) if _FAR_LETTER.search(word)]
    return 2 * sum(len(_FAR_LETTER.findall(word)) for word in words) <= sum(map(len, words))
