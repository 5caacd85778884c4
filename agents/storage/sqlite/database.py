"""The SQLite file: opening it, transactions on it, and its errors in words that a user can act on."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

from agents.errors import DatabaseDamagedError, DatabaseError, DatabaseReadOnlyError, known
from agents.storage.paths import check_database_path
from agents.storage.sqlite.files import Files
from agents.storage.sqlite.migrations import MIGRATIONS_TABLE, VERSION, migrate

WAIT_SECONDS = 10.0
"""Seconds that a write waits for a lock of another process, or for space on a full disk, before it fails."""

_RETRY_INTERVAL = 0.02
_PRIMARY_CODE = 0xFF  # the low byte of an extended SQLite result code is the kind of error


class SqliteConnection(sqlite3.Connection):
    """SQLite's connection, as the SQL of `agents.storage.tables.connection` has it."""

    lock = ""
    each = "json_each(?)"
    next_entry = "(SELECT max(id) FROM log)"

    def at_end(self, sql: str, values: Sequence[Any]) -> None:
        """See `agents.storage.tables.connection.Connection`: now, since nobody else writes meanwhile."""
        self.execute(sql, values)


class Connection:
    """A connection that is opened when it is first needed, and again after it failed to open. For one thread at a time.

    A database that may not be written is opened to be read; writing to it fails with `SQLITE_READONLY`.

    Args:
        path: The file.
        busy_timeout: How long to wait for other writers, in seconds.
        read_only: Refuse to write, and leave the schema to another connection.
        checkpoints: Move the write-ahead log into the file now and then, which waits for the disk.
        takes_another: Continue with a file that replaced the one in use; else raise. None: only a reader does.
    """

    def __init__(
        self,
        path: Path,
        busy_timeout: float,
        *,
        read_only: bool = False,
        checkpoints: bool = True,
        takes_another: bool | None = None,
    ) -> None:
        self._path = path
        self._busy_timeout = busy_timeout
        self._read_only = read_only
        self._checkpoints = checkpoints
        self._takes_another = read_only if takes_another is None else takes_another
        self._conn: SqliteConnection | None = None
        self._is_brief = False
        self._files = Files(path)

    def get(self, *, anew: bool = False) -> SqliteConnection:
        """The connection, in autocommit mode: transactions are begun explicitly, see `transaction`.

        Args:
            anew: Create the file if it is missing, even if it existed before.

        Raises:
            DatabaseLostError: The file was deleted, moved or changed.
            DatabaseError: The file cannot be used; the message says why.
        """
        if self._is_brief:
            self.close()
        if self._conn is not None:
            if (changed := self._files.changed()) is None:
                return self._conn
            self._abandon()
            if not (self._takes_another or anew):
                raise changed
        if not anew and (self._read_only or self._files.were_there) and (missing := self._files.missing()) is not None:
            raise missing
        self._conn = self._open()
        self._files.note()
        return self._conn

    def close(self) -> None:
        """Closes the connection, if it is open."""
        if self._conn is not None:
            self._conn.close()
            self._conn = None

    def _abandon(self) -> None:
        """Closes a connection to a file that is no longer at its path, and completes that file.

        Changes that are only in the write-ahead log go into the file, wherever it was moved to. Its log is removed: SQLite
        would apply it to another file at this path and damage it.
        """
        if self._conn is None:
            return
        is_complete = False
        if not self._read_only and not self._files.are_emptied:
            with suppress(sqlite3.Error):
                self._conn.execute("PRAGMA busy_timeout = 0")
                is_complete = self._conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        self.close()
        if is_complete:
            self._files.remove_logs()

    def _open(self) -> SqliteConnection:
        if not self._read_only:
            _check_place(self._path)
        self._is_brief = False
        how = "mode=rw" if self._read_only else "mode=rwc"
        try:
            try:
                conn = self._opened(how)
            except sqlite3.OperationalError as error:
                if primary_code(error) != sqlite3.SQLITE_IOERR:
                    raise
                conn = self._opened(how)  # the file was replaced at this moment: the index was the other one's
        except sqlite3.OperationalError as error:
            if primary_code(error) not in NO_INDEX or not is_complete(self._path):
                raise
            conn = self._opened("immutable=1")
            self._is_brief = True  # it notices no change
        self._is_brief = self._is_brief or not (self._read_only or _may_write(self._path))  # until that is allowed
        return conn

    def _opened(self, how: str) -> SqliteConnection:
        place = f"{self._path.absolute().as_uri()}?{how}"
        conn = sqlite3.connect(
            place,
            timeout=self._busy_timeout,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
            factory=SqliteConnection,
        )
        try:
            if self._read_only:
                conn.execute("PRAGMA query_only = ON")
                _version(conn)  # opens the write-ahead log
            else:
                _prepare(conn, self._path, self._busy_timeout)
            conn.create_function("lease_clock", 0, time.monotonic)  # all processes of a machine share it
            if not self._checkpoints:
                conn.execute("PRAGMA wal_autocheckpoint = 0")
        except BaseException:
            conn.close()
            raise
        return conn


NO_INDEX = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
"""What SQLite says of a database with a write-ahead log whose index it cannot make."""


def is_complete(path: Path) -> bool:
    """Whether all of a database that may not be written is in its file, so that it can be read without its log."""
    log = path.with_name(f"{path.name}-wal")
    return path.is_file() and not (log.exists() and log.stat().st_size)


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _check_place(path: Path) -> None:
    check_database_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError(
            f"The folder of the session database {path} cannot be made: {error.strerror}. "
            "Choose a file in a folder that you may write to."
        ) from error


