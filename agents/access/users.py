"""Users and their roles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NamedTuple

VISITOR_PREFIX = "visitor-"
"""The user ids of visitors begin with it."""
LEARNER_PREFIX, TEACHER_PREFIX = "learner-", "teacher-"
"""The user ids of those who take part in a class, and of those who hold one."""
VIEWER_PREFIX = "viewer-"
"""The user ids of those who are nobody here but have opened a link; see `Links`."""
ACCOUNT_PREFIX = "account-"
"""The user ids of accounts; 16 hexadecimal digits follow. Their roles are stored, see `Accounts`."""


class Role(StrEnum):
    """What a user is; `RIGHTS` has a column for each."""

    OWNER = "owner"
    AUTHOR = "author"
    TEACHER = "teacher"
    USER = "user"
    LEARNER = "learner"
    VIEWER = "viewer"
    VISITOR = "visitor"


class TokenScope(StrEnum):
    """What an API token may do of what its user may; see `SCOPES`. Each includes `READ`, and `ADMINISTER` all others."""

    READ = "read"
    RUN = "run"
    PROPOSE = "propose"
    ADMINISTER = "administer"


class LinkRole(StrEnum):
    """What a link permits to those who open it; see `LINK_RIGHTS`."""

    READ = "read"
    CONTINUE = "continue"


class Thing(NamedTuple):
    """What a link shares.

    Attributes:
        kind: A session or a playbook.
        app_name: The session's pipeline; "" of a playbook.
        owner: The user id of the session, or of who the playbook belongs to.
        id: The session's id, or the playbook's name.
    """

    kind: Literal["session", "playbook"]
    app_name: str
    owner: str
    id: str


_PREFIXES = {
    Role.VISITOR: VISITOR_PREFIX,
    Role.LEARNER: LEARNER_PREFIX,
    Role.TEACHER: TEACHER_PREFIX,
    Role.USER: ACCOUNT_PREFIX,
    Role.VIEWER: VIEWER_PREFIX,
}
_SEES_OWNERS = {Role.OWNER, Role.TEACHER, Role.VISITOR}


@dataclass(frozen=True, slots=True)
class User:
    """A user.

    Attributes:
        id: The `user_id` of their sessions.
        role: What they may do.
        scopes: What the API token may do that they ask with; None without one.
        via: The token's name; "" without one.
        came_from: The address that they came from, or "terminal"; "" where that is not known.
        trail: Writes to the audit list of the workspace that has bound the user, see `agents.access.audit.note`.
        shared: What links share with them, each with the link's role. It is looked up when a right depends on it, see
            `Links.bound`.
    """

    id: str
    role: Role
    scopes: frozenset[TokenScope] | None = None
    via: str = ""
    came_from: str = field(default="", compare=False)
    trail: Callable[..., None] | None = field(default=None, compare=False, repr=False)
    shared: frozenset[tuple[Thing, LinkRole]] = field(default=frozenset(), compare=False)

    @property
    def is_owner(self) -> bool:
        """Whether the playground is theirs."""
        return self.role is Role.OWNER

    def sees(self, user_id: str) -> bool:
        """Whether sessions of this user id are in their lists.

        One's own are; to visitors and teachers also the owner's, to teachers those of learners, to the owner all.
        """
        return user_id in self.seen_ids or user_id.startswith(self.seen_prefixes)

    @property
    def seen_ids(self) -> frozenset[str]:
        """User ids whose sessions are in their lists."""
        return frozenset({self.id, OWNER.id} if self.role in _SEES_OWNERS else {self.id})

    @property
    def seen_prefixes(self) -> tuple[str, ...]:
        """Of further ids of that kind, what they begin with."""
        match self.role:
            case Role.OWNER:
                return tuple(_PREFIXES.values())
            case Role.TEACHER:
                return (LEARNER_PREFIX,)
            case _:
                return ()


OWNER = User("person", Role.OWNER)
"""The owner. Sessions of the terminal and of programs are theirs too."""


def shares_app_state(user_id: str) -> bool:
    """Whether `app:` state that is written in a user's sessions is that of all sessions; of others it stays in each."""
    return not user_id.startswith(tuple(_PREFIXES.values()))


def visitor(name: str) -> User:
    """The visitor of that name."""
    return User(VISITOR_PREFIX + name, Role.VISITOR)


def learner(name: str) -> User:
    """The learner of that name."""
    return User(LEARNER_PREFIX + name, Role.LEARNER)


def teacher(name: str) -> User:
    """The teacher of that name, who is not the owner."""
    return User(TEACHER_PREFIX + name, Role.TEACHER)


def viewer(name: str) -> User:
    """Somebody of that name who has opened a link, and is nobody else here."""
    return User(VIEWER_PREFIX + name, Role.VIEWER)


def user_of(user_id: str) -> User:
    """The user whose sessions have this id.

    An account's id does not tell its role: it is given the one of a user here, who may do to sessions of their own whatever
    anybody may. What it really is, `Accounts.user` says; requests, tabs and tokens ask that.
    """
    if user_id == OWNER.id:
        return OWNER
    return User(user_id, next((role for role, prefix in _PREFIXES.items() if user_id.startswith(prefix)), Role.VISITOR))
