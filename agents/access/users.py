"""Users and their roles."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from agents.config import USER_ID

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
        return user_id in {self.id, USER_ID} or (self.is_owner and user_id.startswith(VISITOR_PREFIX))


OWNER = User(USER_ID, Role.OWNER)
"""The owner. Sessions of the terminal and of programs are theirs too."""


def visitor(name: str) -> User:
    """The visitor of that name."""
    return User(VISITOR_PREFIX + name, Role.VISITOR)
