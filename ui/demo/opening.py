"""The demo that this process was started for, if any: the root URL leads to its beginning, and all tabs see the same one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from agents import PlaybookExistsError, SessionExistsError

if TYPE_CHECKING:
    from agents.runs import RunManager


PIPELINE = "ace"
"""The pipeline of the story and of *Watch it learn*."""


@dataclass(slots=True)
class _Process:
    lock: threading.Lock = field(default_factory=threading.Lock)
    demo: str | None = None
    made: str | None = None


_process = _Process()


def begin(demo: str | None) -> None:
    """Makes the root URL show a demo, with a playbook or lab run of its own; None shows the plain page again."""
    with _process.lock:
        _process.demo, _process.made = demo, None


def demo() -> str | None:
    """The demo that this process was started for."""
    return _process.demo


def made_once(make: Callable[[], str], is_there: Callable[[str], bool] = lambda _: True) -> str:
    """The name of the playbook or lab run of this process's demo, made at the first call.

    Args:
        make: Makes it, and returns its name.
        is_there: Whether it still exists; else another one is made.
    """
    with _process.lock:
        if _process.made is None or not is_there(_process.made):
            _process.made = make()
        return _process.made


def new_playbook(manager: RunManager, prefix: str = "demo", beside: Callable[[str], list[str]] = lambda _: []) -> str:
    """Makes an empty playbook with the first free name of "demo 1", "demo 2" …, and returns the name.

    Args:
        manager: The process's run manager.
        prefix: The first word of the name.
        beside: Names that have to be free as well, by the name.
    """
    playbooks = manager.playbooks(prefix)
    taken = {info.name for info in playbooks.names()}
    for number in count(1):
        name = f"{prefix} {number}"
        if taken.isdisjoint({name, *beside(name)}):
            try:
                return playbooks.create(name).name
            except PlaybookExistsError:  # another process was faster
                continue
    raise AssertionError


def make_session(manager: RunManager, session: str, title: str, state: Mapping[str, Any]) -> None:
    """Makes a session of the ACE pipeline, or restores it if it was deleted; one that is there stays as it is.

    Args:
        manager: The process's run manager.
        session: Its id.
        title: Its title.
        state: The state that it begins with.
    """
    if manager.sessions.find(PIPELINE, session) is None and not manager.sessions.restore(PIPELINE, session):
        with suppress(SessionExistsError):  # another tab or process was faster
            manager.sessions.create(PIPELINE, state=dict(state), session_id=session)
            manager.sessions.rename(PIPELINE, session, title)
