"""Accounts: who may sign in, with which role; and the invitations that make new ones.

They are kept in one list of the journal, so that all servers of a database know the same. What another server has written is
known here after `FRESH_SECONDS` at the latest.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable, Mapping
from time import monotonic, time
from typing import Any

from agents.access.account_state import (
    LONGEST_NAME,
    ROLES,
    Account,
    AccountState,
    Invitation,
    shown_name,
)
from agents.access.audit import Activity, record
from agents.access.journal import Entry, Journal
from agents.access.rights import Action, require
from agents.access.users import ACCOUNT_PREFIX, Role, User
from agents.access.users_file import UsersFile
from agents.errors import AccountError, PersonError

LIST = "accounts"
"""Their list in the journal."""
FRESH_SECONDS = 1.0
"""How long the accounts are used as they were read. What this process changes is known at once."""
SEEN_SECONDS = 3600.0
"""Shortest time between two entries that an account was used."""
SHORTEST_SECRET = 16
"""Bytes."""
MOST_USES, MOST_DAYS = 1000, 365
"""Of an invitation."""

_KEYS, _KEY_BYTES = "keys", 32
"""The list with keys that sign, which all servers of a database share. Keys of model providers are never stored."""
_CODE_SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 signs that are not taken for one another."""
_CODE_LENGTH, _GROUP = 16, 4


