"""Users and their roles."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

VISITOR_PREFIX = "visitor-"
"""The user ids of visitors begin with it."""


class Role(StrEnum):
    """What a user is; `RIGHTS` has a column for each."""

    OWNER = "owner"
    VISITOR = "visitor"


@dataclass(frozen=True, slots=True)
class User:
    """A user.

    Attributes:
        id: The `user_id` of their sessions.
        role: What they may do.
    """

    id: str
    role: Role

    @property
    def is_owner(self) -> bool:
        """Whether the playground is theirs."""
        return self.role is Role.OWNER

    def sees(self, user_id: str) -> bool:
        """Whether sessions of this user id are in their lists: a visitor's own and the owner's; to the owner all."""
        return user_id in self.seen_ids or (bool(self.seen_prefix) and user_id.startswith(self.seen_prefix))

    @property
    def seen_ids(self) -> frozenset[str]:
        """User ids whose sessions are in their lists."""
        return frozenset({self.id, OWNER.id})

    @property
    def seen_prefix(self) -> str:
        """Of further ids of that kind, what they begin with; "" for none."""
        return VISITOR_PREFIX if self.is_owner else ""


OWNER = User("person", Role.OWNER)
"""The owner. Sessions of the terminal and of programs are theirs too."""


def shares_app_state(user_id: str) -> bool:
    """Whether `app:` state that is written in a user's sessions is that of all sessions; a visitor's stays in each."""
    return not user_id.startswith(VISITOR_PREFIX)


def visitor(name: str) -> User:
    """The visitor of that name."""
    return User(VISITOR_PREFIX + name, Role.VISITOR)


def user_of(user_id: str) -> User:
    """The user whose sessions have this id."""
    return OWNER if user_id == OWNER.id else User(user_id, Role.VISITOR)
