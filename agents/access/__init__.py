"""Who asks, and what they may do: users, their roles, and one table of rights."""

from agents.access.account_state import LONGEST_NAME, ROLES, Account, Invitation
from agents.access.accounts import Accounts
from agents.access.audit import Activity, Audit, Record, Wanted, note, record
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

__all__ = [
    "ACCOUNT_PREFIX",
    "LEARNER_PREFIX",
    "LONGEST_NAME",
    "OWNER",
    "RIGHTS",
    "ROLES",
    "SCOPES",
    "VISITOR_PREFIX",
    "Account",
    "Accounts",
    "Action",
    "Activity",
    "ApiToken",
    "ApiTokens",
    "Audit",
    "Extent",
    "Invitation",
    "Record",
    "Right",
    "Role",
    "TokenScope",
    "User",
    "Wanted",
    "is_token",
    "learner",
    "note",
    "permits",
    "record",
    "require",
    "shares_app_state",
    "teacher",
    "user_of",
    "visitor",
]
