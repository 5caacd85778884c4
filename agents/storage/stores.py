"""The stores: a store is what one database holds. A new one is a package of its own and a case in `open_store`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agents.artifact import BaseArtifactService
from agents.errors import DatabaseError
from agents.playbook import PlaybookRepository
from agents.session import BaseSessionService
from agents.storage.archive import KINDS, Copied, Kind, Progress, copy_archive
from agents.storage.collection import SessionCollection
from agents.storage.journal import Journal
from agents.storage.lessons.progress import ProgressStore
from agents.storage.preferences import PreferenceStore
from agents.storage.reducer import Reducers


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
    """

    sessions: BaseSessionService
    collection: SessionCollection
    artifacts: BaseArtifactService
    preferences: PreferenceStore
    journal: Journal
    lessons: ProgressStore
    playbooks: PlaybookRepository
    reducers: Reducers

    async def close(self) -> None:
        """Finishes pending jobs and closes all parts."""
        await self.sessions.close()
        await self.artifacts.close()
        self.playbooks.close()
        self.preferences.close()
        self.journal.close()
        self.lessons.close()


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


def open_playbooks(database: Path, *, busy_timeout: float | None = None) -> PlaybookRepository:
    """The playbooks of a database alone.

    Args:
        database: The file, which need not exist.
        busy_timeout: How long to wait for other processes that write, in seconds; None for the usual time.
    """
    from agents.storage.playbooks.sqlite import SqlitePlaybookRepository

    return SqlitePlaybookRepository(database, **({} if busy_timeout is None else {"busy_timeout": busy_timeout}))


def copy_database(source: Path, target: Path, progress: Progress) -> list[Copied]:
    """Copies all that a database keeps to another one, which need not exist; see `agents.storage.archive.copy_archive`.

    Args:
        source: Its file, which is only read.
        target: The file of the other one. It may have more than the source.
        progress: Called as it goes on.

    Raises:
        DatabaseError: One of them cannot be used, they are the same, or the target has other content of the same name.
    """
    from agents.storage.sqlite.archive import copied_archive, kept_archive

    with copied_archive(source) as copied:
        if target.exists() and target.samefile(source):
            raise DatabaseError(f"{source} and {target} are the same file. Choose another one to copy to.")
        with kept_archive(target) as kept:
            return copy_archive(copied, kept, progress)


def count_records(database: Path, progress: Progress) -> dict[Kind, int]:
    """Reads all records of a database, and counts those of each kind; it is only read.

    Raises:
        DatabaseError: It cannot be read.
    """
    from agents.storage.sqlite.archive import copied_archive

    counts: dict[Kind, int] = {}
    with copied_archive(database) as archive:
        for kind in KINDS:
            names = archive.names(kind)
            for done, name in enumerate(names, 1):
                archive.read(kind, name)
                progress(kind, done, len(names))
            counts[kind] = len(names)
    return counts


def check_writable(database: Path) -> None:
    """Checks that a database can be written now, and has the schema of this version. Nothing is written.

    Raises:
        DatabaseError: It is missing, locked or read-only, or has another schema.
    """
    from agents.storage.sqlite.copied_file import check_writable as check_file

    check_file(database)


def _memory() -> Store:
    from agents.storage.artifacts.memory import InMemoryArtifactService
    from agents.storage.lessons.memory import InMemoryProgressStore
    from agents.storage.memory_journal import InMemoryJournal
    from agents.storage.memory_preferences import InMemoryPreferenceStore
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
    )


def _sqlite(database: Path) -> Store:
    from agents.storage.artifacts.sqlite import SqliteArtifactService
    from agents.storage.lessons.sqlite import SqliteProgressStore
    from agents.storage.playbooks.sqlite import SqlitePlaybookRepository
    from agents.storage.sessions.sqlite import SqliteSessionService
    from agents.storage.sqlite.journal import SqliteJournal
    from agents.storage.sqlite.preferences import SqlitePreferenceStore

    sessions = SqliteSessionService(database)
    return Store(
        sessions=sessions,
        collection=sessions.collection,
        artifacts=SqliteArtifactService(database),
        preferences=SqlitePreferenceStore(database),
        journal=SqliteJournal(database),
        lessons=SqliteProgressStore(database),
        playbooks=SqlitePlaybookRepository(database),
        reducers=sessions.reducers,
    )
