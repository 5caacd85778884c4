"""Waits out a lock or a full disk: repeats a write until it works, its time is over, or its caller is gone."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from agents.storage.sqlite.database import explained, primary_code
from agents.storage.tables.worker import GiveUp

RETRY_SECONDS = 0.05
"""Pause between two attempts, each of which also waits for a lock by itself."""

ATTEMPT_SECONDS = 0.25
"""Longest time that one attempt waits for a lock. A caller that gives up is released after it."""

TELL_SECONDS = 1.0
"""A wait that lasts longer is reported."""

FORGET_SECONDS = 2.0
"""A failure counts as a new outage when the last one is longer ago."""

CROWDED = 12
"""How many times as long a write waits for a lock that others take in turn: each of them stores something meanwhile."""

_REASONS = {
    sqlite3.SQLITE_BUSY: "is locked by another process",
    sqlite3.SQLITE_LOCKED: "is locked by another process",
    sqlite3.SQLITE_FULL: "cannot grow because the disk is full",
}
T = TypeVar("T")
_logger = logging.getLogger(__name__)


class Patience:
    """How long the writes to one file wait, counted from the first that failed. For one thread at a time.

    Once the time is over, every write is tried only once, until one works or none is tried for a while. So a
    queue of writes, or the last writes of a run, do not wait one after the other.

    Args:
        path: The file.
        limit: Seconds to wait.
        listener: Called with a sentence when writes start to wait, with None when the wait is over.
        for_lock: Seconds to wait for a lock; by default `limit`.
        mark: A number that changes when another connection has stored something; None if that is not known.
    """

    def __init__(
        self,
        path: Path,
        limit: float,
        listener: Callable[[str | None], None] | None = None,
        *,
        for_lock: float | None = None,
        mark: Callable[[], int] | None = None,
    ) -> None:
        self._path = path
        self._full_limit = limit
        self._lock_limit = limit if for_lock is None else for_lock
        self._listener = listener
        self._mark = mark
        self._seen: int | None = None
        self._crowded_until = 0.0
        self._began: float | None = None
        self._failed = 0.0
        self._is_told = False
        self.closed = False
        """Whether no write waits."""

    def run(self, attempt: Callable[[], T], give_up: GiveUp) -> T:
        """Calls `attempt` until it works.

        Raises:
            DatabaseError: It failed for another reason, or for too long, or was given up.
        """
        while True:
            try:
                result = attempt()
            except sqlite3.Error as error:
                limit = self._full_limit if primary_code(error) == sqlite3.SQLITE_FULL else self._lock_limit
                if primary_code(error) not in _REASONS:
                    raise explained(error, self._path, limit) from error
                waited = self._count_failure(limit)
                if waited >= limit:
                    self._tell(None)
                if waited >= limit or give_up.wanted or self.closed:
                    raise explained(error, self._path, limit, waited=waited) from error
                if waited >= TELL_SECONDS and not self._is_told:
                    why = _REASONS[primary_code(error)]
                    self._tell(f"Waiting for the session database {self._path}, which {why}.", limit)
                time.sleep(RETRY_SECONDS)
            else:
                if self._began is not None:
                    self._began = None
                    self._tell(None)
                return result

    def _count_failure(self, limit: float) -> float:
        """Records a failed attempt; returns the seconds since the first of its outage, or since others last wrote."""
        now = time.monotonic()
        mark = None if self._mark is None else self._mark()
        if self._began is None or now - self._failed > FORGET_SECONDS:
            self._began, self._crowded_until = now, now + CROWDED * limit
        elif mark != self._seen and now < self._crowded_until:
            self._began = now
        self._failed, self._seen = now, mark
        return now - self._began

    def _tell(self, waiting: str | None, limit: float = 0.0) -> None:
        if waiting is None and not self._is_told:
            return
        self._is_told = waiting is not None
        if waiting is not None:
            _logger.warning("%s It is given up after %g s.", waiting, limit)
        if self._listener is not None:
            self._listener(waiting)