def _prepare(conn: sqlite3.Connection, path: Path, busy_timeout: float) -> None:
    found = check_schema(conn, path)
    if found < VERSION:
        _make(conn, path, busy_timeout)
    # A commit survives the death of the process, at any moment. A power cut may take the last commits, never the file.
    conn.execute("PRAGMA synchronous = NORMAL")


def check_schema(conn: sqlite3.Connection, path: Path) -> int:
    """The schema version of a database that this code can read, if need be after an upgrade.

    Raises:
        DatabaseError: It belongs to another program, or to a newer version.
    """
    found = _version(conn)
    if found != VERSION and (foreign := _foreign_tables(conn)):
        raise DatabaseError(
            f"The session database {path} belongs to another program: it has the tables {known(foreign)}. "
            "It was left as it is. Choose another file."
        )
    if found > VERSION:
        raise DatabaseError(
            f"The session database {path} has schema version {found}, made by a newer Agent Playground; this one knows "
            f"versions up to {VERSION}. Update Agent Playground, or choose another file."
        )
    return found


def _make(conn: sqlite3.Connection, path: Path, busy_timeout: float) -> None:
    """Makes or upgrades the schema; only one process does it, and others wait for it.

    Raises:
        DatabaseReadOnlyError: The file cannot be written.
    """
    try:
        _enable_wal(conn, busy_timeout)
        with transaction(conn):
            if (found := _version(conn)) < VERSION:  # not done meanwhile by another process
                migrate(conn)
    except sqlite3.OperationalError as error:
        if primary_code(error) != sqlite3.SQLITE_READONLY or not (found := _version(conn)):
            raise
        raise DatabaseReadOnlyError(
            f"The session database {path} has schema version {found}, of an older Agent Playground, and must be upgraded "
            f"to version {VERSION} before it can be read; but it is read-only. Copy it to a folder that you may write to, "
            "and open the copy."
        ) from None


def _version(conn: sqlite3.Connection) -> int:
    return conn.execute("PRAGMA user_version").fetchone()[0]


def _foreign_tables(conn: sqlite3.Connection) -> list[str]:
    names = [name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return [] if MIGRATIONS_TABLE in names else names


def _enable_wal(conn: sqlite3.Connection, busy_timeout: float) -> None:
    """Switches to write-ahead logging. SQLite does not wait for a lock here, so this function does."""
    deadline = time.monotonic() + busy_timeout
    while True:
        try:
            conn.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_INTERVAL)
        else:
            return


C = TypeVar("C", bound=sqlite3.Connection)


class transaction(Generic[C]):  # noqa: N801  used like the function that it would be as a generator, at a third of the cost
    """One write transaction: all of the block is stored, or none of it. Waits for other writers at its beginning."""

    __slots__ = ("_conn",)

    def __init__(self, conn: C) -> None:
        self._conn = conn

    def __enter__(self) -> C:
        self._conn.execute("BEGIN IMMEDIATE")
        return self._conn

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        try:
            if kind is None:
                self._conn.execute("COMMIT")
        finally:
            if self._conn.in_transaction:  # some errors, e.g. a full disk, have ended it already
                self._conn.execute("ROLLBACK")


@contextmanager
def snapshot(conn: C) -> Generator[C, None, None]:
    """Several reads of one snapshot of the database."""
    conn.execute("BEGIN")
    try:
        yield conn
    finally:
        if conn.in_transaction:  # some errors, e.g. of reading a file that was replaced, have ended it already
            conn.execute("ROLLBACK")


def primary_code(error: sqlite3.Error) -> int:
    """The kind of error, without SQLite's finer distinctions."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE


def explained(error: sqlite3.Error, path: Path, busy_timeout: float, *, waited: float | None = None) -> DatabaseError:
    """SQLite's error as one that names the file, the reason and the cure.

    Args:
        error: What SQLite raised.
        path: The file.
        busy_timeout: How long a lock or a full disk may last, in seconds.
        waited: How long it lasted; None for all of that.
    """
    text = _EXPLANATIONS.get(
        primary_code(error), "failed: {error}. Nothing was stored. Check the disk and the file, then try again."
    )
    is_over = waited is None or waited >= busy_timeout
    lasting = f" for more than {busy_timeout:g} s" if is_over else ""
    kind = _KINDS.get(primary_code(error), DatabaseError)
    return kind(f"The session database {path} {text.format(error=error, lasting=lasting)}")


_KINDS = {
    sqlite3.SQLITE_CORRUPT: DatabaseDamagedError,
    sqlite3.SQLITE_NOTADB: DatabaseDamagedError,
    sqlite3.SQLITE_READONLY: DatabaseReadOnlyError,
}
_READ_ONLY = (
    "cannot be written to: the file or its folder is read-only. Nothing was stored. "
    "Change the permissions, or choose a file that you may write to."
)
_LOCKED = (
    "is locked: another program has kept it from being written{lasting}. Nothing was stored. "
    "Close that program, or wait, and try again."
)
_EXPLANATIONS = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_FULL: "cannot grow: the disk is full. Nothing was stored{lasting}; what was there before is safe. "
    "Free some space and try again.",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: the file cannot be read, or its folder is read-only. "
    "Change the permissions, or choose a file in a folder that you may write to.",
    sqlite3.SQLITE_NOTADB: "is not a SQLite database. It was left as it is. "
    "Choose another file, or move this one away to start with an empty database.",
    sqlite3.SQLITE_CORRUPT: "is damaged ({error}). Stop every program that uses it and restore a backup, "
    "or move it away to start with an empty database.",
}
