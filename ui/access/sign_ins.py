"""Sign-ins: the cookie of a browser that is signed in with an account. It is signed, it ends, and it can be ended before."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from time import time

import streamlit as st
from starlette.requests import HTTPConnection
from starlette.responses import Response

from agents.access import Account, Accounts
from ui.access import visitor_key

KEPT_SECONDS = 30 * 24 * 3600
"""How long a browser stays signed in, and a learner's: a phone may close it between two lessons."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """One sign-in of one browser.

    Attributes:
        account: The account's id.
        id: Names the sign-in, new at each.
        until: When it ends, in seconds since the epoch.
        stamp: That of the account when it began.
    """

    account: str
    id: str
    until: int
    stamp: str


def give(answer: Response, account: Account, connection: HTTPConnection) -> None:
    """Signs the browser that gets this answer in, as nobody who was signed in before."""
    told = f"{account.id}.{secrets.token_hex(16)}.{int(time()) + KEPT_SECONDS}.{account.stamp}"
    secure = is_https(connection)
    answer.set_cookie(
        _name(secure=secure),
        f"{told}.{signed(told, 'account')}",
        max_age=KEPT_SECONDS,
        httponly=True,
        samesite="lax",
        secure=secure,
    )


def take(answer: Response, connection: HTTPConnection) -> None:
    """Takes the cookie from the browser that gets this answer."""
    secure = is_https(connection)
    answer.delete_cookie(_name(secure=secure), secure=secure, httponly=True, samesite="lax")


def told_by(connection: HTTPConnection) -> SignIn | None:
    """The sign-in that the browser's cookie tells; None without one that we signed and that has not ended."""
    return _told(connection.cookies.get(_name(secure=is_https(connection)), ""))


def in_cookies(cookies: Mapping[str, str]) -> SignIn | None:
    """The sign-in of a browser tab that has been let in with one of these cookies."""
    return _told(cookies.get(_name(secure=True), "")) or _told(cookies.get(_name(secure=False), ""))


def _told(value: str) -> SignIn | None:
    told, _, signature = value.rpartition(".")
    if not told or not is_signed(told, "account", signature):
        return None
    account, name, until, stamp = told.split(".")
    return SignIn(account, name, int(until), stamp) if time() < int(until) else None


def account_of(sign_in: SignIn, accounts: Accounts) -> Account | None:
    """The account that is signed in; None if it is disabled, or the sign-in was ended. It may raise `DatabaseError`."""
    found = accounts.account(sign_in.account)
    if found is None or found.is_disabled or found.stamp != sign_in.stamp or accounts.is_signed_out(sign_in.id):
        return None
    return found


def is_https(connection: HTTPConnection) -> bool:
    """Whether the browser asked by HTTPS, perhaps through proxies, of which the first one is the browser's."""
    told = connection.headers.get("x-forwarded-proto", "").partition(",")[0]
    return "https" in (connection.url.scheme, told.strip().lower()) or connection.url.scheme == "wss"


def signed(text: str, purpose: str) -> str:
    """The signature of a text for one purpose, with the key of the playground."""
    return hmac.new(visitor_key.key(), f"{purpose}:{text}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def is_signed(text: str, purpose: str, signature: str) -> bool:
    """Whether a signature is that of a text for that purpose."""
    return hmac.compare_digest(signature.encode("utf-8", "replace"), signed(text, purpose).encode())


def _name(*, secure: bool) -> str:
    """The cookie's name: by the key, since browsers send a host's cookies to all of its ports.

    With `__Host-`, a browser takes it by HTTPS alone and from no neighbour of the host's name.
    """
    plain = f"playground_account_{hashlib.sha256(visitor_key.key()).hexdigest()[:12]}"
    at_root = not (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"__Host-{plain}" if secure and at_root else plain