class Accounts:
    """The accounts of a workspace, for any thread. Methods may raise `DatabaseError`.

    Args:
        journal: Where they are kept. Other processes may change them there.
        users_file: Where some of them are kept besides: what it says holds.
        secret: What `signing_key` mixes its keys with, so that they cannot be read in the journal; b"" for nothing.
        fresh: See `FRESH_SECONDS`.
        now: Tells the time, in seconds since the epoch.

    Raises:
        PersonError: The secret is short.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        users_file: UsersFile | None = None,
        secret: bytes = b"",
        fresh: float = FRESH_SECONDS,
        now: Callable[[], float] = time,
    ) -> None:
        if 0 < len(secret) < SHORTEST_SECRET:
            raise PersonError(
                f"PLAYGROUND_SECRET has {len(secret)} bytes, and could be guessed. Set one of at least {SHORTEST_SECRET}, "
                "e.g. what “openssl rand -hex 32” prints, the same for all servers."
            )
        self._journal, self._users_file, self._fresh, self._now = journal, users_file, fresh, now
        self._secret = secret
        self._lock = threading.Lock()
        self._read_at = float("-inf")
        self._state = AccountState()

    @property
    def are_in_use(self) -> bool:
        """Whether there is an account, or an invitation that was not withdrawn."""
        state = self._read()
        return bool(state.accounts or state.invitations)

    def signing_key(self, name: str) -> bytes:
        """The key of that name, 32 bytes, the same for all servers of the database that have the same secret.

        Args:
            name: What it signs.
        """
        if (found := self._key(name)) is None:
            self._journal.append(_KEYS, {"key": name, "hex": secrets.token_hex(_KEY_BYTES)})
            found = self._key(name)  # another server may have been faster
        assert found is not None
        return hmac.digest(self._secret, found, "sha256") if self._secret else found

    @property
    def is_stale(self) -> bool:
        """Whether the next question reads the journal, which takes a moment."""
        return monotonic() - self._read_at >= self._fresh

    def user(self, user_id: str) -> User | None:
        """Who has this id; None if no account has it, or the account is disabled."""
        found = self.account(user_id)
        return None if found is None or found.is_disabled else found.user

    def account(self, user_id: str) -> Account | None:
        """The account with this id, disabled or not."""
        return self._as_managed(self._read().accounts.get(user_id))

    def of_subject(self, issuer: str, subject: str) -> Account | None:
        """The account that an issuer calls so."""
        state = self._read()
        return self._as_managed(state.accounts.get(state.subjects.get((issuer, subject), "")))

    def all(self, user: User) -> list[Account]:
        """All accounts, in the order in which they were made.

        Raises:
            NotPermittedError: The user may not manage users.
        """
        require(user, Action.MANAGE_USERS)
        return [account for known in [*self._read().accounts.values()] if (account := self._as_managed(known))]

    def sign_in(self, issuer: str, subject: str, *, name: str, role: Role, is_managed: bool) -> Account:
        """The account of somebody whom an issuer has told us; it is made at the first time. It may be disabled.

        Args:
            issuer: Who told.
            subject: What they call the account.
            name: What to show it as.
            role: Its role at first; with `is_managed` also from now on.
            is_managed: Whether the issuer tells the role.
        """
        name = shown_name(name) or shown_name(subject) or "?"
        known = self.of_subject(issuer, subject)
        if known is None:
            made = ACCOUNT_PREFIX + secrets.token_hex(8)
            told = {"issuer": issuer, "subject": subject, "managed": is_managed}
            self._append({"account": made, "name": name, "role": role, **told})
        elif known.name != name or (is_managed and known.role is not role):
            self._append({"changed": known.id, "name": name, **({"role": role} if is_managed else {})})
        found = self.of_subject(issuer, subject)
        assert found is not None
        return found

    def invite(
        self, user: User, role: Role, *, name: str = "", uses: int = 1, days: int = 7, account: str = ""
    ) -> tuple[Invitation, str]:
        """Makes an invitation; the second value is its code, which is stored nowhere.

        Args:
            user: Who invites.
            role: That of accounts that it makes.
            name: What for; may be empty.
            uses: How many may use it.
            days: When it ends.
            account: An account that it is a new way into, e.g. from another browser; the role is then that one's.

        Raises:
            NotPermittedError: The user may not manage users.
            AccountError: There can be no such invitation.
        """
        require(user, Action.MANAGE_USERS)
        if role not in ROLES:
            raise AccountError(f"Nobody is invited as {role}. Choose one of: {', '.join(ROLES)}.")
        if not (1 <= uses <= MOST_USES and 1 <= days <= MOST_DAYS):
            raise AccountError(f"An invitation is for 1 to {MOST_USES} users and lasts 1 to {MOST_DAYS} days.")
        if account and self.user(account) is None:
            raise AccountError("This account is disabled, or there is none. Enable it first.")
        made, code = secrets.token_hex(8), "".join(secrets.choice(_CODE_SIGNS) for _ in range(_CODE_LENGTH))
        self._append(
            {
                "invited": made,
                "role": role,
                "name": shown_name(name),
                "uses": uses,
                "until": self._now() + days * 86400,
                "account": account,
                "sha256": _hash(code),
                "by": user.id,
            }
        )
        record(self._journal, user, Activity.ROLE, f"invited {uses} as {role} ({made})")
        return self._read().invitations[made][0], "-".join(code[at : at + _GROUP] for at in range(0, _CODE_LENGTH, _GROUP))

    def invitations(self, user: User) -> list[Invitation]:
        """The invitations that can be used.

        Raises:
            NotPermittedError: The user may not manage users.
        """
        require(user, Action.MANAGE_USERS)
        return [found for found, _ in [*self._read().invitations.values()] if self._is_open(found)]

    def withdraw(self, user: User, invitation_id: str) -> None:
        """Ends an invitation.

        Raises:
            NotPermittedError: The user may not manage users.
        """
        require(user, Action.MANAGE_USERS)
        self._append({"withdrawn": invitation_id, "by": user.id})
        record(self._journal, user, Activity.ROLE, f"withdrew the invitation {invitation_id}")

    def invitation(self, code: str) -> Invitation | None:
        """The invitation with this code, which can be used; None if there is none."""
        wanted, found = _hash(code), None
        for invitation, known in [*self._read().invitations.values()]:
            if hmac.compare_digest(wanted, known) and self._is_open(invitation):
                found = invitation
        return found

    def redeem(self, code: str, name: str) -> Account:
        """Uses an invitation; returns the account of who is in.

        Args:
            code: The code, in groups or not.
            name: What the account is to be called; without meaning if the invitation is into an account that is there.

        Raises:
            AccountError: The code is not known, was used, withdrawn, or has ended; or the name cannot be one.
        """
        invitation = self.invitation(code)
        if invitation is None:
            raise AccountError(
                "This code is not known, or it was used, withdrawn or has ended. Ask the owner for another one."
            )
        name = shown_name(name)
        if not invitation.account and not name:
            raise AccountError(f"A name has 1 to {LONGEST_NAME} characters that can be seen.")
        made = ACCOUNT_PREFIX + secrets.token_hex(8)
        entry = self._append({"redeemed": invitation.id, "account": made, "name": name})
        state = self._read()
        found = self._as_managed(state.accounts.get(state.redeemed.get(entry.seq, "")))
        if found is None or found.is_disabled:  # others were faster
            raise AccountError("This code was used meanwhile. Ask the owner for another one.")
        return found

    def disable(self, user: User, account_id: str) -> None:
        """Ends an account: its browsers are signed out, its tokens end, nobody signs in with it until it is enabled.

        Raises:
            NotPermittedError: The user may not manage users.
            AccountError: It is their own.
        """
        require(user, Action.MANAGE_USERS)
        if account_id == user.id:
            raise AccountError("You cannot disable yourself. Another owner can.")
        self._append({"changed": account_id, "disabled": True, "by": user.id})
        record(self._journal, user, Activity.ROLE, f"disabled {account_id}")

    def enable(self, user: User, account_id: str) -> None:
        """Undoes `disable`. Who was signed in has to sign in again.

        Raises:
            NotPermittedError: The user may not manage users.
        """
        require(user, Action.MANAGE_USERS)
        self._append({"changed": account_id, "disabled": False, "by": user.id})
        record(self._journal, user, Activity.ROLE, f"enabled {account_id}")

    def change_role(self, user: User, account_id: str, role: Role) -> None:
        """Gives an account another role, from its next request on.

        Raises:
            NotPermittedError: The user may not manage users.
            AccountError: No account has this role, it is their own account, or its issuer tells the role.
        """
        require(user, Action.MANAGE_USERS)
        found = self.account(account_id)
        if role not in ROLES or found is None:
            raise AccountError(f"An account is one of: {', '.join(ROLES)}.")
        if found.is_managed:
            raise AccountError(f"The role of {found.name} is told by {found.issuer}. Change it there.")
        if account_id == user.id:
            raise AccountError("You cannot change your own role. Another owner can.")
        self._append({"changed": account_id, "role": role, "by": user.id})
        record(self._journal, user, Activity.ROLE, f"made {account_id} {role}")

    def record(self, user: User, what: Activity, of: str = "", *, ok: bool = True) -> None:
        """Adds an entry to the audit list, see `agents.access.audit.record`: somebody has signed in or out, or could not."""
        record(self._journal, user, what, of, ok=ok)

    def sign_out(self, session: str, until: float) -> None:
        """Ends one sign-in, by the id in its cookie, which is known until the cookie's own end."""
        self._append({"ended": session, "until": until})

    def is_signed_out(self, session: str) -> bool:
        """Whether a sign-in has ended."""
        return session in self._read().ended

    def sign_out_everywhere(self, user: User, account_id: str) -> None:
        """Ends all sign-ins of an account: one's own, or of whom one manages.

        Raises:
            NotPermittedError: It is somebody else's account, and the user may not manage users.
        """
        if account_id != user.id:
            require(user, Action.MANAGE_USERS)
        self._append({"changed": account_id, "signed_out": True, "by": user.id})
        record(self._journal, user, Activity.SIGN_OUT, f"{account_id} everywhere")

    def is_unseen(self, account: Account) -> bool:
        """Whether it was not noted in the last `SEEN_SECONDS` that an account is being used. Reads nothing."""
        return self._now() - (account.seen_at or 0) >= SEEN_SECONDS

    def seen(self, account_id: str) -> None:
        """Notes that an account is being used, if it `is_unseen`."""
        found = self._read().accounts.get(account_id)
        if found is not None and self.is_unseen(found):
            self._append({"seen": account_id})

    def refresh(self) -> None:
        """Reads what was written since."""
        with self._lock:
            for entry in self._journal.entries(LIST, after=self._state.seq):
                self._state.apply(entry)
            self._read_at = monotonic()

    def _key(self, name: str) -> bytes | None:
        told = (entry.body for entry in self._journal.entries(_KEYS))
        return next((bytes.fromhex(body["hex"]) for body in told if body.get("key") == name), None)

    def _append(self, body: Mapping[str, Any]) -> Entry:
        entry = self._journal.append(LIST, body)
        self.refresh()
        return entry

    def _read(self) -> AccountState:
        if self.is_stale:
            self.refresh()
        return self._state

    def _is_open(self, invitation: Invitation) -> bool:
        return invitation.uses > 0 and self._now() <= invitation.until

    def _as_managed(self, account: Account | None) -> Account | None:
        if account is None or self._users_file is None or account.issuer != self._users_file.issuer:
            return account
        return self._users_file.current(account)


def _hash(code: str) -> str:
    plain = "".join(sign for sign in code[:200].upper() if sign.isalnum())
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()
