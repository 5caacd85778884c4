"""Who asks, and what they may do: users, their roles, and one table of rights."""

from agents.access.rights import RIGHTS, Action, Extent, Right, permits, require
from agents.access.users import (
    LEARNER_PREFIX,
    OWNER,
    VISITOR_PREFIX,
    Role,
    User,
    learner,
    shares_app_state,
    teacher,
    user_of,
    visitor,
)

__all__ = [
    "LEARNER_PREFIX",
    "OWNER",
    "RIGHTS",
    "VISITOR_PREFIX",
    "Action",
    "Extent",
    "Right",
    "Role",
    "User",
    "learner",
    "permits",
    "require",
    "shares_app_state",
    "teacher",
    "user_of",
    "visitor",
]
