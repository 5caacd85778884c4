"""Whether this server can take users: the database, the disk, and whether it is about to end."""

from __future__ import annotations

import shutil
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from agents import PlaygroundError
from agents.runs import folder_beside
from ui.state import runs

LEAST_FREE = 100 * 1024**2
"""Bytes that the database's disk has free on a server that is ready."""
KEPT_SECONDS = 1.0
"""How long an answer holds: many may ask, and each question locks the database for a moment."""


@dataclass(slots=True)
class _Process:
    ending: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    asked: float = 0.0
    problems: dict[str, str] = field(default_factory=dict[str, str])


_process = _Process()


def end() -> None:
    """This server is about to end: it is not ready from now on."""
    _process.ending.set()


def problems() -> dict[str, str]:
    """Why it is not ready, by what is checked: "server", "database" and "disk"; empty if it is."""
    if _process.ending.is_set():
        return {"server": "This server is about to end."}
    with _process.lock:
        if time.monotonic() > _process.asked + KEPT_SECONDS:
            _process.problems = _found()
            _process.asked = time.monotonic()
        return _process.problems


def _found() -> dict[str, str]:
    found: dict[str, str] = {}
    try:
        workspace = runs.workspace()
        _ = workspace.runs
        workspace.check_ready()
    except PlaygroundError as error:
        found["database"] = str(error)
    try:
        free = shutil.disk_usage(_existing(folder_beside(runs.database()))).free
    except OSError as error:
        found["disk"] = f"The folder of the database cannot be read ({error.strerror})."
    else:
        if free < LEAST_FREE:
            found["disk"] = f"{free / 1e6:,.0f} MB are free, and a server that is ready has {LEAST_FREE / 1e6:,.0f} MB."
    return found


def _existing(folder: Path) -> Path:
    """The folder, or the one above that is there: it is made when something is kept in it."""
    return folder if folder.exists() or folder == folder.parent else _existing(folder.parent)
