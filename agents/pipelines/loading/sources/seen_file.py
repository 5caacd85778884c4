"""A file as it was when it was read, to be compared with what is there now."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

SETTLED_NS = 2_000_000_000
"""Nanoseconds after which a file's times can be trusted: some file systems keep whole seconds, FAT even ones."""

MOST_FILES = 2000

LARGEST = 20_000_000
"""Bytes of a file whose content is compared."""

Stamp = tuple[int, int, int, int]
"""Times of the last change of content and of inode, size, and inode: a file that is replaced has another inode."""


class SeenFile:
    """A file, or its absence, as it was seen. May be asked from several threads.

    Args:
        path: The file.
        stamp: As it was before the content was read; None if there was no file.
        content: What was read; None for what is there now.
    """

    def __init__(self, path: str, stamp: Stamp | None, content: bytes | None = None) -> None:
        self.path = path
        self._stamp = stamp
        self._settled = False
        self._digest = _digest_of(path, stamp) if content is None else _digest(content)
        if content is None and stamp_of(path) != stamp:  # what was read before may be another content
            self._digest = b"unknown"

    def is_changed(self) -> bool:
        """Whether the file has another content now, was deleted, or was made.

        That costs one `stat`, unless the file was touched, or was written so short a time before it was read that a second
        change could have left the same times.
        """
        now = stamp_of(self.path)
        if now == self._stamp and (now is None or self._settled):
            return False
        if now is None or self._stamp is None:
            return True
        looked = time.time_ns()
        if _digest_of(self.path, now) != self._digest:
            return True
        self._stamp, self._settled = now, looked - max(now[:2]) > SETTLED_NS
        return False


def seen_now(path: Path) -> SeenFile:
    """A file as it is now."""
    return SeenFile(str(path), stamp_of(path))


def source_files(root: Path) -> dict[str, Stamp | None]:
    """The Python and YAML files below a folder, without hidden and installed ones; at most `MOST_FILES`."""
    found: dict[str, Stamp | None] = {}
    for place, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")) and name != "site-packages")
        found |= {
            path: stamp_of(path) for name in files if name.endswith((".py", ".yaml")) for path in (f"{place}{os.sep}{name}",)
        }
        if len(found) > MOST_FILES:
            break
    return found


def stamp_of(path: str | Path) -> Stamp | None:
    """What tells a file from its earlier and later versions; None if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116  on text, for speed: each page asks for all files
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _digest_of(path: str, stamp: Stamp | None) -> bytes | None:
    """What stands for the content of a file; of a very large one, its times and size."""
    if stamp is None:
        return None
    if stamp[2] > LARGEST:
        return repr(stamp).encode()
    try:
        return _digest(Path(path).read_bytes())
    except OSError:
        return None


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()
