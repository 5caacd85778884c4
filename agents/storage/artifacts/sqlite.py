"""`SqliteArtifactService`: artifacts in the session database, shared by any number of processes.

It has a thread and a connection of its own: an image of some megabytes holds up appends to the log only while it is
written. The session service removes the files of a deleted session (`statements.purge`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from google.genai import types

from agents.artifact import BaseArtifactService, VersionWriter, check_filename, is_shared, kept, problem_of
from agents.errors import DatabaseError
from agents.playbook import PlaybookTransaction
from agents.storage.playbooks.sqlite import SqlitePlaybookTransaction
from agents.storage.sessions.sqlite import SqliteSessionService
from agents.storage.sqlite.database import WAIT_SECONDS, Connection, transaction
from agents.storage.sqlite.patience import ATTEMPT_SECONDS, GiveUp, Patience
from agents.storage.sqlite.worker import Worker, WorkerClosedError

T = TypeVar("T")
File = tuple[str, str, str, str]
"""app_name, user_id, session_id, filename; session_id is "", which names no session, for a shared file"""

_OF_FILE = " WHERE app_name = ? AND user_id = ? AND session_id = ? AND filename = ?"
_NEXT_VERSION = "SELECT coalesce(max(version) + 1, 0) FROM artifacts"
_SAVE = "INSERT INTO artifacts VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_LOAD = "SELECT part, data FROM artifacts"
_THIS = " AND version = ?"
_LATEST = " ORDER BY version DESC LIMIT 1"
_VERSIONS = "SELECT version FROM artifacts"
_ARE_THERE = " AND part IS NOT NULL ORDER BY version"
_EMPTY = "UPDATE artifacts SET part = NULL, data = NULL"
_NAMES = (
    "SELECT DISTINCT filename FROM artifacts "
    "WHERE app_name = ? AND user_id = ? AND session_id IN ('', ?) AND part IS NOT NULL ORDER BY filename"
)


class SqliteArtifactService(BaseArtifactService):
    """Keeps artifacts in a SQLite file, which may be that of a `SqliteSessionService`. For several threads and loops.

    The file is opened, created or upgraded when it is first needed. Every method may raise `DatabaseError`; the service
    works again once the cause is gone. A session that reuses the id of a deleted one gets none of its files.

    Args:
        path: The database file; its folder is made if it is missing.
        busy_timeout: How long to wait for others that write, or for space on a full disk, in seconds.
    """

    def __init__(self, path: str | Path, *, busy_timeout: float = WAIT_SECONDS) -> None:
        self.path = Path(path).expanduser()
        self._connection = Connection(self.path, min(busy_timeout, ATTEMPT_SECONDS))
        self._patience = Patience(self.path, busy_timeout)
        self._worker = Worker("artifacts")

    async def save_artifact(
        self, *, app_name: str, user_id: str, filename: str, artifact: types.Part, session_id: str | None = None
    ) -> int:
        check_filename(filename, session_id)
        part = kept(filename, artifact)
        file = _file(app_name, user_id, session_id, filename)

        def job() -> int:
            body, data = _taken_apart(part)
            with transaction(self._connection.get()) as conn:
                version: int = conn.execute(_NEXT_VERSION + _OF_FILE, file).fetchone()[0]
                conn.execute(_SAVE, (*file, version, time.time(), body, data))
            return version

        return await self._run(job)

    async def load_artifact(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None, version: int | None = None
    ) -> types.Part | None:
        if problem_of(filename) is not None:
            return None
        file = _file(app_name, user_id, session_id, filename)
        wanted, values = (_LATEST, file) if version is None else (_THIS, (*file, version))

        def job() -> types.Part | None:
            row = self._connection.get().execute(_LOAD + _OF_FILE + wanted, values).fetchone()
            return None if row is None or row[0] is None else _put_together(*row)

        return await self._run(job)

    async def list_artifact_keys(self, *, app_name: str, user_id: str, session_id: str | None = None) -> list[str]:
        def job() -> list[str]:
            return [name for (name,) in self._connection.get().execute(_NAMES, (app_name, user_id, session_id or ""))]

        return await self._run(job)

    async def delete_artifact(self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None) -> None:
        """See `BaseArtifactService`. The versions' numbers stay, so that none is reused."""
        if problem_of(filename) is not None:
            return
        file = _file(app_name, user_id, session_id, filename)

        def job() -> None:
            with transaction(self._connection.get()) as conn:
                conn.execute(_EMPTY + _OF_FILE, file)

        await self._run(job)

    async def list_versions(self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None) -> list[int]:
        if problem_of(filename) is not None:
            return []
        file = _file(app_name, user_id, session_id, filename)

        def job() -> list[int]:
            return [number for (number,) in self._connection.get().execute(_VERSIONS + _OF_FILE + _ARE_THERE, file)]

        return await self._run(job)

    def writer_beside(self, sessions: object) -> VersionWriter | None:
        is_one_file = isinstance(sessions, SqliteSessionService) and sessions.path == self.path
        return _write_versions if is_one_file else None

    async def close(self) -> None:
        """Finishes pending jobs, then closes the file and ends the thread. Closing twice is no error."""
        self._patience.closed = True
        with suppress(WorkerClosedError):
            await self._worker.run(self._connection.close)
        self._worker.close()

    async def _run(self, job: Callable[[], T]) -> T:
        give_up = GiveUp()
        try:
            return await self._worker.run(partial(self._patience.run, job, give_up), cancelled=give_up.now)
        except WorkerClosedError as error:
            raise DatabaseError(
                f"The artifacts in {self.path} were closed by close(). Make a new SqliteArtifactService to go on."
            ) from error


def _write_versions(playbooks: PlaybookTransaction, file: File, versions: Mapping[int, types.Part]) -> None:
    assert isinstance(playbooks, SqlitePlaybookTransaction)  # the sessions are in this file, see `writer_beside`
    playbooks.conn.executemany(
        _SAVE, ((*file, version, time.time(), *_taken_apart(part)) for version, part in versions.items())
    )


def _file(app_name: str, user_id: str, session_id: str | None, filename: str) -> File:
    return app_name, user_id, "" if is_shared(filename) else session_id or "", filename


def _taken_apart(part: types.Part) -> tuple[str, bytes | None]:
    """A part as JSON text, and its bytes apart from that."""
    data = part.inline_data.data if part.inline_data is not None else None
    return part.model_dump_json(exclude_none=True, exclude={"inline_data": {"data"}}), data


def _put_together(body: str, data: bytes | None) -> types.Part:
    part = types.Part.model_validate_json(body)
    if part.inline_data is not None:
        part.inline_data.data = data
    return part
