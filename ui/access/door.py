"""The door of a class: while one is held, whoever is neither owner nor teacher is a learner, and joins it first.

Nobody is the owner by their address then: the teacher's own browser takes the owner's link, which the start opens, so that
another tab of the same machine can be a learner's.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

OPEN_PATHS = {"/join", "/api/class", "/owner", "/teacher"}
"""What is open to those who have not joined, besides the scripts of these pages."""
SCRIPTS = "/components/"
TEACHER = "/teacher"


@dataclass(slots=True)
class Door:
    """A door.

    Attributes:
        has_joined: Whether a user id has joined; nobody has until the class is opened.
        token: The secret of the teacher's link, new at every start.
        new: Whether it is the door of a new class; else of the last one, which goes on.
        room: The class behind it, once it is opened.
    """

    has_joined: Callable[[str], bool] = lambda _: False
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    new: bool = False
    room: Any = None

    def is_token(self, text: str) -> bool:
        """Whether a text is the secret of the teacher's link."""
        return hmac.compare_digest(text.encode("utf-8", "replace"), self.token.encode())

    def lets(self, user_id: str, path: str) -> bool:
        """Whether a learner may go there."""
        return path in OPEN_PATHS or path.startswith(SCRIPTS) or self.has_joined(user_id)


@dataclass(slots=True)
class _Process:
    door: Door | None = None


_process = _Process()


def build(*, new: bool = False) -> Door:
    """Puts up the door of this process's class, before it serves; it stays until the process ends."""
    _process.door = Door(new=new)
    return _process.door


def current() -> Door | None:
    """The door; None while no class is held."""
    return _process.door
