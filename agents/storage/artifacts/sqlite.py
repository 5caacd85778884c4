"""`SqliteArtifactService`: artifacts in the session database, shared by any number of processes.

It has a thread and a connection of its own: an image of some megabytes holds up appends to the log only while it is
written.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from agents.artifact import VersionWriter
from agents.errors import DatabaseError
from agents.storage.artifacts.tables import ArtifactTable, T, write_versions
from agents.storage.sessions.sqlite import SqliteSessionService
from agents.storage.sqlite.database import WAIT_SECONDS, transaction
from agents.storage.sqlite.database import Connection as FileConnection
from agents.storage.sqlite.patience import ATTEMPT_SECONDS, Patience
from agents.storage.tables.connection import Connection
from agents.storage.tables.worker import GiveUp, Worker, WorkerClosedError


class SqliteArtifactService(ArtifactTable):
    """Keeps artifacts in a SQLite file, which may be that of a `SqliteSessionService`. For several threads and loops.

    The file is opened, created or upgraded when it is first needed.

    Args:
        path: The database file; its folder is made if it is missing.
        busy_timeout: How long to wait for others that write, or for space on a full disk, in seconds.
    """

    def __init__(self, path: str | Path, *, busy_timeout: float = WAIT_SECONDS) -> None:
        self.path = Path(path).expanduser()
        self._connection = FileConnection(self.path, min(busy_timeout, ATTEMPT_SECONDS))
        self._patience = Patience(self.path, busy_timeout)
        self._worker = Worker("artifacts")

    def writer_beside(self, sessions: object) -> VersionWriter | None:
        is_one_file = isinstance(sessions, SqliteSessionService) and sessions.path == self.path
        return write_versions if is_one_file else None

    async def close(self) -> None:
        """Finishes pending jobs, then closes the file and ends the thread. Closing twice is no error."""
        self._patience.closed = True
        with suppress(WorkerClosedError):
            await self._worker.run(self._connection.close)
        self._worker.close()

    async def _run(self, job: Callable[[Connection], T], *, writes: bool) -> T:
        def whole() -> T:
            conn = self._connection.get()
            if not writes:
                return job(conn)
            with transaction(conn):
                return job(conn)

        give_up = GiveUp()
        try:
            return await self._worker.run(partial(self._patience.run, whole, give_up), cancelled=give_up.now)
        except WorkerClosedError as error:
            raise DatabaseError(
                f"The artifacts in {self.path} were closed by close(). Make a new SqliteArtifactService to go on."
            ) from error
