"""A place with sessions, files and playbooks in memory or in a SQLite file, and short ways to share between two places."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from agents.ace.store.playbook_store import PlaybookStore
from agents.ace.store.reducer import ledger_of
from agents.sharing import SessionFile, Sharing, read_session_file
from agents.storage.stores import open_store

APP, USER = "play", "person"


class Place:
    """One database.

    Args:
        path: Its file; None for memory.
    """

    def __init__(self, path: Path | None) -> None:
        store = open_store(path)
        self.sessions: Any = store.sessions
        self.artifacts: Any = store.artifacts
        self.playbooks = PlaybookStore(store.playbooks, ledger=ledger_of(store.reducers))
        self.sharing = Sharing(self.sessions, artifact_service=self.artifacts, playbooks=self.playbooks)

    async def export(self, session_id: str, app: str = APP) -> SessionFile:
        return await self.sharing.export_session(app_name=app, user_id=USER, session_id=session_id)

    async def take(self, file: SessionFile | str, app: str | None = None) -> Any:
        """Imports a file, or its text as it would be read from a disk."""
        read = read_session_file(file.encode()) if isinstance(file, str) else file
        return await self.sharing.import_session(read, user_id=USER, app_name=app)

    async def log(self, session_id: str, app: str = APP) -> list[Any]:
        return await self.sessions.read_log(app_name=app, user_id=USER, session_id=session_id)

    async def session(self, session_id: str, app: str = APP) -> Any:
        return await self.sessions.get_session(app_name=app, user_id=USER, session_id=session_id)

    async def close(self) -> None:
        await self.sessions.close()
        await self.artifacts.close()
        self.playbooks.close()


@asynccontextmanager
async def opened(path: Path | None):
    """A place that is closed afterwards."""
    place = Place(path)
    try:
        yield place
    finally:
        await place.close()
