"""What a run manager stores with: sessions, artifacts, preferences, learners' progress, and the playbooks in it."""

from __future__ import annotations

from agents.ace.store.playbook_store import PlaybookStore
from agents.ace.store.reducer import ledger_of
from agents.session import Leases
from agents.storage.address import Database
from agents.storage.stores import open_store


class Services:
    """The services of one database; opened and closed together.

    Attributes:
        sessions: The sessions.
        collection: The same sessions as a collection.
        artifacts: The files that agents saved.
        playbooks: Any playbook; it gives all others.
        preferences: The user's preferences.
        journal: Lists of what is no session's.
        lessons: What learners have done.
        use: What users use.

    Args:
        database: Where it is; None keeps everything in memory.
        leases: How long the claims on its sessions hold; None for the usual time.
    """

    def __init__(self, database: Database | None, *, leases: Leases | None = None) -> None:
        self._store = store = open_store(database, leases=leases)
        self.sessions = store.sessions
        self.collection = store.collection
        self.artifacts = store.artifacts
        self.preferences = store.preferences
        self.journal = store.journal
        self.lessons = store.lessons
        self.use = store.use
        # The ledger is shared: a playbook is folded and kept once.
        self.playbooks = PlaybookStore(store.playbooks, ledger=ledger_of(store.reducers))

    async def close(self) -> None:
        """Closes all of them."""
        await self._store.close()
