"""What a session service asks of a database: jobs in transactions, for callers in any thread or event loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from agents.storage.tables.connection import Job

Name = tuple[str, str, str]
"""app_name, user_id, session_id"""
Change = tuple[Name, int]
"""A session that was changed, and its `last_seq`."""

T = TypeVar("T")


class SessionTables(Protocol):
    """Runs jobs on one database. Every method but `change_mark` may raise `DatabaseError`; it works again later."""

    async def open(self) -> None:
        """Opens the database now, so that its errors show early; makes its tables if they are missing."""
        ...

    async def read(self, job: Job[T], /) -> T:
        """Runs `job` on a snapshot of the database."""
        ...

    async def write(
        self,
        job: Job[T],
        committed: Callable[[T], Sequence[Change]],
        then: Callable[[T], None] | None = None,
        *,
        of: Name | None = None,
        brief: Job[T] | None = None,
    ) -> T:
        """Runs `job` in a transaction. A caller that is cancelled meanwhile learns it once the outcome is known.

        Args:
            job: What to do; all of it is stored, or nothing. It may be called again after an attempt that failed.
            committed: Called with the result once it is, before the next transaction of the same session; gives the sessions
                changed.
            then: Called with the result in the caller's event loop, also when the caller was cancelled.
            of: The session that it is about: jobs of one session follow one another. None for jobs on several sessions.
            brief: The same as `job`, if it is short enough to run in the caller's thread where that is quicker. It raises
                `NotNowError` if it turns out not to be.
        """
        ...

    def change_mark(self) -> int:
        """See `BaseSessionService`. Does not wait, raises nothing."""
        ...

    async def close(self) -> None:
        """Finishes pending jobs, then closes the database and ends the threads. Closing twice is no error."""
        ...
