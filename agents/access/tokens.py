"""API tokens: what another program shows to act for a user, within the token's scopes.

A token is shown once, when it is made. Its SHA-256 is stored: of 256 random bits that tells nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
from collections.abc import Collection
from dataclasses import dataclass, replace

from agents.access.account_state import LONGEST_NAME, shown_name
from agents.access.accounts import Accounts
from agents.access.audit import Activity, record
from agents.access.journal import Entry, Journal
from agents.access.rights import Action, permits, require
from agents.access.users import ACCOUNT_PREFIX, OWNER, TokenScope, User, user_of
from agents.errors import TokenError

LIST = "api-tokens"
"""Their list in the journal."""
USED_SECONDS = 60.0
"""Shortest time between two entries that a token was used."""

_FORM = re.compile(r"playground-([0-9a-f]{16})-[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token, without its secret.

    Attributes:
        id: Names it; 16 hexadecimal digits.
        name: What its user calls it, e.g. the program that has it.
        scopes: What it may do.
        made_at: In seconds since the epoch.
        used_at: The same, to `USED_SECONDS`; None if it was never used.
        of: The user whom it acts for; of an account with the role of a user, until `ApiTokens.find` knows better.
    """

    id: str
    name: str
    scopes: frozenset[TokenScope]
    made_at: float
    used_at: float | None = None
    of: User = OWNER

    @property
    def user(self) -> User:
        """Who asks with it."""
        return replace(self.of, scopes=self.scopes, via=self.name)


def is_token(text: str) -> bool:
    """Whether a text has the form of a token; whether there is such a token, `ApiTokens.find` says."""
    return _FORM.fullmatch(text) is not None


class ApiTokens:
    """The tokens of a workspace, for any thread. Methods may raise `DatabaseError`.

    Args:
        journal: Where they are kept. Other processes may add and revoke tokens there.
        accounts: The accounts that tokens act for; None if only the owner has some.
    """

    def __init__(self, journal: Journal, accounts: Accounts | None = None) -> None:
        self._journal, self._accounts = journal, accounts
        self._lock = threading.Lock()
        self._seq = 0
        self._known: dict[str, tuple[ApiToken, str]] = {}

    def make(self, user: User, name: str, scopes: Collection[TokenScope]) -> tuple[ApiToken, str]:
        """Makes a token; the second value is the token itself, which is stored nowhere.

        Raises:
            TokenError: It has no name, or no scope.
            NotPermittedError: The user may not make tokens.
        """
        require(user, Action.MAKE_TOKENS)
        name = shown_name(name)
        if not name:
            raise TokenError(f"A token needs a name of 1 to {LONGEST_NAME} characters: say which program is to have it.")
        if not scopes:
            raise TokenError("A token without a scope can do nothing. Choose what it may do.")
        made = secrets.token_hex(8)
        text = f"playground-{made}-{secrets.token_urlsafe(32)}"
        told = {"made": made, "name": name, "scopes": sorted(scopes), "of": user.id}
        self._journal.append(LIST, {**told, "sha256": _hash(text)})
        record(self._journal, user, Activity.TOKEN, f"made {name}: {', '.join(sorted(scopes))}")
        return self._read()[made][0], text

    def revoke(self, user: User, token_id: str) -> None:
        """Ends a token; from then on nobody gets in with it.

        Raises:
            NotPermittedError: The user may not make tokens, or it acts for somebody else.
        """
        known = self._read().get(token_id)
        require(user, Action.MAKE_TOKENS, of=known[0].of.id if known else None)
        self._journal.append(LIST, {"revoked": token_id})
        record(self._journal, user, Activity.TOKEN, f"revoked {known[0].name if known else token_id}")

    def all(self, user: User) -> list[ApiToken]:
        """The tokens that are not revoked, in the order in which they were made: the user's, to the owner all.

        Raises:
            NotPermittedError: The user may not make tokens.
        """
        require(user, Action.MAKE_TOKENS)
        return [token for token, _ in self._read().values() if permits(user, Action.MAKE_TOKENS, of=token.of.id)]

    def find(self, text: str, *, now: float) -> ApiToken | None:
        """The token of that text, which is being used; None if there is none, it was revoked, or its account is disabled."""
        form = _FORM.fullmatch(text)
        token, known = self._read().get(form[1] if form else "", (None, ""))
        if not hmac.compare_digest(_hash(text), known) or token is None:
            return None
        if token.of.id.startswith(ACCOUNT_PREFIX):
            if (of := self._accounts and self._accounts.user(token.of.id)) is None:
                return None
            token = replace(token, of=of)
        if now - (token.used_at or 0) >= USED_SECONDS:
            self._journal.append(LIST, {"used": token.id})
        return token

    def _read(self) -> dict[str, tuple[ApiToken, str]]:
        with self._lock:
            for entry in self._journal.entries(LIST, after=self._seq):
                self._seq = entry.seq
                self._apply(entry)
            return dict(self._known)

    def _apply(self, entry: Entry) -> None:
        match entry.body:
            case {"made": str(made), "name": str(name), "sha256": str(sha256), "scopes": [*scopes]}:
                known = frozenset(scope for scope in TokenScope if scope in scopes)  # without those of a later version
                of = user_of(str(entry.body.get("of", OWNER.id)))
                self._known[made] = ApiToken(made, name, known, entry.at, of=of), sha256
            case {"used": str(used)} if used in self._known:
                token, sha256 = self._known[used]
                self._known[used] = replace(token, used_at=entry.at), sha256
            case {"revoked": str(revoked)}:
                self._known.pop(revoked, None)
            case _:  # of a later version
                pass


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
