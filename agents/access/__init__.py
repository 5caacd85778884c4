"""Who asks, and what they may do: users, their roles, and one table of rights."""

from agents.access.rights import RIGHTS, Action, Extent, Right, permits, require
from agents.access.users import OWNER, VISITOR_PREFIX, Role, User, shares_app_state, user_of, visitor

__all__ = [
    "OWNER",
    "RIGHTS",
    "VISITOR_PREFIX",
    "Action",
    "Extent",
    "Right",
    "Role",
    "User",
    "permits",
    "require",
    "shares_app_state",
    "user_of",
    "visitor",
]
