"""`ArtifactTable`: artifacts in the table of a session database, one row for each version.

The session service removes the files of a deleted session (`statements.purge`).
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TypeVar

from google.genai import types

from agents.artifact import BaseArtifactService, check_filename, is_shared, kept, problem_of
from agents.playbook import PlaybookTransaction
from agents.storage.playbooks.stored import StoredPlaybookTransaction
from agents.storage.tables.connection import Connection
from agents.storage.tables.database import hold

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


class ArtifactTable(BaseArtifactService):
    """Keeps artifacts in a database. A session that reuses the id of a deleted one gets none of its files.

    Every method may raise `DatabaseError`; the service works again once the cause is gone.
    """

    async def save_artifact(
        self, *, app_name: str, user_id: str, filename: str, artifact: types.Part, session_id: str | None = None
    ) -> int:
        check_filename(filename, session_id)
        part = kept(filename, artifact)
        file = _file(app_name, user_id, session_id, filename)

        def job(conn: Connection) -> int:
            body, data = _taken_apart(part)
            hold(conn, "file", *file)
            version: int = conn.execute(_NEXT_VERSION + _OF_FILE, file).fetchone()[0]
            conn.execute(_SAVE, (*file, version, time.time(), body, data))
            return version

        return await self._run(job, writes=True)

    async def load_artifact(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None, version: int | None = None
    ) -> types.Part | None:
        if problem_of(filename) is not None:
            return None
        file = _file(app_name, user_id, session_id, filename)
        wanted, values = (_LATEST, file) if version is None else (_THIS, (*file, version))

        def job(conn: Connection) -> types.Part | None:
            row = conn.execute(_LOAD + _OF_FILE + wanted, values).fetchone()
            return None if row is None or row[0] is None else _put_together(*row)

        return await self._run(job, writes=False)

    async def list_artifact_keys(self, *, app_name: str, user_id: str, session_id: str | None = None) -> list[str]:
        def job(conn: Connection) -> list[str]:
            return [name for (name,) in conn.execute(_NAMES, (app_name, user_id, session_id or "")).fetchall()]

        return await self._run(job, writes=False)

    async def delete_artifact(self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None) -> None:
        """See `BaseArtifactService`. The versions' numbers stay, so that none is reused."""
        if problem_of(filename) is not None:
            return
        file = _file(app_name, user_id, session_id, filename)

        def job(conn: Connection) -> None:
            conn.execute(_EMPTY + _OF_FILE, file)

        await self._run(job, writes=True)

    async def list_versions(self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None) -> list[int]:
        if problem_of(filename) is not None:
            return []
        file = _file(app_name, user_id, session_id, filename)

        def job(conn: Connection) -> list[int]:
            return [number for (number,) in conn.execute(_VERSIONS + _OF_FILE + _ARE_THERE, file).fetchall()]

        return await self._run(job, writes=False)

    @abstractmethod
    async def _run(self, job: Callable[[Connection], T], *, writes: bool) -> T:
        """What `job` returns for a connection in a transaction, in a thread that may wait."""


def write_versions(playbooks: PlaybookTransaction, file: File, versions: Mapping[int, types.Part]) -> None:
    """Saves versions of a file in a transaction of sessions that are in the same database, see `VersionWriter`."""
    assert isinstance(playbooks, StoredPlaybookTransaction)  # as of all sessions in a database
    playbooks.conn.executemany(
        _SAVE, [(*file, version, time.time(), *_taken_apart(part)) for version, part in versions.items()]
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
