"""`AccountState`: what the entries of the list of accounts add up to. Applying them decides only who was first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from agents.access.journal import Entry
from agents.access.users import Role, User

LONGEST_NAME = 60
ROLES = (Role.OWNER, Role.AUTHOR, Role.USER, Role.LEARNER, Role.VIEWER)
"""Those that an account may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account.

    Attributes:
        id: The `user_id` of its sessions.
        name: What it is shown as.
        role: What it may do.
        made_at: In seconds since the epoch.
        seen_at: When it was last used, to `SEEN_SECONDS`; None if it never was.
        is_disabled: Whether nobody may sign in with it.
        issuer: Who tells that somebody is this user: an OpenID provider, a users' file, a proxy; "" for an invitation.
        subject: What the issuer calls it.
        is_managed: Whether the issuer tells the role, too, so that it cannot be changed here.
        stamp: Changes when all that are signed in with it are signed out.
    """

    id: str
    name: str
    role: Role
    made_at: float
    seen_at: float | None = None
    is_disabled: bool = False
    issuer: str = ""
    subject: str = ""
    is_managed: bool = False
    stamp: str = "0"

    @property
    def user(self) -> User:
        """Who asks with it."""
        return User(self.id, self.role)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """An invitation, without its code.

    Attributes:
        id: Names it; 16 hexadecimal digits.
        role: That of accounts that it makes.
        name: What for, in the owner's words.
        uses: How many may still use it.
        until: When it ends, in seconds since the epoch.
        account: The account that it is a new way into; "" if it makes new ones.
    """

    id: str
    role: Role
    name: str
    uses: int
    until: float
    account: str = ""


class AccountState:
    """What the entries add up to."""

    def __init__(self) -> None:
        self.seq = 0
        self.accounts: dict[str, Account] = {}
        self.subjects: dict[tuple[str, str], str] = {}
        self.invitations: dict[str, tuple[Invitation, str]] = {}
        self.redeemed: dict[int, str] = {}
        self.ended: dict[str, float] = {}

    def apply(self, entry: Entry) -> None:
        """Adds the next entry."""
        self.seq = entry.seq
        match entry.body:
            case {"account": str(made), "issuer": str(issuer), "subject": str(subject), "name": str(name), "role": role}:
                if (issuer, subject) not in self.subjects:  # else another server was faster
                    self.subjects[issuer, subject] = made
                    is_managed = entry.body.get("managed") is True
                    self._add(entry, made, name, role, issuer=issuer, subject=subject, is_managed=is_managed)
            case {"changed": str(changed)} if changed in self.accounts:
                self.accounts[changed] = _changed(self.accounts[changed], entry.body)
            case {"seen": str(seen)} if seen in self.accounts:
                self.accounts[seen] = replace(self.accounts[seen], seen_at=entry.at)
            case {"ended": str(session), "until": int() | float() as until}:
                self.ended[session] = until
            case _:
                self._apply_invitation(entry)

    def _apply_invitation(self, entry: Entry) -> None:
        match entry.body:
            case {
                "invited": str(made),
                "role": role,
                "sha256": str(sha256),
                "uses": int(uses),
                "until": int() | float() as until,
            }:
                name, account = str(entry.body.get("name", "")), str(entry.body.get("account", ""))
                invitation = Invitation(id=made, role=_role(role), name=name, uses=uses, until=until, account=account)
                self.invitations[made] = invitation, sha256
            case {"redeemed": str(invited), "account": str(made), "name": str(name)} if invited in self.invitations:
                invitation, sha256 = self.invitations[invited]
                if invitation.uses > 0:  # else others were faster
                    self.invitations[invited] = replace(invitation, uses=invitation.uses - 1), sha256
                    self.redeemed[entry.seq] = invitation.account or made
                    if not invitation.account:
                        self._add(entry, made, name, invitation.role)
            case {"withdrawn": str(withdrawn)}:
                self.invitations.pop(withdrawn, None)
            case _:  # of a later version
                pass

    def _add(self, entry: Entry, made: str, name: str, role: object, **told: Any) -> None:
        self.accounts[made] = Account(id=made, name=name, role=_role(role), made_at=entry.at, **told)


def _changed(account: Account, body: Mapping[str, Any]) -> Account:
    ends = body.get("disabled") is True or body.get("signed_out") is True
    return replace(
        account,
        name=str(body.get("name", account.name)),
        role=_role(body["role"]) if "role" in body else account.role,
        is_disabled=bool(body.get("disabled", account.is_disabled)),
        stamp=str(int(account.stamp) + ends),
    )


def _role(told: object) -> Role:
    """The role of that name; of one of a later version, the least."""
    return next((role for role in ROLES if role == told), Role.VIEWER)


def shown_name(text: str) -> str:
    """A name as it is kept: one line; "" if it cannot be one."""
    name = " ".join(text.split())
    return name if len(name) <= LONGEST_NAME and name.isprintable() else ""
