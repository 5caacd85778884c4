"""Sizes and times in words."""

from __future__ import annotations

from pathlib import Path

_STEP = 1000
_FEW = 10


def bytes_in_words(number: int) -> str:
    """A size, e.g. "98 MB"."""
    size = float(number)
    for unit in ("bytes", "KB", "MB", "GB"):
        if size < _STEP or unit == "GB":
            break
        size /= _STEP
    return f"{size:.1f} {unit}" if unit != "bytes" and size < _FEW else f"{size:.0f} {unit}"


def seconds_in_words(seconds: float) -> str:
    """A time, e.g. "0.8 s"."""
    return f"{seconds:.1f} s" if seconds < _FEW else f"{seconds:.0f} s"


def size_of(place: Path) -> tuple[int, int]:
    """Bytes and number of files at a path: a file, or all files below a folder. Unreadable files do not count."""
    if place.is_file():
        return _bytes_of(place), 1
    files = [file for file in place.rglob("*") if not file.is_symlink() and file.is_file()] if place.is_dir() else []
    return sum(map(_bytes_of, files)), len(files)


def _bytes_of(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
