"""What a run manager stores with: sessions, artifacts, playbooks and preferences, in a file or in memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

from agents.ace.store.large_job import LargeJobs
from agents.ace.store.playbook_store import PlaybookStore
from agents.ace.store.reducer import ledger_of
from agents.artifact import BaseArtifactService
from agents.session import BaseSessionService
from agents.storage.sqlite.preferences import PreferenceStore


class Services:
    """The services of one database; opened and closed together.

    Attributes:
        sessions: The sessions.
        artifacts: The files that agents saved.
        playbooks: Any playbook; it gives all others.
        large: Large changes of playbooks, made by processes of their own; None in memory.
        preferences: The user's preferences.

    Args:
        database: The file; None keeps everything in memory.
    """

    sessions: BaseSessionService
    artifacts: BaseArtifactService

    def __init__(self, database: Path | None) -> None:
        if database is None:
            from agents.storage.artifacts.memory import InMemoryArtifactService
            from agents.storage.sessions.memory import InMemorySessionService

            sessions = InMemorySessionService()
            self.artifacts = InMemoryArtifactService()
            self.playbooks = PlaybookStore(sessions.tables, ledger=ledger_of(sessions.reducers))
            self.large = None
        else:
            from agents.storage.artifacts.sqlite import SqliteArtifactService
            from agents.storage.sessions.sqlite import SqliteSessionService

            sessions = SqliteSessionService(database)
            self.artifacts = SqliteArtifactService(database)
            ledger = ledger_of(sessions.reducers)  # shared: a playbook is folded and kept once
            self.playbooks = PlaybookStore(database, ledger=ledger)
            # A connection of its own: its long reads do not delay pages.
            self.large = LargeJobs(PlaybookStore(database, ledger=ledger), database)
        self.sessions = sessions
        self.preferences = PreferenceStore(database)

    async def close(self) -> None:
        """Closes all of them; ends a large change that is under way."""
        await self.sessions.close()
        await self.artifacts.close()
        self.playbooks.close()
        if self.large is not None:
            await asyncio.to_thread(self.large.close)
        self.preferences.close()
