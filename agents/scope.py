"""`Scope`: what one workspace keeps in memory, and which workspace's code runs."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")


class Scope:
    """What the modules of one workspace keep in memory; another workspace in the process sees nothing of it.

    Typed keys, model classes of the user's packages, findings about servers, loaded model files and open connections are
    parts of it. A module keeps its own part, so that a new one needs no line here. The workspace's code runs with its scope
    entered, and so do the `LoopThread`s, `Jobs`, `Catalog` and `Lab` that are made there.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: dict[type, Any] = {}

    def part(self, kind: type[T]) -> T:
        """The scope's own object of a class, made at the first use."""
        with self._lock:
            if kind not in self._parts:
                self._parts[kind] = kind()
            return self._parts[kind]

    def parts(self, kind: type[T]) -> list[T]:
        """Those there are of a class and of classes below it."""
        with self._lock:
            return [part for part in self._parts.values() if isinstance(part, kind)]

    @contextmanager
    def entered(self) -> Generator[None, None, None]:
        """Makes it the scope of the block, and of the tasks that are created in it."""
        before = _current.set(self)
        try:
            yield
        finally:
            _current.reset(before)


OUTSIDE = Scope()
"""The scope of code outside of any workspace: a script with a `Runner` registers models for the process, as with ADK."""

_current: ContextVar[Scope] = ContextVar("scope", default=OUTSIDE)


def current_scope() -> Scope:
    """The scope of the workspace whose code runs."""
    return _current.get()
