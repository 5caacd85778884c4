"""What models on the user's own servers were found to lack, from the errors of those servers.

Known for an hour, by server and model; shown on the Settings page, which can forget it at once.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from agents.scope import current_scope

KEPT_SECONDS = 3600.0

_Found = TypeVar("_Found")


class Lesson(NamedTuple):
    """What was found out about a model on a server.

    Attributes:
        address: The server's address, without secrets.
        model: The model's full name, e.g. "llama/small".
        words: What is done since, and why, as a sentence.
    """

    address: str
    model: str
    words: str


@dataclass(slots=True)
class _Kept(Generic[_Found]):
    found: _Found
    lesson: Lesson | None
    until: float


class Lessons(Generic[_Found]):
    """Findings by server and model, for a limited time. "" stands for all models of a server.

    A class below it is a kind of finding; its object is a part of the workspace's `Scope`.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], _Kept[_Found]] = {}

    def get(self, address: str, model: str) -> _Found | None:
        """The finding about a model; None for none that is still known."""
        kept = self._kept.get((address, model))
        return kept.found if kept is not None and now() < kept.until else None

    def put(self, address: str, model: str, found: _Found, lesson: Lesson | None = None) -> None:
        """Remembers a finding; `lesson` is for users, None where it only saves a question to the server."""
        self._kept[address, model] = _Kept(found, lesson, now() + KEPT_SECONDS)

    def all(self) -> list[Lesson]:
        """The findings that are still known."""
        return [kept.lesson for kept in list(self._kept.values()) if kept.lesson and now() < kept.until]

    def forget(self, model: str) -> None:
        """Forgets what is known about a model, and about servers as such."""
        for place in [place for place in self._kept if place[1] in ("", model)]:
            del self._kept[place]


def now() -> float:
    """Seconds of a clock that only goes on."""
    return time.monotonic()


def lessons() -> list[Lesson]:
    """What is known about models on servers now."""
    return [lesson for kept in _all() for lesson in kept.all()]


def forget_lessons(model: str) -> None:
    """Forgets what is known about a model and its server, which is asked anew."""
    for kept in _all():
        kept.forget(model)


def _all() -> list[Lessons[Any]]:
    return current_scope().parts(Lessons)
