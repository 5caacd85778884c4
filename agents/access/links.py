"""Links: the URL of one session or one playbook, for those who have the link, until its end or until it is revoked.

A link is shown once, when it is made. Its SHA-256 is stored. Who opens it is noted, so that they find what it shares again
without it, in their browser or with their API tokens. It is looked up each time, so that nobody reads on after its end.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
from dataclasses import dataclass, replace
from typing import Literal

from agents.access.audit import Activity, record
from agents.access.journal import Entry, Journal
from agents.access.rights import Action, require
from agents.access.users import OWNER, LinkRole, Thing, User
from agents.errors import LinkError

LIST = "links"
"""Their list in the journal."""
MOST_LINK_DAYS = 365
MOST_OPENED = 1000
"""Most users that open a link: each is an entry in the journal, and a browser without cookies is another user each time."""
DAY = 24 * 3600.0

_FORM = re.compile(r"([0-9a-f]{16})-[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link, without its secret.

    Attributes:
        id: Names it; 16 hexadecimal digits.
        thing: What it shares.
        role: What those who open it may do.
        by: The id of the user who made it.
        made_at: In seconds since the epoch.
        ends_at: The same.
        opened: The ids of the users who opened it.
    """

    id: str
    thing: Thing
    role: LinkRole
    by: str
    made_at: float
    ends_at: float
    opened: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Known:
    link: Link
    sha256: str
    is_revoked: bool = False


class Links:
    """The links of a workspace, for any thread. Methods may raise `DatabaseError`.

    Args:
        journal: Where they are kept. Other processes may add and revoke links there.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._seq = 0
        self._known: dict[str, _Known] = {}

    def make(self, user: User, thing: Thing, role: LinkRole, *, days: int) -> tuple[Link, str]:
        """Makes a link; the second value is its text, for the URL, which is stored nowhere.

        Args:
            user: Who shares.
            thing: What is shared. Whether it is there is the caller's to look.
            role: What those who open it may do; a playbook can only be read.
            days: After how many days it ends, from 1 to `MOST_LINK_DAYS`.

        Raises:
            LinkError: There is no such link.
            NotPermittedError: The user may not share it.
        """
        require(user, Action.SHARE, of=thing.owner)
        if not 1 <= days <= MOST_LINK_DAYS:
            raise LinkError(f"A link lasts from 1 to {MOST_LINK_DAYS} days. Make another one then.")
        if thing.kind == "playbook" and role is not LinkRole.READ:
            raise LinkError("A playbook is shared to be read: its changes need an account. Choose “may read”.")
        made = secrets.token_hex(8)
        text = f"{made}-{secrets.token_urlsafe(32)}"
        body = {"made": made, "thing": list(thing), "role": role, "by": user.id, "days": days, "sha256": _hash(text)}
        self._journal.append(LIST, body)
        record(self._journal, user, Activity.LINK, f"made {made} ({role}) to {'/'.join(thing)}")
        return self._read()[made].link, text

    def revoke(self, user: User, link_id: str) -> Link:
        """Ends a link. Those who opened it see nothing more of what it shares.

        Raises:
            LinkError: There is no such link.
            NotPermittedError: It is somebody else's.
        """
        return self._set(user, link_id, "revoked")

    def restore(self, user: User, link_id: str) -> Link:
        """Undoes `revoke`, for those who opened it, too."""
        return self._set(user, link_id, "restored")

    def _set(self, user: User, link_id: str, what: Literal["revoked", "restored"]) -> Link:
        found = self._read().get(link_id)
        if found is None:
            raise LinkError("There is no such link. Look at the list of links again.")
        require(user, Action.SHARE, of=found.link.thing.owner)
        self._journal.append(LIST, {what: link_id})
        record(self._journal, user, Activity.LINK, f"{what} {link_id}")
        return found.link

    def of(self, user: User, thing: Thing) -> list[Link]:
        """The links of a thing that are not revoked, ended ones too, newest first.

        Raises:
            NotPermittedError: The user may not share it.
        """
        require(user, Action.SHARE, of=thing.owner)
        return [one for one in self._there() if one.thing == thing]

    def all(self, user: User) -> list[Link]:
        """The same of all that the user may share.

        Raises:
            NotPermittedError: The user may share nothing.
        """
        require(user, Action.SHARE)
        return [one for one in self._there() if user.is_owner or one.thing.owner == user.id]

    def open(self, user: User, text: str, *, now: float, notes: bool = True) -> Link:
        """The link of that text; from now on it shares with this user.

        Args:
            user: Who opens it.
            text: Its text.
            now: In seconds since the epoch.
            notes: Whether it is noted who opens it; without, nothing is shared with them.

        Raises:
            LinkError: It is unknown, revoked or over, or too many users have opened it.
        """
        form = _FORM.fullmatch(text)
        found = self._read().get(form[1]) if form else None
        if found is None or not hmac.compare_digest(_hash(text), found.sha256):
            raise LinkError("There is no such link. Copy the whole link again, or ask for a new one.")
        link = found.link
        if found.is_revoked:
            raise LinkError("This link was revoked: what it shared is no longer shared. Ask for a new one.")
        if link.ends_at <= now:
            raise LinkError("This link has ended: links last until a day that was chosen for them. Ask for a new one.")
        if notes and user.id not in link.opened and user.id != link.thing.owner:
            if len(link.opened) >= MOST_OPENED:
                raise LinkError(f"{MOST_OPENED:,} users have opened this link, and no more can. Ask for a new one.")
            self._journal.append(LIST, {"opened": link.id, "by": user.id})
            record(self._journal, user, Activity.LINK, f"opened {link.id}")
        return link

    def bound(self, user: User, *, now: float) -> User:
        """The user with what links share with them now."""
        shared = {(one.thing, one.role) for one in self._there() if user.id in one.opened and one.ends_at > now}
        return replace(user, shared=frozenset(shared))

    def _there(self) -> list[Link]:
        return [one.link for one in reversed(self._read().values()) if not one.is_revoked]

    def _read(self) -> dict[str, _Known]:
        with self._lock:
            for entry in self._journal.entries(LIST, after=self._seq):
                self._seq = entry.seq
                self._apply(entry)
            return dict(self._known)

    def _apply(self, entry: Entry) -> None:
        match entry.body:
            case {
                "made": str(made),
                "thing": ["session" | "playbook" as kind, str(app_name), str(owner), str(thing_id)],
                "role": str(role),
                "by": str(by),
                "days": int(days),
                "sha256": str(sha256),
            } if role in set(LinkRole):
                thing, ends_at = Thing(kind, app_name, owner, thing_id), entry.at + days * DAY
                link = Link(id=made, thing=thing, role=LinkRole(role), by=by, made_at=entry.at, ends_at=ends_at)
                self._known[made] = _Known(link, sha256)
            case {"opened": str(opened), "by": str(by)} if opened in self._known:
                found = self._known[opened]
                link = replace(found.link, opened=found.link.opened | {by})
                self._known[opened] = replace(found, link=link)
            case {"revoked": str(link_id)} | {"restored": str(link_id)} if link_id in self._known:
                self._known[link_id] = replace(self._known[link_id], is_revoked="revoked" in entry.body)
            case _:  # of a later version
                pass


def of_session(app_name: str, user_id: str, session_id: str) -> Thing:
    """A session, as links name it."""
    return Thing("session", app_name, user_id, session_id)


def of_playbook(name: str) -> Thing:
    """A playbook, as links name it: all are the owner's."""
    return Thing("playbook", "", OWNER.id, name)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
