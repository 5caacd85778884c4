"""The stores: a store is what one database holds. A new one is a package of its own and a case in `open_store`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.artifact import BaseArtifactService
from agents.errors import DatabaseError
from agents.playbook import PlaybookRepository
from agents.session import BaseSessionService, Leases
from agents.storage.address import Database, PostgresAddress, check_database
from agents.storage.archive import KINDS, Archive, Copied, Kind, Progress, copy_archive
from agents.storage.collection import SessionCollection
from agents.storage.journal import Journal
from agents.storage.lessons.progress import ProgressStore
from agents.storage.preferences import PreferenceStore
from agents.storage.reducer import Reducers
from agents.storage.use.store import UseStore

if TYPE_CHECKING:
    from agents.storage.postgres.pool import Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """The parts of one database. Each of them opens its file when it is first needed.

    Attributes:
        sessions: The sessions with their logs.
        collection: The same sessions as a collection.
        artifacts: The files that agents saved.
        preferences: The user's preferences.
        journal: Lists of what is no session's.
        lessons: What learners have done.
        playbooks: The playbooks that sessions read and change.
        reducers: Those of the session service.
        use: What users use.
    """

    sessions: BaseSessionService
    collection: SessionCollection
    artifacts: BaseArtifactService
    preferences: PreferenceStore
    journal: Journal
    lessons: ProgressStore
    playbooks: PlaybookRepository
    reducers: Reducers
    use: UseStore

    async def close(self) -> None:
        """Finishes pending jobs and closes all parts."""
        await self.sessions.close()
        await self.artifacts.close()
        self.playbooks.close()
        self.preferences.close()
        self.journal.close()
        self.lessons.close()
        self.use.close()


def open_store(database: Database | None, *, leases: Leases | None = None) -> Store:
    """The store that keeps what it holds in a database.

    Args:
        database: Where it is. A file need not exist; None keeps everything in memory.
        leases: How long the claims on its sessions hold; None for the usual time.

    Raises:
        DatabaseError: What speaks to such a database is not installed.
    """
    match database:
        case None:
            return _memory()
        case Path():
            return _sqlite(database, leases)
        case PostgresAddress():
            return _postgres(database, leases)


def open_playbooks(database: Database, *, busy_timeout: float | None = None) -> PlaybookRepository:
    """The playbooks of a database alone.

    Args:
        database: Where it is. A file need not exist.
        busy_timeout: How long to wait for other processes that write to a file, in seconds; None for the usual time.

    Raises:
        DatabaseError: What speaks to such a database is not installed.
    """
    from agents.storage.playbooks.stored import StoredPlaybookRepository
    from agents.storage.sqlite.blocking_database import BlockingDatabase
    from agents.storage.sqlite.database import WAIT_SECONDS

    match database:
        case Path():
            wait = WAIT_SECONDS if busy_timeout is None else busy_timeout
            return StoredPlaybookRepository(BlockingDatabase(database, busy_timeout=wait))
        case PostgresAddress():
            return StoredPlaybookRepository(_pool(database))


def copy_database(source: Database, target: Database, progress: Progress) -> list[Copied]:
    """Copies all that a database keeps to another one, which need not exist; see `agents.storage.archive.copy_archive`.

    Args:
        source: It is only read.
        target: The other one. It may have more than the source.
        progress: Called as it goes on.

    Raises:
        DatabaseError: One of them cannot be used, they are the same, or the target has other content of the same name.
    """
    check_database(source)
    check_database(target)
    with _copied(source) as copied:
        if source == target or (
            isinstance(source, Path) and isinstance(target, Path) and target.exists() and target.samefile(source)
        ):
            raise DatabaseError(f"{source} and {target} are the same database. Choose another one to copy to.")
        with _kept(target) as kept:
            return copy_archive(copied, kept, progress)


def count_records(database: Database, progress: Progress) -> dict[Kind, int]:
    """Reads all records of a database, and counts those of each kind; it is only read.

    Raises:
        DatabaseError: It cannot be read.
    """
    counts: dict[Kind, int] = {}
    with _copied(database) as archive:
        for kind in KINDS:
            names = archive.names(kind)
            for done, name in enumerate(names, 1):
                archive.read(kind, name)
                progress(kind, done, len(names))
            counts[kind] = len(names)
    return counts


def check_writable(database: Database) -> None:
    """Checks that a database can be written now, and has the schema of this version. Nothing is written.

    Raises:
        DatabaseError: It is missing, locked or read-only, or has another schema.
    """
    if isinstance(database, PostgresAddress):
        from agents.storage.postgres.readiness import check_writable as check_server

        check_server(database)
        return
    from agents.storage.sqlite.copied_file import check_writable as check_file

    check_file(database)


def _copied(source: Database) -> AbstractContextManager[Archive]:
    if isinstance(source, PostgresAddress):
        from agents.storage.postgres.archive import copied_archive

        return copied_archive(source)
    from agents.storage.sqlite import archive

    return archive.copied_archive(source)


def _kept(target: Database) -> AbstractContextManager[Archive]:
    if isinstance(target, PostgresAddress):
        from agents.storage.postgres.archive import kept_archive

        return kept_archive(target)
    from agents.storage.sqlite import archive

    return archive.kept_archive(target)


def _memory() -> Store:
    from agents.storage.artifacts.memory import InMemoryArtifactService
    from agents.storage.lessons.memory import InMemoryProgressStore
    from agents.storage.memory_journal import InMemoryJournal
    from agents.storage.preferences import InMemoryPreferenceStore
    from agents.storage.sessions.memory import InMemorySessionService

    sessions = InMemorySessionService()
    return Store(
        sessions=sessions,
        collection=sessions.collection,
        artifacts=InMemoryArtifactService(),
        preferences=InMemoryPreferenceStore(),
        journal=InMemoryJournal(),
        lessons=InMemoryProgressStore(),
        playbooks=sessions.tables,
        reducers=sessions.reducers,
        use=sessions.use,
    )


def _sqlite(database: Path, leases: Leases | None) -> Store:
    from agents.storage.artifacts.sqlite import SqliteArtifactService
    from agents.storage.sessions.sqlite import SqliteSessionService
    from agents.storage.sqlite.blocking_database import BlockingDatabase, OneConnection
    from agents.storage.tables.journal import JournalTable
    from agents.storage.tables.preferences import PreferenceTable
    from agents.storage.tables.progress import ProgressTable
    from agents.storage.tables.use import UseTables

    sessions = SqliteSessionService(database, leases=leases)
    return Store(
        sessions=sessions,
        collection=sessions.collection,
        artifacts=SqliteArtifactService(database),
        preferences=PreferenceTable(OneConnection(database)),
        journal=JournalTable(OneConnection(database)),
        lessons=ProgressTable(OneConnection(database)),
        playbooks=open_playbooks(database),
        reducers=sessions.reducers,
        # Two connections: what a new session may use is read while its transaction keeps other writers out.
        use=UseTables(BlockingDatabase(database)),
    )


def _postgres(database: PostgresAddress, leases: Leases | None) -> Store:
    pool = _pool(database)

    from agents.storage.artifacts.postgres import PostgresArtifactService
    from agents.storage.playbooks.stored import StoredPlaybookRepository
    from agents.storage.postgres.sessions import PostgresSessionService
    from agents.storage.tables.journal import JournalTable
    from agents.storage.tables.preferences import PreferenceTable
    from agents.storage.tables.progress import ProgressTable
    from agents.storage.tables.use import UseTables

    sessions = PostgresSessionService(pool, leases=leases)
    return Store(
        sessions=sessions,
        collection=sessions.collection,
        artifacts=PostgresArtifactService(pool),
        preferences=PreferenceTable(pool),
        journal=JournalTable(pool),
        lessons=ProgressTable(pool),
        playbooks=StoredPlaybookRepository(pool),
        reducers=sessions.reducers,
        use=UseTables(pool),
    )


def _pool(database: PostgresAddress) -> Pool:
    check_database(database)
    from agents.storage.postgres.pool import Pool

    return Pool(database.url)
