"""The demo that this process was started for, if any, and its playbook.

The root URL of such a process leads to the demo's beginning.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from agents import PlaybookExistsError

if TYPE_CHECKING:
    from agents.runs import RunManager


@dataclass(slots=True)
class _Process:
    lock: threading.Lock = field(default_factory=threading.Lock)
    demo: str | None = None
    playbook: str | None = None


_process = _Process()


def begin(demo: str | None) -> None:
    """Makes the root URL show a demo, with a new playbook; None shows the plain page again."""
    with _process.lock:
        _process.demo, _process.playbook = demo, None


def demo() -> str | None:
    """The demo that this process was started for."""
    return _process.demo


def playbook(manager: RunManager) -> str:
    """The playbook of this process's demo, made at the first call."""
    with _process.lock:
        if _process.playbook is None:
            _process.playbook = new_playbook(manager)
        return _process.playbook


def new_playbook(manager: RunManager) -> str:
    """Makes an empty playbook with the first free name of "demo 1", "demo 2" …, and returns the name."""
    beside = manager.playbooks("demo")
    taken = {info.name for info in beside.names()}
    for number in count(1):
        name = f"demo {number}"
        if name in taken:
            continue
        try:
            return beside.create(name).name
        except PlaybookExistsError:  # another process was faster
            continue
    raise AssertionError
