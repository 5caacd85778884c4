"""A user of every role, and how a page's script is made to be theirs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from agents.access import ACCOUNT_PREFIX, OWNER, Role, User, learner, teacher, viewer, visitor
from ui.access import identity

BY_ROLE = {
    Role.OWNER: OWNER,
    Role.AUTHOR: User(f"{ACCOUNT_PREFIX}{1:016x}", Role.AUTHOR),
    Role.TEACHER: teacher("1"),
    Role.USER: User(f"{ACCOUNT_PREFIX}{2:016x}", Role.USER),
    Role.LEARNER: learner("1"),
    Role.VIEWER: viewer("1"),
    Role.VISITOR: visitor("1"),
}


def ask_as(monkeypatch: Any, user: User) -> None:
    """From now on pages' scripts are this user's."""
    known = SimpleNamespace(user=lambda id_: user if id_ == user.id else None, account=lambda _: None)
    monkeypatch.setattr(identity._process, "accounts", known)
    monkeypatch.setattr(identity, "user_field", lambda _: user.id)
