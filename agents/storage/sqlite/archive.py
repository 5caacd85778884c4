"""`SqliteArchive`: everything in a SQLite file as records, and the opening of a file that is copied or copied to."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from agents.errors import DatabaseError
from agents.storage.archive import Archive, Kind, Name, Record
from agents.storage.paths import check_database_path
from agents.storage.sqlite.database import (
    NO_INDEX,
    WAIT_SECONDS,
    Connection,
    check_schema,
    explained,
    is_complete,
    primary_code,
    transaction,
)
from agents.storage.sqlite.migrations import VERSION, migrate


class _Shape(NamedTuple):
    """Where the records of a kind are.

    Attributes:
        table: One row is one record.
        name: Expressions of its name.
        order: The column by which `names` are in order.
        parts: Tables with more rows of a record, and the column by which they are in order.
        link: The column of these tables that has the key of the record's row.
    """

    table: str
    name: tuple[str, ...]
    order: str = ""
    parts: Mapping[str, str] = {}
    link: str = ""


_NAME_IN_USE = "iif(deleted_at IS NULL, name, substr(name, 1, instr(name, char(10)) - 1))"
"""The name of a playbook; while it is deleted, a line break and its key follow in the column."""

SHAPES: Mapping[Kind, _Shape] = {
    "texts": _Shape("texts", ("hash",)),
    "files": _Shape("artifacts", ("app_name", "user_id", "session_id", "filename", "version")),
    "playbooks": _Shape(
        "playbooks",
        (_NAME_IN_USE, "coalesce(deleted_at, 0)"),
        order="key",
        parts={"playbook_deltas": "revision", "playbook_snapshots": "revision", "playbook_answers": "id"},
        link="playbook",
    ),
    "app state": _Shape("app_state", ("app_name", "key")),
    "user state": _Shape("user_state", ("app_name", "user_id", "key")),
    "preferences": _Shape("preferences", ("name",)),
    "journals": _Shape("journals", ("name", "seq")),
    "lessons": _Shape("lesson_progress", ("user_id", "lesson", "step")),
    "sessions": _Shape(
        "sessions",
        ("app_name", "user_id", "id"),
        order="last_entry",
        parts={"log": "seq", "session_state": "key", "session_tags": "tag"},
        link="session",
    ),
}
_OWN = {"key", "last_entry"}
"""Columns of a row with parts that mean nothing in another file."""
_OWN_OF_PARTS = {"id", "bundle"}
"""The same, in the rows of its parts, besides the link."""


class SqliteArchive(Archive):
    """Everything that a SQLite file keeps.

    Args:
        conn: The connection, in autocommit mode or, only to read, in a transaction.
        path: The file, for errors.
    """

    def __init__(self, conn: sqlite3.Connection, path: Path) -> None:
        self._conn = conn
        self._path = path

    def names(self, kind: Kind) -> list[Name]:
        shape = SHAPES[kind]
        order = shape.order or ", ".join(shape.name)
        with _explained(self._path):
            return self._conn.execute(f"SELECT {', '.join(shape.name)} FROM {shape.table} ORDER BY {order}").fetchall()  # noqa: S608  our own texts, here and below

    def read(self, kind: Kind, name: Name) -> Record:
        shape = SHAPES[kind]
        wanted = " AND ".join(f"{part} = ?" for part in shape.name)
        with _explained(self._path):
            rows = self._rows(f"SELECT * FROM {shape.table} WHERE {wanted}", name)  # noqa: S608
            if not rows:
                raise KeyError(name)
            [fields] = rows
            parts = {
                table: [
                    _without(row, {*_OWN_OF_PARTS, shape.link})
                    for row in self._rows(f"SELECT * FROM {table} WHERE {shape.link} = ? ORDER BY {order}", (fields["key"],))  # noqa: S608
                ]
                for table, order in shape.parts.items()
            }
        if kind == "playbooks":
            fields["name"] = name[0]
        return Record(name, _without(fields, _OWN) if shape.parts else fields, parts)

    def add(self, kind: Kind, record: Record) -> None:
        shape = SHAPES[kind]
        with _explained(self._path), transaction(self._conn):
            fields = dict(record.fields)
            if is_deleted_playbook := kind == "playbooks" and fields["deleted_at"] is not None:
                fields["name"] = f"{fields['name']}\n"  # free until the key is known
            key = self._insert(shape.table, fields)
            for table, rows in record.parts.items():
                for row in rows:
                    self._insert(table, {**row, shape.link: key})
            if is_deleted_playbook:
                self._conn.execute("UPDATE playbooks SET name = name || key WHERE key = ?", (key,))
            if kind == "sessions":
                last = "(SELECT max(id) FROM log WHERE session = key)"
                self._conn.execute(f"UPDATE sessions SET last_entry = coalesce({last}, 0) WHERE key = ?", (key,))  # noqa: S608

    def _rows(self, query: str, values: Sequence[Any]) -> list[dict[str, Any]]:
        found = self._conn.execute(query, values)
        columns = [column for column, *_ in found.description]
        return [dict(zip(columns, row, strict=True)) for row in found]

    def _insert(self, table: str, row: Mapping[str, Any]) -> int | None:
        places = ", ".join("?" * len(row))
        return self._conn.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", [*row.values()]).lastrowid  # noqa: S608


def _without(row: Mapping[str, Any], columns: set[str]) -> dict[str, Any]:
    return {column: value for column, value in row.items() if column not in columns}


@contextmanager
def copied_archive(path: Path) -> Generator[SqliteArchive, None, None]:
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
                yield SqliteArchive(conn, path)
                return
            with closing(sqlite3.connect("", isolation_level=None)) as upgraded:  # a file that ends with the connection
                conn.backup(upgraded)
                with transaction(upgraded):
                    migrate(upgraded)
                yield SqliteArchive(upgraded, path)


def _opened_to_read(path: Path) -> sqlite3.Connection:
    try:
        return _opened(path, "mode=ro")
    except sqlite3.OperationalError as error:
        if primary_code(error) not in NO_INDEX or not is_complete(path):
            raise
        return _opened(path, "immutable=1")


def _opened(path: Path, how: str) -> sqlite3.Connection:
    place = f"{path.absolute().as_uri()}?{how}"
    conn = sqlite3.connect(place, timeout=WAIT_SECONDS, isolation_level=None, uri=True)
    try:
        conn.execute("PRAGMA user_version")  # opens the write-ahead log
    except BaseException:
        conn.close()
        raise
    return conn


@contextmanager
def kept_archive(path: Path) -> Generator[SqliteArchive, None, None]:
    """Everything in a file, which is made if it is missing.

    Raises:
        DatabaseError: The file cannot be used.
    """
    connection = Connection(path, WAIT_SECONDS)
    try:
        with _explained(path):
            conn = connection.get()
        yield SqliteArchive(conn, path)
    finally:
        connection.close()


@contextmanager
def _explained(path: Path) -> Generator[None, None, None]:
    try:
        yield
    except sqlite3.Error as error:
        raise explained(error, path, WAIT_SECONDS) from error
