"""Who asks, and what they may do: users, their roles, and one table of rights."""

from agents.access.account_state import LONGEST_NAME, ROLES, Account, Invitation
from agents.access.accounts import MOST_DAYS, MOST_USES, Accounts
from agents.access.rights import RIGHTS, SCOPES, Action, Extent, Right, permits, require
from agents.access.tokens import ApiToken, ApiTokens, is_token
from agents.access.users import (
    ACCOUNT_PREFIX,
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
from agents.access.users_file import ISSUER, Login, UsersFile, hashed

__all__ = [
    "ACCOUNT_PREFIX",
    "ISSUER",
    "LEARNER_PREFIX",
    "LONGEST_NAME",
    "MOST_DAYS",
    "MOST_USES",
    "OWNER",
    "RIGHTS",
    "ROLES",
    "SCOPES",
    "VISITOR_PREFIX",
    "Account",
    "Accounts",
    "Action",
    "ApiToken",
    "ApiTokens",
    "Extent",
    "Invitation",
    "Login",
    "Right",
    "Role",
    "TokenScope",
    "User",
    "UsersFile",
    "hashed",
    "is_token",
    "learner",
    "permits",
    "require",
    "shares_app_state",
    "teacher",
    "user_of",
    "visitor",
]
