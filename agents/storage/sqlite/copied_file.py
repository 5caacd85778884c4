"""Whole files: copies of SQLite files of any kind as they are at one moment, and what a file is good for now."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from agents.errors import DatabaseDamagedError, DatabaseError
from agents.storage.sqlite.database import WAIT_SECONDS, check_schema, explained
from agents.storage.sqlite.migrations import VERSION

READY_SECONDS = 2.0
"""How long another writer may keep a database that is ready."""
_MAGIC = b"SQLite format 3\0"


def is_sqlite(path: Path) -> bool:
    """Whether a file is a SQLite database, by its first bytes.

    Raises:
        OSError: It cannot be read.
    """
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


@contextmanager
def copied_file(path: Path, folder: Path) -> Generator[Path, None, None]:
    """A copy of a database, in a folder, that others may write to meanwhile; it is removed in the end.

    Raises:
        DatabaseError: It cannot be read.
    """
    copy = folder / "copy.db"
    try:
        try:
            with (
                closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=WAIT_SECONDS, uri=True)) as source,
                closing(sqlite3.connect(copy)) as target,
            ):
                source.backup(target)
        except sqlite3.Error as error:
            raise explained(error, path, WAIT_SECONDS) from error
        yield copy
    finally:
        copy.unlink(missing_ok=True)


def check_whole(path: Path) -> None:
    """Reads all of a database.

    Raises:
        DatabaseDamagedError: It is damaged, or has rows without those that they belong to.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as conn:
            [(said,), *_] = conn.execute("PRAGMA integrity_check(1)").fetchall()
            lone = conn.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.Error as error:
        raise explained(error, path, WAIT_SECONDS) from error
    if said != "ok" or lone:
        why = said if said != "ok" else f"{len(lone)} rows lack what they belong to"
        raise DatabaseDamagedError(f"The session database {path} is damaged ({why}). Take another backup.")


def check_writable(path: Path) -> None:
    """Checks that a session database can be written now, and has this version's schema; nothing is written.

    Raises:
        DatabaseError: It cannot, or it has not.
    """
    try:
        place = f"{path.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(place, timeout=READY_SECONDS, isolation_level=None, uri=True)) as conn:
            if (found := check_schema(conn, path)) != VERSION:
                raise DatabaseError(f"The session database {path} has schema version {found}, and is still to be upgraded.")
            conn.execute("BEGIN IMMEDIATE")
            conn.execute("ROLLBACK")
    except sqlite3.Error as error:
        raise explained(error, path, READY_SECONDS) from error
