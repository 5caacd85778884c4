"""`SqliteSessionService`: sessions in one SQLite file, shared by any number of processes."""

from __future__ import annotations

from pathlib import Path

from agents.session import Leases
from agents.storage.sessions import claims
from agents.storage.sessions.collections.sqlite import SqliteSearchIndex
from agents.storage.sessions.service import StoredSessionService
from agents.storage.sqlite.beating import SqliteBeating
from agents.storage.sqlite.database import WAIT_SECONDS
from agents.storage.sqlite.session_database import SessionDatabase


class SqliteSessionService(StoredSessionService):
    """Keeps sessions in a SQLite file. May be used from several threads and event loops at once.

    The file is opened, created or upgraded when it is first needed, so that making a service costs nothing; `open` does it
    sooner. Every method may raise `DatabaseError`; the service works again once the cause is gone.

    Attributes:
        reducers: Apply the operations of keys with a reducer.
        collection: The sessions as a collection.

    Args:
        path: The database file; its folder is made if it is missing.
        busy_timeout: How long to wait for other processes that write, or for space on a full disk, in seconds.
        leases: How long its claims hold; None for the usual time.
    """

    def __init__(self, path: str | Path, *, busy_timeout: float = WAIT_SECONDS, leases: Leases | None = None) -> None:
        self.path = Path(path).expanduser()
        leases = leases or Leases()
        super().__init__(
            SessionDatabase(self.path, busy_timeout, changed=self._notify, waiting=self._notify_waiting),
            claims.Claims(SqliteBeating(self.path, leases.seconds / 3), by_lease=False, leases=leases),
            SqliteSearchIndex(),
        )

    async def open(self) -> None:
        """Opens the file now, so that its errors show early; creates it if it is missing or was deleted.

        Raises:
            DatabaseError: It cannot be used; the message says why and what to do.
        """
        await super().open()
