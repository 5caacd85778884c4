"""Who asks, and what they may do: users, their roles, and one table of rights."""

from agents.access.rights import RIGHTS, SCOPES, Action, Extent, Right, permits, require
from agents.access.tokens import LONGEST_NAME, ApiToken, ApiTokens, is_token
from agents.access.users import (
    LEARNER_PREFIX,
    OWNER,
    VISITOR_PREFIX,
    Role,
    TokenScope,
    User,
    learner,
    shares_app_state,
    teacher,
    user_of,
    visitor,
)

__all__ = [
    "LEARNER_PREFIX",
    "LONGEST_NAME",
    "OWNER",
    "RIGHTS",
    "SCOPES",
    "VISITOR_PREFIX",
    "Action",
    "ApiToken",
    "ApiTokens",
    "Extent",
    "Right",
    "Role",
    "TokenScope",
    "User",
    "is_token",
    "learner",
    "permits",
    "require",
    "shares_app_state",
    "teacher",
    "user_of",
    "visitor",
]
