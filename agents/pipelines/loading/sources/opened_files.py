"""Notes which files are opened while a package is imported: a prompt or a table beside its code is part of it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agents.pipelines.loading.sources.seen_file import SeenFile, Stamp, stamp_of

MOST_FILES = 500

_lock = threading.Lock()
_noting: dict[int, OpenedFiles] = {}
"""By the thread that imports."""
_hooks: list[object] = []
"""The one audit hook, once there is one: hooks cannot be removed."""


class OpenedFiles:
    """Files below a folder that a thread opened for reading.

    Args:
        root: The folder.
    """

    def __init__(self, root: Path) -> None:
        self._root = str(root) + os.sep
        self._stamps: dict[str, Stamp | None] = {}
        self._written: set[str] = set()

    @contextmanager
    def noted(self) -> Generator[None, None, None]:
        """Notes what this thread opens in the block."""
        with _lock:
            if not _hooks:
                sys.addaudithook(_on_event)
                _hooks.append(_on_event)
        thread = threading.get_ident()
        _noting[thread] = self
        try:
            yield
        finally:
            _noting.pop(thread, None)

    def note(self, path: Any, flags: Any) -> None:
        """Notes a file that is about to be opened."""
        if not isinstance(path, bytes | str) or not isinstance(flags, int):
            return  # by its number, which it got when it was opened
        file = os.path.abspath(os.fsdecode(path))  # noqa: PTH100  as text, in a hook that runs at each opening
        if not file.startswith(self._root) or "__pycache__" in file or len(self._stamps) >= MOST_FILES:
            return
        if flags & (os.O_WRONLY | os.O_RDWR):
            self._written.add(file)
        else:
            self._stamps.setdefault(file, stamp_of(file))

    def seen(self) -> list[SeenFile]:
        """The files as they were before they were opened, without those that the thread wrote itself."""
        return [SeenFile(file, stamp) for file, stamp in self._stamps.items() if file not in self._written]


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and (opened := _noting.get(threading.get_ident())) is not None:
        path, _mode, flags = arguments
        opened.note(path, flags)
