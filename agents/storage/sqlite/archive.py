"""Everything in a SQLite file as records: the opening of a file that is copied or copied to."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from agents.errors import DatabaseError
from agents.storage.archive import Archive
from agents.storage.paths import check_database_path
from agents.storage.sqlite.blocking_database import BlockingDatabase
from agents.storage.sqlite.database import (
    NO_INDEX,
    WAIT_SECONDS,
    SqliteConnection,
    check_schema,
    explained,
    is_complete,
    primary_code,
    transaction,
)
from agents.storage.sqlite.migrations import VERSION, migrate
from agents.storage.tables.archive import TableArchive


@contextmanager
def copied_archive(path: Path) -> Generator[Archive, None, None]:
    """Everything in a file at one moment; others may write to it meanwhile. The file is only read.

    An older schema is upgraded in a temporary copy of the file, which needs as much space in the temporary folder.

    Raises:
        DatabaseError: The file is missing, newer than this code, or cannot be read.
    """
    check_database_path(path)
    if not path.exists():
        raise DatabaseError(f"There is no session database {path} to copy. Check the path.")
    with _explained(path):
        conn = _opened_to_read(path)
        with closing(conn):
            if check_schema(conn, path) == VERSION:
                conn.execute("BEGIN")
                yield TableArchive(_Opened(conn, path))
                return
            with closing(
                sqlite3.connect("", isolation_level=None, factory=SqliteConnection)
            ) as upgraded:  # a file that ends with the connection
                conn.backup(upgraded)
                with transaction(upgraded):
                    migrate(upgraded)
                yield TableArchive(_Opened(upgraded, path))


def _opened_to_read(path: Path) -> SqliteConnection:
    try:
        return _opened(path, "mode=ro")
    except sqlite3.OperationalError as error:
        if primary_code(error) not in NO_INDEX or not is_complete(path):
            raise
        return _opened(path, "immutable=1")


def _opened(path: Path, how: str) -> SqliteConnection:
    place = f"{path.absolute().as_uri()}?{how}"
    conn = sqlite3.connect(place, timeout=WAIT_SECONDS, isolation_level=None, uri=True, factory=SqliteConnection)
    try:
        conn.execute("PRAGMA user_version")  # opens the write-ahead log
    except BaseException:
        conn.close()
        raise
    return conn


@contextmanager
def kept_archive(path: Path) -> Generator[Archive, None, None]:
    """Everything in a file, which is made if it is missing.

    Raises:
        DatabaseError: The file cannot be used.
    """
    database = BlockingDatabase(path)
    try:
        with database.writing():
            pass  # makes or upgrades the file, or says why not
        yield TableArchive(database)
    finally:
        database.close()


class _Opened:
    """A connection of the caller's, to read with."""

    def __init__(self, conn: SqliteConnection, path: Path) -> None:
        self._conn, self._path = conn, path

    @contextmanager
    def reading(self) -> Generator[SqliteConnection, None, None]:
        with _explained(self._path):
            yield self._conn

    writing = reading

    def close(self) -> None:
        self._conn.close()


@contextmanager
def _explained(path: Path) -> Generator[None, None, None]:
    try:
        yield
    except sqlite3.Error as error:
        raise explained(error, path, WAIT_SECONDS) from error
