"""The stores: a store is what one database holds. A new one is a package of its own and a case in `open_store`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agents.artifact import BaseArtifactService
from agents.session import BaseSessionService
from agents.storage.collection import SessionCollection
from agents.storage.reducer import Reducers
from agents.storage.sessions.tables import MemoryTables
from agents.storage.sqlite.preferences import PreferenceStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """The parts of one database. Each of them opens its file when it is first needed, and is closed by itself.

    Attributes:
        sessions: The sessions with their logs.
        collection: The same sessions as a collection.
        artifacts: The files that agents saved.
        preferences: The user's preferences.
        reducers: Those of the session service.
        tables: Where playbooks are: the path of a SQLite file, or tables in memory.
    """

    sessions: BaseSessionService
    collection: SessionCollection
    artifacts: BaseArtifactService
    preferences: PreferenceStore
    reducers: Reducers
    tables: Path | MemoryTables


def open_store(database: Path | None) -> Store:
    """The store that keeps what it holds at a path.

    Args:
        database: The file, which need not exist; None keeps everything in memory.
    """
    match database:
        case None:
            return _memory()
        case _:
            return _sqlite(database)


def _memory() -> Store:
    from agents.storage.artifacts.memory import InMemoryArtifactService
    from agents.storage.sessions.memory import InMemorySessionService

    sessions = InMemorySessionService()
    return Store(
        sessions=sessions,
        collection=sessions.collection,
        artifacts=InMemoryArtifactService(),
        preferences=PreferenceStore(None),
        reducers=sessions.reducers,
        tables=sessions.tables,
    )


def _sqlite(database: Path) -> Store:
    from agents.storage.artifacts.sqlite import SqliteArtifactService
    from agents.storage.sessions.sqlite import SqliteSessionService

    sessions = SqliteSessionService(database)
    return Store(
        sessions=sessions,
        collection=sessions.collection,
        artifacts=SqliteArtifactService(database),
        preferences=PreferenceStore(database),
        reducers=sessions.reducers,
        tables=database,
    )
