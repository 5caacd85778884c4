"""The audit list: who changed what, from where, and which rights were refused. It is only ever appended to.

It is written where the work is done, in the journal of the database. No right and no setting switches it off.
"""

from __future__ import annotations

import asyncio
import logging
from enum import StrEnum
from time import monotonic
from typing import NamedTuple

from agents.access.journal import Entry, Journal
from agents.access.users import User
from agents.errors import DatabaseError

LIST = "audit"
"""Its list in the journal."""
LONGEST = 300
"""Most characters that are kept of each text."""
REFUSED_SECONDS = 60.0
"""Seconds in which a process writes the same refusal once: a page that asks again and again fills no disk."""
PAGE = 500
"""Entries that are read at a time."""
_MOST_KNOWN = 1000
_log = logging.getLogger(__name__)


class Activity(StrEnum):
    """What is written down; the value completes the sentence "The owner …"."""

    SIGN_IN = "signed in"
    SIGN_OUT = "signed out"
    ROLE = "changed a user"
    TOKEN = "changed an API token"  # noqa: S105  a sentence
    LINK = "changed a link"
    SETTINGS = "changed settings"
    KEY = "changed a key"
    PLAYBOOK = "changed a playbook"
    APPROVAL = "judged a playbook change"
    DELETE = "deleted"
    RESTORE = "restored"
    IMPORT = "imported"
    TEAM = "changed a team"
    STOP = "stopped a run of another user"
    REFUSED = "was refused"


class Record(NamedTuple):
    """An entry of the audit list.

    Attributes:
        seq: Its number.
        at: When, in seconds since the epoch.
        who: The user's id.
        via: The API token that they used; "" for none.
        came_from: The address that they came from; "" where that is not known, e.g. "terminal" in the terminal.
        what: The activity.
        of: What it was done to; never a key.
        ok: Whether it was permitted.
    """

    seq: int
    at: float
    who: str
    via: str
    came_from: str
    what: str
    of: str
    ok: bool


class Wanted(NamedTuple):
    """Which entries; None for all.

    Attributes:
        who: Of a user.
        what: Of an activity.
        since: Not before, in seconds since the epoch.
        until: Before.
    """

    who: str | None = None
    what: str | None = None
    since: float | None = None
    until: float | None = None

    def has(self, record: Record) -> bool:
        """Whether an entry is one of them."""
        return (
            self.who in (None, record.who)
            and self.what in (None, record.what)
            and (self.since is None or record.at >= self.since)
            and (self.until is None or record.at < self.until)
        )


class Audit:
    """The audit list of a workspace, for any thread. Methods may raise `DatabaseError`.

    Args:
        journal: Where it is kept.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._refused: dict[tuple[str, str], float] = {}

    def write(self, user: User, what: Activity, of: str = "", *, ok: bool = True) -> None:
        """Adds an entry, see `record`; a database that cannot be written is logged."""
        if what is Activity.REFUSED and not self._is_new((user.id, of)):
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._write(user, what, of, ok=ok)
        else:  # it does not wait for a disk
            loop.run_in_executor(None, lambda: self._write(user, what, of, ok=ok))

    def _write(self, user: User, what: Activity, of: str, *, ok: bool) -> None:
        try:
            record(self._journal, user, what, of, ok=ok)
        except DatabaseError as error:  # what was done is done, and what was refused is refused
            _log.error("The audit list cannot be written: %s %s: %s (%s)", user.id, what, of, error)

    def read(self, wanted: Wanted, *, limit: int, before: int | None = None) -> tuple[list[Record], int | None]:
        """Entries, the newest first.

        Args:
            wanted: Which.
            limit: Most of them.
            before: Only those with a smaller number.

        Returns:
            The entries, and `before` of the next page; None if there is none.
        """
        found: list[Record] = []
        while entries := self._journal.entries(LIST, before=before, limit=PAGE, newest=True):
            for entry in reversed(entries):
                one = _read(entry)
                if wanted.since is not None and one.at < wanted.since:
                    return found, None
                if wanted.has(one):
                    found.append(one)
                    if len(found) == limit:
                        return found, one.seq if one.seq > 1 else None
            before = entries[0].seq
        return found, None

    def _is_new(self, refusal: tuple[str, str]) -> bool:
        now = monotonic()
        if now - self._refused.get(refusal, float("-inf")) < REFUSED_SECONDS:
            return False
        if len(self._refused) >= _MOST_KNOWN:
            self._refused.clear()
        self._refused[refusal] = now
        return True


def record(journal: Journal, user: User, what: Activity, of: str = "", *, ok: bool = True) -> None:
    """Adds an entry to a journal's audit list.

    Args:
        journal: The journal.
        user: Who did it.
        what: What they did.
        of: What they did it to, e.g. the name of a setting; never a key or a code.
        ok: Whether it was permitted.
    """
    body = {"who": user.id, "via": user.via, "from": user.came_from, "what": what.value, "of": of}
    journal.append(LIST, {**{name: _cut(text) for name, text in body.items()}, "ok": ok})


def note(user: User, what: Activity, of: str = "", *, ok: bool = True) -> None:
    """Adds an entry for a user whom a workspace has bound; for others there is nowhere to write. Arguments as `record`."""
    if user.trail is not None:
        user.trail(user, what, of, ok=ok)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _read(entry: Entry) -> Record:
    who, via, came_from, what, of = (str(entry.body.get(name, "")) for name in ("who", "via", "from", "what", "of"))
    return Record(entry.seq, entry.at, who, via, came_from, what, of, bool(entry.body.get("ok", True)))
