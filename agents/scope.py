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

    Inside it, a user who typed keys of their own has a scope: it shares all parts but those that are asked of `own`.

    Args:
        outer: The workspace's scope, for a user's.
    """

    def __init__(self, outer: Scope | None = None) -> None:
        self._lock = threading.Lock()
        self._parts: dict[type, Any] = {}
        self._outer = outer
        self._users: dict[str, Scope] = {}

    def of_user(self, user_id: str, *, make: bool = False) -> Scope:
        """The scope of a user; the workspace's if they have none and none is to be made."""
        with self._lock:
            if make and user_id not in self._users:
                self._users[user_id] = Scope(self)
            return self._users.get(user_id, self)

    def part(self, kind: type[T]) -> T:
        """The workspace's object of a class, made at the first use."""
        return self.own(kind) if self._outer is None else self._outer.part(kind)

    def own(self, kind: type[T]) -> T:
        """The same, of a user's scope that user's own."""
        with self._lock:
            if kind not in self._parts:
                self._parts[kind] = kind()
            return self._parts[kind]

    def parts(self, kind: type[T]) -> list[T]:
        """Those there are of a class and of classes below it."""
        if self._outer is not None:
            return self._outer.parts(kind)
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
