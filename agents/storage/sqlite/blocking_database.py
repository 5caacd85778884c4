"""SQLite files for callers that may wait for a disk or a lock in their own thread."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from agents.errors import DatabaseError
from agents.storage.sqlite.database import WAIT_SECONDS, Connection, SqliteConnection, explained, snapshot, transaction


class OneConnection:
    """A file with one connection, which threads use one after the other. A file that replaced it is taken.

    Every method may raise `DatabaseError`.

    Args:
        path: The file, created if it is missing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection = Connection(path, WAIT_SECONDS, takes_another=True)

    @contextmanager
    def writing(self) -> Generator[SqliteConnection, None, None]:
        """A transaction that blocks other writers."""
        with self._opened() as conn, transaction(conn):
            yield conn

    @contextmanager
    def reading(self) -> Generator[SqliteConnection, None, None]:
        """A snapshot to read from."""
        with self._opened() as conn, snapshot(conn):
            yield conn

    @contextmanager
    def _opened(self) -> Generator[SqliteConnection, None, None]:
        with self._lock:
            try:
                yield self._connection.get()
            except sqlite3.Error as error:
                raise explained(error, self._path, WAIT_SECONDS) from error

    def close(self) -> None:
        """Closes the file; the next use opens it again."""
        with self._lock:
            self._connection.close()


class BlockingDatabase:
    """A file with one connection to write and one to read: reading for seconds blocks no writer.

    Every method may raise `DatabaseError`.

    Args:
        path: The file, created if it is missing.
        busy_timeout: How long to wait for other processes that write, in seconds.
    """

    def __init__(self, path: Path, *, busy_timeout: float = WAIT_SECONDS) -> None:
        self._path, self._busy_timeout = path, busy_timeout
        self._lock = threading.RLock()
        self._connection = Connection(path, busy_timeout)
        self._reading_lock = threading.RLock()
        self._reading = Connection(path, busy_timeout, read_only=True, takes_another=False)
        self._to_close: set[Connection] = set()
        self._is_ready = False

    @contextmanager
    def writing(self) -> Generator[SqliteConnection, None, None]:
        """A transaction that blocks other writers."""
        with self._lock, self._explained(), transaction(self._get(self._connection, self._reading)) as conn:
            yield conn

    @contextmanager
    def reading(self) -> Generator[SqliteConnection, None, None]:
        """A snapshot to read from."""
        with self._reading_lock, self._explained():
            if not self._is_ready:
                with self._lock:
                    self._get(self._connection, self._reading)  # creates or upgrades the file
                    self._is_ready = True
            with snapshot(self._get(self._reading, self._connection)) as conn:
                yield conn

    def _get(self, connection: Connection, other: Connection) -> SqliteConnection:
        """Opens a connection. If the file was replaced, one of the two raises, and both start anew."""
        if connection in self._to_close:
            self._to_close.discard(connection)
            connection.close()
        try:
            return connection.get()
        except DatabaseError:
            self._to_close.add(other)
            self._is_ready = False
            raise

    @contextmanager
    def _explained(self) -> Generator[None, None, None]:
        try:
            yield
        except sqlite3.Error as error:
            raise explained(error, self._path, self._busy_timeout) from error

    def close(self) -> None:
        """Closes the file; the next transaction opens it again."""
        with self._lock:
            self._connection.close()
        with self._reading_lock:
            self._reading.close()
            self._is_ready = False
