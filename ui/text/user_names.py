"""User ids as the owner reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.access import ACCOUNT_PREFIX, OWNER

if TYPE_CHECKING:
    from agents.runs import RunManager


def name_of(manager: RunManager, user_id: str) -> str:
    """The name of an account, "owner", or the id of others."""
    if user_id == OWNER.id:
        return "owner"
    account = manager.accounts.account(user_id) if user_id.startswith(ACCOUNT_PREFIX) else None
    return user_id if account is None else account.name
