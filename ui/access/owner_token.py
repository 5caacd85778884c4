"""The owner's token and cookie of this process: who has one of them is the owner, see `ui.access.identity`."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from functools import cache

PATH = "/owner"
IS_OWNER = "is_owner"
"""Key of the session state of a tab in which the token was typed."""


@cache
def token() -> str:
    """The token of this process: 43 characters, new at every start."""
    return secrets.token_urlsafe(32)


def link(url: str) -> str:
    """The URL that makes a browser the owner's.

    Args:
        url: The app's URL, without a slash at the end.
    """
    return f"{url}{PATH}?token={token()}"


def is_token(text: str) -> bool:
    """Whether a text is the token."""
    return hmac.compare_digest(text.encode(), token().encode())


def cookie_name() -> str:
    """The cookie's name, unique to this process: browsers send a host's cookies to all of its ports."""
    return f"playground_owner_{hashlib.sha256(token().encode()).hexdigest()[:12]}"
