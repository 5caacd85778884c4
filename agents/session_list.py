"""Lists of sessions: their rows, which of them a list shows, and a page of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RunStatus = Literal["idle", "waiting", "running", "completed", "stopped", "failed", "interrupted", "paused"]


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One row of a list of sessions.

    `title` is the first message until the session is renamed, "" before that. `model` and `simulated` come from the last
    `run_started` record; "" and False before there is one. `models` has the models that this run's calls asked, a line each:
    agents may have models of their own. `origin` is the id of the session that a fork came from, of
    an imported session the id that it had in its file, "" for any other. `fork` tells the two apart; `changed` is what a
    fork changed, in words, "" for nothing.
    """

    app_name: str
    user_id: str
    id: str
    title: str
    created_at: float
    updated_at: float
    events: int
    status: RunStatus
    model: str = ""
    models: str = ""
    simulated: bool = False
    origin: str = ""
    fork: bool = False
    changed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFilter:
    """Which sessions a list shows.

    Attributes:
        app_name: Those of an app; None for all.
        user_ids: Those of some users; empty for all.
        user_prefixes: With `user_ids`, also those of users whose id begins with one of these.
        session_id: Those with an id, which is unique in one app only; None for all.
        statuses: Those with one of these statuses; empty for any.
        title: Words, each of which is in the title; case and width do not count.
        among: Those that are named here by app and id; None for all.
    """

    app_name: str | None = None
    user_ids: frozenset[str] = frozenset()
    user_prefixes: tuple[str, ...] = ()
    session_id: str | None = None
    statuses: frozenset[RunStatus] = frozenset()
    title: str = ""
    among: frozenset[tuple[str, str]] | None = None

    def has_user(self, user_id: str) -> bool:
        """Whether sessions of a user are among them."""
        return not self.user_ids or user_id in self.user_ids or user_id.startswith(self.user_prefixes)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryPage:
    """A part of a list of sessions.

    Attributes:
        rows: The sessions, last changed first.
        found: How many sessions the filter finds, on all pages.
        next: The cursor of the next page, for `before`; None on the last one. It counts the changes of this store and is
            good for no other. A session that changes meanwhile moves to the first page and may be missed by the others.
    """

    rows: tuple[SessionSummary, ...]
    found: int
    next: int | None = None
