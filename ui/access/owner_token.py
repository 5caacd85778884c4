"""The owner's token and cookie of this process: who has one of them is the owner, see `ui.access.identity`.

The servers of a database that is no file have one token, so that the owner is the owner at all of them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from functools import cache

PATH = "/owner"
IS_OWNER = "is_owner"
"""Key of the session state of a tab in which the token was typed."""


@dataclass(slots=True)
class _Process:
    shared: bytes = b""


_process = _Process()


def share(key: bytes) -> None:
    """Has the token follow from a key that all servers of a database have; see `Accounts.signing_key`."""
    _process.shared = key
    token.cache_clear()


@cache
def token() -> str:
    """The token: 43 characters, new at every start unless servers share it."""
    made = hmac.digest(_process.shared, b"owner", "sha256") if _process.shared else secrets.token_bytes(32)
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()


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
